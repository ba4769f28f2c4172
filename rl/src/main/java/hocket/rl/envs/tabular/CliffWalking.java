package hocket.rl.envs.tabular;

import hocket.rl.envs.Canvas;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.List;

/**
 * A walk from the lower left corner to the lower right along a cliff (Sutton and Barto, Example 6.6): Gymnasium's
 * {@code CliffWalking-v1} and {@code CliffWalkingSlippery-v1}.
 *
 * <p>4 rows of 12; a state is {@code row * 12 + column}, the start 36, the goal 47, the cliff between them. Actions: 0
 * up, 1 right, 2 down, 3 left; on slippery ground the wanted one and the two across are equally likely. Reward -1 a
 * step, -100 in the cliff, which leads back to the start. The episode terminates at the goal.
 */
public final class CliffWalking extends TabularEnvironment {
    static final int ROWS = 4;
    static final int COLUMNS = 12;
    static final int START = 36;
    static final int GOAL = 47;

    public CliffWalking() {
        this(false);
    }

    public CliffWalking(boolean slippery) {
        super(
                slippery ? "CliffWalkingSlippery-v1" : "CliffWalking-v1",
                new TransitionTable(starts(), 4, (state, action) -> outcomes(slippery, state, action)));
    }

    /** Describes the map: S start, C cliff, G goal, the agent's place in brackets. */
    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int state = 0; state < ROWS * COLUMNS; state++) {
            boolean here = state == state();
            char letter = state < START ? '.' : state == START ? 'S' : state == GOAL ? 'G' : 'C';
            text.append(here ? '[' : ' ').append(letter).append(here ? ']' : ' ');
            text.append((state + 1) % COLUMNS == 0 ? "\n" : "");
        }
        return text.toString().stripTrailing();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = Canvas.grid(graphics, width, height, ROWS, COLUMNS);
        Color ground = new Color(0xe9e2cf);
        Color cliff = new Color(0x5b4636);
        for (int state = 0; state < ROWS * COLUMNS; state++) {
            Color color = state < START ? ground : state == START ? Canvas.START : state == GOAL ? Canvas.GOAL : cliff;
            canvas.cell(state / COLUMNS, state % COLUMNS, color);
        }
        canvas.mark(state() / COLUMNS, state() % COLUMNS, 0.28, Canvas.AGENT);
    }

    private static double[] starts() {
        double[] starts = new double[ROWS * COLUMNS];
        starts[START] = 1;
        return starts;
    }

    private static List<TransitionOutcome> outcomes(boolean slippery, int state, int action) {
        if (!slippery) {
            return List.of(moved(state, action, 1));
        }
        return List.of(
                moved(state, (action + 3) % 4, 1.0 / 3),
                moved(state, action, 1.0 / 3),
                moved(state, (action + 1) % 4, 1.0 / 3));
    }

    private static TransitionOutcome moved(int state, int action, double probability) {
        int row = state / COLUMNS;
        int column = state % COLUMNS;
        int next = switch (action) {
            case 0 -> Math.max(row - 1, 0) * COLUMNS + column;
            case 1 -> row * COLUMNS + Math.min(column + 1, COLUMNS - 1);
            case 2 -> Math.min(row + 1, ROWS - 1) * COLUMNS + column;
            default -> row * COLUMNS + Math.max(column - 1, 0);
        };
        return next > START && next < GOAL
                ? new TransitionOutcome(probability, START, -100, false)
                : new TransitionOutcome(probability, next, -1, next == GOAL);
    }
}
