package hocket.rl.envs.gymnasium;

import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/** The seed and the actions of an episode, from which Python plays it again. */
final class EpisodeLog {
    /** The steps that are played again before Python must answer. */
    private static final int AT_ONCE = 16;

    private final int width;
    private long seed;
    private float[] actions = new float[0];
    private int steps;

    /** @param width numbers of an action */
    EpisodeLog(int width) {
        this.width = width;
    }

    long seed() {
        return seed;
    }

    int steps() {
        return steps;
    }

    /** Begins the log of an episode. */
    void begin(long seed) {
        this.seed = seed;
        steps = 0;
    }

    void add(float[] action, int at) {
        if (actions.length < (steps + 1) * width) {
            actions = Arrays.copyOf(actions, 2 * (steps + 1) * width);
        }
        System.arraycopy(action, at, actions, steps * width, width);
        steps++;
    }

    void dropLast() {
        steps--;
    }

    /** Returns whether an action is the same as the last one. */
    boolean isLast(float[] action, int at) {
        return Arrays.equals(actions, (steps - 1) * width, steps * width, action, at, at + width);
    }

    /**
     * Has Python play the episode so far.
     *
     * @param number of the environment in that process
     * @param outcome receives the outcome of the last step, or of the reset
     */
    void replay(PythonWorker to, int number, Outcome outcome) {
        to.request('R', number).with(seed);
        to.ask();
        outcome.receive(to);
        for (int done = 0; done < steps; done += AT_ONCE) {
            int more = Math.min(AT_ONCE, steps - done);
            to.request('A', number).with(more).with(actions, done * width, more * width);
            to.ask();
            outcome.receive(to);
        }
    }

    State save(State into) {
        State state = into.with("seed", seed);
        return steps == 0
                ? state
                : state.with("actions", Tensor.of(Shape.of(steps, width), Arrays.copyOf(actions, steps * width)));
    }

    /**
     * Reads a saved log.
     *
     * @param name of the environment, for the message
     */
    void restore(State state, String name) {
        float[] taken = state.has("actions") ? state.tensor("actions").floats() : new float[0];
        if (taken.length % width != 0) {
            throw new IllegalArgumentException(name + ": the saved actions must have " + width + " numbers each, are "
                    + taken.length + " numbers");
        }
        seed = state.whole("seed");
        steps = taken.length / width;
        actions = taken;
    }
}
