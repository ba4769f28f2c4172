package hocket.rl.envs.tabular;

import hocket.rl.envs.Canvas;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.List;

/**
 * The task of a taxi that picks up a passenger and drops it off at its destination (Dietterich 2000): Gymnasium's
 * {@code Taxi-v4}.
 *
 * <p>5 rows of 5 with walls, stands R, G, Y, B; a state is {@code ((row * 5 + column) * 5 + passenger) * 4 +
 * destination}, the passenger at a stand 0 to 3 or in the taxi, 4. Actions: 0 south, 1 north, 2 east, 3 west, 4 pick
 * up, 5 drop off. Reward -1 a step, 20 for the passenger at its destination, where the episode terminates, and -10 for
 * an illegal pick-up or drop-off. It masks its actions.
 *
 * <p>In rain a possible move slips to its left or right, each with half of the remaining probability. A fickle
 * passenger, decided at the start of an episode, changes its destination once after the first move.
 */
public final class Taxi extends TabularEnvironment {
    static final List<String> MAP = List.of("R: | : :G", " : | : : ", " : : : : ", " | : | : ", "Y| : |B: ");
    static final int[] STANDS = {0, 4, 20, 23};
    private static final String NAMES = "RGYB";
    private static final List<Color> COLORS =
            List.of(new Color(0xe58b84), new Color(0x9bd08b), new Color(0xf3e58a), new Color(0x8fb0e8));
    private static final int ABOARD = 4;

    private final boolean fickle;
    private final double fickleProbability;
    private boolean wavers;

    public Taxi() {
        this(false, false);
    }

    /** With Gymnasium's probabilities: 0.8 of going straight in rain, 0.3 of a changed destination. */
    public Taxi(boolean rainy, boolean fickle) {
        this(rainy, fickle, 0.8, 0.3);
    }

    /**
     * @param rainyProbability the probability that a move goes straight in rain
     * @param fickleProbability the probability that a fickle passenger changes its destination
     * @throws IllegalArgumentException if they are not in [0, 1]
     */
    public Taxi(boolean rainy, boolean fickle, double rainyProbability, double fickleProbability) {
        super(
                "Taxi-v4",
                new TransitionTable(
                        starts(), 6, (state, action) -> outcomes(rainy ? rainyProbability : 1, rainy, state, action)));
        for (double chance : new double[] {rainyProbability, fickleProbability}) {
            if (!(chance >= 0 && chance <= 1)) {
                throw new IllegalArgumentException("Taxi-v4: a probability must be 0 to 1, was " + chance);
            }
        }
        this.fickle = fickle;
        this.fickleProbability = fickleProbability;
    }

    /** Describes the map with the taxi in brackets, and below it the passenger's place and destination. */
    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 5; row++) {
            for (int column = 0; column < 5; column++) {
                boolean here = place(state()) == row * 5 + column;
                text.append(here ? '[' : ' ')
                        .append(MAP.get(row).charAt(2 * column))
                        .append(here ? ']' : ' ');
                text.append(column == 4 ? "\n" : MAP.get(row).charAt(2 * column + 1) == '|' ? "|" : " ");
            }
        }
        int passenger = passenger(state());
        return text + "passenger " + (passenger == ABOARD ? "aboard" : "at " + NAMES.charAt(passenger)) + ", to "
                + NAMES.charAt(destination(state()));
    }

    /** Draws the passenger as a small disc and a ring around its destination. */
    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = Canvas.grid(graphics, width, height, 5, 5);
        for (int place = 0; place < 25; place++) {
            int stand = stand(place);
            canvas.cell(place / 5, place % 5, stand < 0 ? new Color(0xe4e4e4) : COLORS.get(stand));
        }
        for (int place = 0; place < 25; place++) {
            if (place % 5 < 4 && moved(place, 2) == place) {
                int x = place % 5 + 1;
                canvas.line(x, -(place / 5) - 0.03, x, -(place / 5) - 0.97, 0.06, Canvas.INK);
            }
        }
        int wanted = STANDS[destination(state())];
        canvas.mark(wanted / 5, wanted % 5, 0.46, Canvas.INK);
        canvas.mark(wanted / 5, wanted % 5, 0.40, COLORS.get(destination(state())));
        int row = place(state()) / 5;
        int column = place(state()) % 5;
        canvas.box(column + 0.2, -row - 0.75, column + 0.8, -row - 0.25, Canvas.GOAL);
        canvas.line(column + 0.2, -row - 0.5, column + 0.8, -row - 0.5, 0.04, Canvas.INK);
        int passenger = passenger(state());
        int at = passenger == ABOARD ? place(state()) : STANDS[passenger];
        canvas.mark(at / 5, at % 5, 0.13, Canvas.INK);
    }

    private static double[] starts() {
        double[] starts = new double[500];
        for (int state = 0; state < starts.length; state++) {
            boolean waits = passenger(state) != ABOARD && passenger(state) != destination(state);
            starts[state] = waits ? 1.0 / 300 : 0;
        }
        return starts;
    }

    static int place(int state) {
        return state / 20;
    }

    static int passenger(int state) {
        return state / 4 % 5;
    }

    static int destination(int state) {
        return state % 4;
    }

    private static int state(int place, int passenger, int destination) {
        return (place * 5 + passenger) * 4 + destination;
    }

    private static List<TransitionOutcome> outcomes(double straight, boolean rainy, int state, int action) {
        int place = place(state);
        int passenger = passenger(state);
        int destination = destination(state);
        if (action == 4) {
            boolean here = passenger != ABOARD && place == STANDS[passenger];
            return List.of(
                    new TransitionOutcome(1, here ? state(place, ABOARD, destination) : state, here ? -1 : -10, false));
        }
        if (action == 5) {
            int stand = stand(place);
            if (passenger != ABOARD || stand < 0) {
                return List.of(new TransitionOutcome(1, state, -10, false));
            }
            boolean there = stand == destination;
            return List.of(new TransitionOutcome(1, state(place, stand, destination), there ? 20 : -1, there));
        }
        int ahead = moved(place, action);
        if (!rainy) {
            return List.of(new TransitionOutcome(1, state(ahead, passenger, destination), -1, false));
        }
        boolean blocked = ahead == place;
        int left = blocked ? place : moved(place, LEFT_OF[action]);
        int right = blocked ? place : moved(place, RIGHT_OF[action]);
        double astray = (1.0 - straight) / 2.0;
        return List.of(
                new TransitionOutcome(straight, state(ahead, passenger, destination), -1, false),
                new TransitionOutcome(astray, state(left, passenger, destination), -1, false),
                new TransitionOutcome(astray, state(right, passenger, destination), -1, false));
    }

    private static final int[] LEFT_OF = {2, 3, 1, 0};
    private static final int[] RIGHT_OF = {3, 2, 0, 1};

    private static int moved(int place, int action) {
        int row = place / 5;
        int column = place % 5;
        return switch (action) {
            case 0 -> Math.min(row + 1, 4) * 5 + column;
            case 1 -> Math.max(row - 1, 0) * 5 + column;
            case 2 -> column < 4 && MAP.get(row).charAt(2 * column + 1) == ':' ? place + 1 : place;
            default -> column > 0 && MAP.get(row).charAt(2 * column - 1) == ':' ? place - 1 : place;
        };
    }

    private static int stand(int place) {
        for (int i = 0; i < STANDS.length; i++) {
            if (STANDS[i] == place) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public boolean masks() {
        return true;
    }

    /** {@inheritDoc} It forbids moves against a wall, and a pick-up or drop-off that is illegal, as Gymnasium's does. */
    @Override
    public void mask(float[] into, int at) {
        int place = place(state());
        int passenger = passenger(state());
        for (int move = 0; move < 4; move++) {
            into[at + move] = moved(place, move) == place ? 0 : 1;
        }
        into[at + 4] = passenger != ABOARD && place == STANDS[passenger] ? 1 : 0;
        into[at + 5] = passenger == ABOARD && stand(place) >= 0 ? 1 : 0;
    }

    @Override
    protected void begin() {
        super.begin();
        wavers = fickle && random().random() < fickleProbability;
    }

    @Override
    int successor(int from, int to) {
        if (!wavers || passenger(from) != ABOARD || place(from) == place(to)) {
            return to;
        }
        wavers = false;
        int other = random().choice(STANDS.length - 1);
        int wanted = other < destination(from) ? other : other + 1;
        return state(place(to), passenger(to), wanted);
    }

    @Override
    protected State saveOwnState() {
        return super.saveOwnState().with("wavers", wavers ? 1 : 0);
    }

    @Override
    protected void restoreOwnState(State saved) {
        boolean savedWavers = saved.whole("wavers") != 0;
        super.restoreOwnState(saved);
        wavers = savedWavers;
    }
}
