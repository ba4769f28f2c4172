package hocket.rl.envs.games;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.StateArrays;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import java.awt.Color;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Pursuers catch evaders that move at random on a square board (after Gupta et al. 2017, "Cooperative multi-agent control using
 * deep reinforcement learning"): an evader is caught and leaves when two pursuers stand on its cell or next to it. All pursuers
 * act at once. It terminates when all are caught, and is truncated after a number of steps.
 *
 * <p>An observation is (range, range, 3) around the pursuer: 1 outside of the board, the numbers of other pursuers and of evaders.
 * Actions: left, right, up, down, stay. Rewards are those of PettingZoo's pursuit: 5 to each catcher, 0.01 for each evader next to
 * or under the pursuer, -0.1 a step; where they are shared, each pursuer gets the mean of all.
 */
public final class Pursuit implements MultiAgentEnvironment {
    private static final int[] DOWN = {0, 0, -1, 1, 0};
    private static final int[] RIGHT = {-1, 1, 0, 0, 0};
    private static final int CATCHERS = 2;
    private static final int GONE = -1;

    private final int size;
    private final int range;
    private final int limit;
    private final boolean shared;
    private final int pursuerCount;
    /** The cells of the pursuers, then of the evaders, {@link #GONE} of those that are caught. */
    private final int[] cells;

    private final double[] rewards;
    private final double[] gains;
    private final Space observations;
    private final Discrete actions = new Discrete(DOWN.length);
    private int steps;
    private boolean running;

    /**
     * @param size rows and columns of the board
     * @param range rows and columns of an observation, odd
     * @param limit the steps after which an episode is truncated
     * @param shared whether all pursuers share all rewards
     * @throws IllegalArgumentException if a number is too small, or the range is even
     */
    public Pursuit(int size, int pursuers, int evaders, int range, int limit, boolean shared) {
        if (size < 2 || pursuers < CATCHERS || evaders < 1 || limit < 1 || range < 1 || range % 2 == 0) {
            throw new IllegalArgumentException(
                    "Pursuit-v0: size and pursuers must be at least 2, evaders and max_cycles at"
                            + " least 1, obs_range odd, were " + size + ", " + pursuers + ", " + evaders + ", " + limit
                            + " and "
                            + range);
        }
        this.size = size;
        this.range = range;
        this.limit = limit;
        this.shared = shared;
        pursuerCount = pursuers;
        cells = new int[pursuers + evaders];
        rewards = new double[pursuers];
        gains = new double[pursuers];
        float[] high = new float[3 * range * range];
        for (int i = 0; i < high.length; i++) {
            high[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? pursuers : evaders;
        }
        observations = new Box(Shape.of(range, range, 3), new float[high.length], high);
    }

    @Override
    public String name() {
        return "Pursuit-v0";
    }

    @Override
    public List<String> agents() {
        return IntStream.range(0, pursuerCount).mapToObj(i -> "pursuer_" + i).toList();
    }

    @Override
    public Space observations(int agent) {
        return observations;
    }

    @Override
    public Space actions(int agent) {
        return actions;
    }

    @Override
    public void reset(Pcg64 random) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] = random.choice(size * size);
        }
        Arrays.fill(rewards, 0);
        steps = 0;
        running = true;
    }

    @Override
    public boolean acts(int agent) {
        return running;
    }

    @Override
    public void step(float[][] chosen, Pcg64 random) {
        if (!running) {
            throw new IllegalStateException(name() + ": a step must follow a reset");
        }
        for (int i = 0; i < pursuerCount; i++) {
            if (!actions.contains(chosen[i], 0)) {
                throw new IllegalArgumentException(
                        name() + ": an action must be of " + actions + ", was " + actions.text(chosen[i], 0));
            }
        }
        for (int i = 0; i < cells.length; i++) {
            if (cells[i] != GONE) {
                cells[i] = moved(cells[i], i < pursuerCount ? (int) chosen[i][0] : random.choice(DOWN.length));
            }
        }
        Arrays.fill(gains, -0.1);
        for (int i = pursuerCount; i < cells.length; i++) {
            pursue(i);
        }
        double sum = 0;
        for (double gain : gains) {
            sum += gain;
        }
        for (int i = 0; i < pursuerCount; i++) {
            rewards[i] = shared ? sum / pursuerCount : gains[i];
        }
        steps++;
        running = !terminated() && steps < limit;
    }

    /** Returns the cell that a move leads to; a move off the board stays. */
    private int moved(int cell, int move) {
        int row = cell / size + DOWN[move];
        int column = cell % size + RIGHT[move];
        return row < 0 || row >= size || column < 0 || column >= size ? cell : row * size + column;
    }

    private void pursue(int evader) {
        int near = 0;
        for (int i = 0; i < pursuerCount; i++) {
            near += isNear(i, evader) ? 1 : 0;
        }
        for (int i = 0; i < pursuerCount && near > 0; i++) {
            if (isNear(i, evader)) {
                gains[i] += near >= CATCHERS ? 5.01 : 0.01;
            }
        }
        if (near >= CATCHERS) {
            cells[evader] = GONE;
        }
    }

    private boolean isNear(int pursuer, int evader) {
        int one = cells[pursuer];
        int other = cells[evader];
        return other != GONE && Math.abs(one / size - other / size) + Math.abs(one % size - other % size) <= 1;
    }

    @Override
    public void observe(int agent, float[] into, int at) {
        int half = range / 2;
        int top = cells[agent] / size - half;
        int left = cells[agent] % size - half;
        for (int i = 0; i < range * range; i++) {
            int row = top + i / range;
            int column = left + i % range;
            into[at + 3 * i] = row < 0 || row >= size || column < 0 || column >= size ? 1 : 0;
            into[at + 3 * i + 1] = 0;
            into[at + 3 * i + 2] = 0;
        }
        for (int i = 0; i < cells.length; i++) {
            int row = cells[i] / size - top;
            int column = cells[i] % size - left;
            if (i != agent && cells[i] != GONE && row >= 0 && row < range && column >= 0 && column < range) {
                into[at + 3 * (row * range + column) + (i < pursuerCount ? 1 : 2)]++;
            }
        }
    }

    @Override
    public double reward(int agent) {
        return rewards[agent];
    }

    @Override
    public boolean terminated() {
        for (int i = pursuerCount; i < cells.length; i++) {
            if (cells[i] != GONE) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean truncated() {
        return steps >= limit && !terminated();
    }

    @Override
    public String text() {
        char[] board = ".".repeat(size * size).toCharArray();
        for (int i = cells.length - 1; i >= 0; i--) {
            if (cells[i] != GONE) {
                board[cells[i]] = i < pursuerCount ? (char) ('0' + i % 10) : 'e';
            }
        }
        return Stream.iterate(0, row -> row + 1)
                        .limit(size)
                        .map(row -> new String(board, row * size, size) + "\n")
                        .reduce("", String::concat)
                + "step " + steps;
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        Canvas canvas = Canvas.grid(graphics, width, height, size, size);
        for (int cell = 0; cell < size * size; cell++) {
            canvas.cell(cell / size, cell % size, (cell / size + cell) % 2 == 0 ? Color.WHITE : new Color(0xf0f0f0));
        }
        for (int i = cells.length - 1; i >= 0; i--) {
            if (cells[i] != GONE) {
                canvas.mark(cells[i] / size, cells[i] % size, 0.36, i < pursuerCount ? Canvas.AGENT : Canvas.METAL);
            }
        }
    }

    @Override
    public State save() {
        return State.empty()
                .with(
                        "cells",
                        StateArrays.tensor(Arrays.stream(cells).asDoubleStream().toArray()))
                .with("rewards", StateArrays.tensor(rewards))
                .with("steps", steps)
                .with("running", running ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        double[] savedCells = StateArrays.read(state, "cells", cells.length);
        double[] savedRewards = StateArrays.read(state, "rewards", rewards.length);
        int savedSteps = (int) state.whole("steps");
        running = state.whole("running") == 1;
        Arrays.setAll(cells, i -> (int) savedCells[i]);
        System.arraycopy(savedRewards, 0, rewards, 0, rewards.length);
        steps = savedSteps;
    }
}
