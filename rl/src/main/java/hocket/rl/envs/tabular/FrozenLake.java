package hocket.rl.envs.tabular;

import hocket.rl.envs.Canvas;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.List;

/**
 * A walk over a frozen lake to the goal without falling into a hole: Gymnasium's {@code FrozenLake-v1} and {@code
 * FrozenLake8x8-v1}.
 *
 * <p>A map is rows of S start, F frozen, H hole, G goal; a state is {@code row * columns + column}. Actions: 0 left, 1
 * down, 2 right, 3 up. On slippery ice the move is the chosen one with the success rate, and either perpendicular one
 * with half of the rest. Reward 1 at the goal, 0 elsewhere; the episode terminates at the goal and in holes.
 */
public final class FrozenLake extends TabularEnvironment {
    /** The map of {@code FrozenLake-v1}. */
    public static final List<String> SMALL = List.of("SFFF", "FHFH", "FFFH", "HFFG");

    /** The map of {@code FrozenLake8x8-v1}. */
    public static final List<String> LARGE =
            List.of("SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG");

    private final List<String> map;

    /** Makes a lake whose chosen move succeeds in one of three cases, or always where it is not slippery. */
    public FrozenLake(List<String> map, boolean slippery) {
        this(map, slippery, 1.0 / 3.0);
    }

    /**
     * @param successRate the probability of the chosen move on slippery ice
     * @throws IllegalArgumentException if the rows differ in length, hold other letters or no S, or the rate is not in
     *     [0, 1]
     */
    public FrozenLake(List<String> map, boolean slippery, double successRate) {
        super(
                map.equals(LARGE) ? "FrozenLake8x8-v1" : "FrozenLake-v1",
                new TransitionTable(
                        starts(map), 4, (state, action) -> outcomes(map, slippery, successRate, state, action)));
        this.map = List.copyOf(map);
    }

    /** The rows of the map. */
    public List<String> map() {
        return map;
    }

    /** Describes the map, with the agent's place in brackets. */
    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        int columns = map.get(0).length();
        for (int state = 0; state < transitions().states(); state++) {
            boolean here = state == state();
            text.append(here ? '[' : ' ').append(letter(map, state)).append(here ? ']' : ' ');
            text.append((state + 1) % columns == 0 ? "\n" : "");
        }
        return text.toString().stripTrailing();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        int columns = map.get(0).length();
        Canvas canvas = Canvas.grid(graphics, width, height, map.size(), columns);
        for (int state = 0; state < transitions().states(); state++) {
            Color color = switch (letter(map, state)) {
                case 'H' -> new Color(0x274b6d);
                case 'G' -> Canvas.GOAL;
                case 'S' -> Canvas.START;
                default -> new Color(0xd6ecf5);
            };
            canvas.cell(state / columns, state % columns, color);
        }
        canvas.mark(state() / columns, state() % columns, 0.28, Canvas.AGENT);
    }

    private static double[] starts(List<String> map) {
        String letters = String.join("", map);
        int columns = map.isEmpty() ? 0 : map.get(0).length();
        if (!letters.matches("[SFHG]*") || map.stream().anyMatch(row -> row.length() != columns)) {
            throw new IllegalArgumentException(
                    "a lake's rows must be equally long and of the letters S, F, H, G, were " + map);
        }
        long starts = letters.chars().filter(letter -> letter == 'S').count();
        if (starts == 0) {
            throw new IllegalArgumentException("a lake must have a start S, its rows were " + map);
        }
        return letters.chars()
                .mapToDouble(letter -> letter == 'S' ? 1.0 / starts : 0)
                .toArray();
    }

    private static List<TransitionOutcome> outcomes(
            List<String> map, boolean slippery, double successRate, int state, int action) {
        if (!(successRate >= 0 && successRate <= 1)) {
            throw new IllegalArgumentException("a lake's success rate must be 0 to 1, was " + successRate);
        }
        char here = letter(map, state);
        if (here == 'G' || here == 'H') {
            return List.of(new TransitionOutcome(1, state, 0, true));
        }
        if (!slippery) {
            return List.of(moved(map, state, action, 1));
        }
        double failRate = (1.0 - successRate) / 2.0;
        return List.of(
                moved(map, state, (action + 3) % 4, failRate),
                moved(map, state, action, successRate),
                moved(map, state, (action + 1) % 4, failRate));
    }

    private static TransitionOutcome moved(List<String> map, int state, int action, double probability) {
        int columns = map.get(0).length();
        int row = state / columns;
        int column = state % columns;
        int next = switch (action) {
            case 0 -> row * columns + Math.max(column - 1, 0);
            case 1 -> Math.min(row + 1, map.size() - 1) * columns + column;
            case 2 -> row * columns + Math.min(column + 1, columns - 1);
            default -> Math.max(row - 1, 0) * columns + column;
        };
        char there = letter(map, next);
        return new TransitionOutcome(probability, next, there == 'G' ? 1 : 0, there == 'G' || there == 'H');
    }

    private static char letter(List<String> map, int state) {
        int columns = map.get(0).length();
        return map.get(state / columns).charAt(state % columns);
    }
}
