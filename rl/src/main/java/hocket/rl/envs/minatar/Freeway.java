package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * A chicken that crosses eight lanes of cars: MinAtar's {@code Freeway}.
 *
 * <p>Channels: chicken, cars, and five of trails (the cell behind a car): the first of cars that move every second step,
 * the last of those that move every sixth. Minimal actions: none, up, down. The chicken moves at most every third step,
 * and a car throws it back to the start. Reward 1 for reaching the top row, where the chicken starts again and the cars
 * get new speeds. The episode terminates after 2501 steps.
 */
public final class Freeway extends MinAtarGame {
    private static final List<Channel> CHANNELS = List.of(
            new Channel('c', Canvas.AGENT),
            new Channel('H', Canvas.METAL),
            new Channel('1', new Color(0xb0b0bc)),
            new Channel('2', new Color(0xbcbcc6)),
            new Channel('3', new Color(0xc6c6cf)),
            new Channel('4', new Color(0xd0d0d8)),
            new Channel('5', new Color(0xdadae0)));
    private static final int LANES = 8;
    private static final int COLUMN = 4;
    private static final int SLOWEST = 5;
    private static final int MOVE_INTERVAL = 3;
    private static final int STEPS = 2501;

    private final int[] xs = new int[LANES];

    /** The steps until each car moves. */
    private final int[] timers = new int[LANES];

    /** The steps that each car waits between two moves; below 0 for a car that moves left. */
    private final int[] waits = new int[LANES];

    private int chicken;
    private int moveTimer;
    private int stepsLeft;

    public Freeway() {
        this(true, STICKY);
    }

    /**
     * @param minimal whether there are only the actions that the game uses
     * @param stickyProbability the probability of repeating the last action
     * @throws IllegalArgumentException if it is not in [0, 1]
     */
    public Freeway(boolean minimal, double stickyProbability) {
        super("Freeway", CHANNELS, minimal, stickyProbability, 0, UP, DOWN);
        Arrays.fill(waits, 1);
    }

    @Override
    protected void begin() {
        Arrays.fill(xs, 0);
        renewSpeeds();
        chicken = LAST;
        moveTimer = MOVE_INTERVAL;
        stepsLeft = STEPS;
    }

    private void renewSpeeds() {
        for (int lane = 0; lane < LANES; lane++) {
            timers[lane] = twister().integers(1, SLOWEST + 1);
        }
        for (int lane = 0; lane < LANES; lane++) {
            waits[lane] = twister().random() < 0.5 ? -timers[lane] : timers[lane];
        }
    }

    @Override
    int play(int action) {
        if (moveTimer == 0 && (action == UP || action == DOWN)) {
            chicken = onBoard(chicken + (action == UP ? -1 : 1));
            moveTimer = MOVE_INTERVAL;
        }
        int reward = 0;
        if (chicken == 0) {
            reward = 1;
            renewSpeeds();
            chicken = LAST;
        }
        for (int lane = 0; lane < LANES; lane++) {
            drive(lane);
        }
        moveTimer = Math.max(moveTimer - 1, 0);
        stepsLeft--;
        if (stepsLeft == 0) {
            end();
        }
        return reward;
    }

    /** Moves a car if it is its time; it hits the chicken where it was and where it arrives. */
    private void drive(int lane) {
        hit(lane);
        if (timers[lane] > 0) {
            timers[lane]--;
            return;
        }
        timers[lane] = Math.abs(waits[lane]);
        xs[lane] = Math.floorMod(xs[lane] + Integer.signum(waits[lane]), SIZE);
        hit(lane);
    }

    private void hit(int lane) {
        if (xs[lane] == COLUMN && chicken == lane + 1) {
            chicken = LAST;
        }
    }

    @Override
    public OptionalInt maxEpisodeSteps() {
        return OptionalInt.of(STEPS);
    }

    @Override
    void paint() {
        mark(0, COLUMN, chicken);
        for (int lane = 0; lane < LANES; lane++) {
            mark(1, xs[lane], lane + 1);
            int behind = Math.floorMod(xs[lane] - Integer.signum(waits[lane]), SIZE);
            mark(1 + Math.abs(waits[lane]), behind, lane + 1);
        }
    }

    @Override
    State saveGame() {
        return State.empty()
                .with("xs", tensor(xs))
                .with("timers", tensor(timers))
                .with("waits", tensor(waits))
                .with("chicken", chicken)
                .with("moveTimer", moveTimer)
                .with("stepsLeft", stepsLeft);
    }

    @Override
    void restoreGame(State state) {
        read(state, "xs", 0, LAST, xs);
        read(state, "timers", 0, SLOWEST, timers);
        read(state, "waits", -SLOWEST, SLOWEST, waits);
        chicken = whole(state, "chicken", 0, LAST);
        moveTimer = whole(state, "moveTimer", 0, MOVE_INTERVAL);
        stepsLeft = whole(state, "stepsLeft", 0, STEPS);
    }
}
