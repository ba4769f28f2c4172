package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Mt19937;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;

/**
 * A base class for the games of MinAtar (Young and Tian 2019, arXiv:1903.03176), equal to the Python package {@code
 * minatar} 1.0.15 step by step.
 *
 * <p>Observation: channels of 10×10 cells that are 0 or 1, channel first, then rows from the top: shape {@code [C, 10,
 * 10]}, where the package has {@code [10, 10, C]}. Actions: with all actions (environments named v0) 0 none, 1 left, 2
 * up, 3 right, 4 down, 5 fire; with minimal actions (v1) those of them that the game uses, in this order. With the
 * sticky probability the last action is taken again in place of the given one.
 *
 * <p>The package draws from NumPy's {@code RandomState}, whose seed is here the first number drawn from the generator of
 * a reset: {@code nextInt() & 0x7fffffff}. {@link #reset(long)} gives the seed itself. Further episodes continue with
 * its draws and with the last action.
 */
public abstract sealed class MinAtarGame extends EpisodicEnvironment
        permits Asterix, Breakout, Freeway, Seaquest, SpaceInvaders {
    /** The default probability of repeating the last action. */
    public static final double STICKY = 0.1;

    static final int SIZE = 10;
    static final int LAST = SIZE - 1;
    static final int LEFT = 1;
    static final int UP = 2;
    static final int RIGHT = 3;
    static final int DOWN = 4;
    static final int FIRE = 5;

    /** The largest count or timer of a saved state. */
    static final int LARGEST = 1 << 30;

    static final int FULL_ROW = (1 << SIZE) - 1;
    private static final int[] ALL_ACTIONS = {0, LEFT, UP, RIGHT, DOWN, FIRE};
    private static final Color EMPTY = new Color(0xe9e9ee);

    private final List<Channel> channels;
    private final int[] usedActions;
    private final double stickyProbability;
    private final int[] planes;
    private Mt19937 twister = Mt19937.of(0);
    private int lastAction;
    private boolean isOver;

    /** A channel of the observation, as a letter and a colour for people. */
    record Channel(char letter, Color color) {}

    /**
     * @param name MinAtar's name of the game
     * @param channels in the order of the observation; of several in a cell, people see the last
     * @param minimal whether the actions are the given ones
     * @param actions the actions that the game uses
     * @throws IllegalArgumentException if the probability is not in [0, 1]
     */
    MinAtarGame(String name, List<Channel> channels, boolean minimal, double stickyProbability, int... actions) {
        super(
                "MinAtar/" + name + (minimal ? "-v1" : "-v0"),
                space(channels.size()),
                new Discrete(minimal ? actions.length : ALL_ACTIONS.length));
        if (!(stickyProbability >= 0 && stickyProbability <= 1)) {
            throw new IllegalArgumentException(
                    name() + ": the sticky probability must be 0 to 1, was " + stickyProbability);
        }
        this.channels = channels;
        this.stickyProbability = stickyProbability;
        usedActions = minimal ? actions : ALL_ACTIONS;
        planes = new int[channels.size() * SIZE];
    }

    private static Box space(int channels) {
        float[] high = new float[channels * SIZE * SIZE];
        Arrays.fill(high, 1);
        return new Box(Shape.of(channels, SIZE, SIZE), new float[high.length], high).whole();
    }

    /**
     * Takes an action, one of {@link #LEFT} to {@link #FIRE} or 0, and returns the reward. Calls {@link #end} where the
     * episode ends; the step is completed all the same.
     */
    abstract int play(int action);

    /** Marks the cells of the observation by {@link #mark}. */
    abstract void paint();

    /** Saves the game's own state, without generator and last action. */
    abstract State saveGame();

    /**
     * Restores the game's own state. It may be half restored where this throws.
     *
     * @throws IllegalArgumentException if it is another kind of state
     */
    abstract void restoreGame(State state);

    /** Starts an episode as MinAtar does after {@code seed(seed)} and {@code reset()}. */
    public final void reset(long seed) {
        Mt19937 seeded = Mt19937.of(seed);
        reset(Pcg64.of(seed));
        twister = seeded;
        reset();
    }

    @Override
    protected final void seeded() {
        twister = Mt19937.of(random().nextInt() & Integer.MAX_VALUE);
        lastAction = 0;
    }

    @Override
    protected final void act(float[] action, int at) {
        boolean isRepeated = twister.random() < stickyProbability; // a draw even where the probability is 0
        lastAction = isRepeated ? lastAction : usedActions[(int) action[at]];
        isOver = false;
        int reward = play(lastAction);
        outcome(reward, isOver);
    }

    final Mt19937 twister() {
        return twister;
    }

    /** Ends the episode with the current step. */
    final void end() {
        isOver = true;
    }

    /** The nearest row or column of the board. */
    static int onBoard(int place) {
        return Math.min(Math.max(place, 0), LAST);
    }

    /** Marks a cell of a channel; one outside of the board is left out. */
    final void mark(int channel, int x, int y) {
        if (x >= 0 && x < SIZE) {
            planes[channel * SIZE + y] |= 1 << x;
        }
    }

    /** Marks the cells of a channel whose bits are set: bit x of row y. */
    final void mark(int channel, int[] rows) {
        System.arraycopy(rows, 0, planes, channel * SIZE, SIZE);
    }

    private void repaint() {
        Arrays.fill(planes, 0);
        paint();
    }

    @Override
    public final void observe(float[] into, int at) {
        repaint();
        Arrays.fill(into, at, at + planes.length * SIZE, 0);
        for (int row = 0; row < planes.length; row++) {
            for (int left = planes[row]; left != 0; left &= left - 1) {
                into[at + row * SIZE + Integer.numberOfTrailingZeros(left)] = 1;
            }
        }
    }

    /** Describes the board, a letter a cell. */
    @Override
    public final String text() {
        repaint();
        StringBuilder text = new StringBuilder();
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                int channel = last(x, y);
                text.append(channel < 0 ? '.' : channels.get(channel).letter());
            }
            text.append(y == LAST ? "" : "\n");
        }
        return text.toString();
    }

    @Override
    public final void draw(Graphics2D graphics, int width, int height) {
        repaint();
        Canvas canvas = Canvas.grid(graphics, width, height, SIZE, SIZE);
        for (int y = 0; y < SIZE; y++) {
            for (int x = 0; x < SIZE; x++) {
                int channel = last(x, y);
                canvas.cell(y, x, channel < 0 ? EMPTY : channels.get(channel).color());
            }
        }
    }

    /** The last channel of a cell, or -1. */
    private int last(int x, int y) {
        int channel = channels.size() - 1;
        while (channel >= 0 && (planes[channel * SIZE + y] >> x & 1) == 0) {
            channel--;
        }
        return channel;
    }

    @Override
    protected final State saveOwnState() {
        return State.empty()
                .with("game", saveGame())
                .with("lastAction", lastAction)
                .with("twister", twister.save());
    }

    @Override
    protected final void restoreOwnState(State state) {
        Mt19937 savedTwister = Mt19937.of(state.state("twister"));
        int savedAction = whole(state, "lastAction", 0, FIRE);
        State before = saveGame();
        try {
            restoreGame(state.state("game"));
        } catch (IllegalArgumentException e) {
            restoreGame(before);
            throw e;
        }
        twister = savedTwister;
        lastAction = savedAction;
    }

    /** Reads a whole number within bounds. */
    final int whole(State state, String item, int least, int most) {
        return within(item, state.whole(item), least, most);
    }

    /** Checks that a saved number is whole and within bounds. */
    final int within(String item, double value, int least, int most) {
        if (!(value >= least && value <= most && value == (int) value)) {
            throw new IllegalArgumentException(name() + ": the saved " + item + " must be whole numbers of " + least
                    + " to " + most + ", has " + value);
        }
        return (int) value;
    }

    /** Returns numbers as a tensor of one axis. */
    static Tensor tensor(int... numbers) {
        return Tensor.of(
                Shape.of(numbers.length), Arrays.stream(numbers).asLongStream().toArray());
    }

    /** Fills an array with saved whole numbers within bounds. */
    final void read(State state, String item, int least, int most, int[] into) {
        double[] saved = StateArrays.read(state, item, into.length);
        for (int i = 0; i < into.length; i++) {
            into[i] = within(item, saved[i], least, most);
        }
    }

    /** Fills the rows of a board with saved ones. */
    final void readRows(State state, String item, int[] rows) {
        read(state, item, 0, FULL_ROW, rows);
    }
}
