package hocket.rl.envs.gymnasium;

import hocket.rl.envs.StateArrays;
import hocket.schedulers.state.State;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The outcome of a reset or a step in Python: observation, mask of the next actions, reward and end. */
final class Outcome {
    private static final int TERMINATED = 1;
    private static final int TRUNCATED = 2;

    private final float[] observation;
    private final float[] mask;
    private double reward;
    private int ended;

    /**
     * @param width numbers of an observation
     * @param maskWidth numbers of a mask; 0 where all actions are allowed
     */
    Outcome(int width, int maskWidth) {
        observation = new float[width];
        mask = new float[maskWidth];
    }

    /** Reads an outcome from an answer. */
    void receive(PythonWorker from) {
        ByteBuffer read = from.bytes(observation.length * Float.BYTES + Double.BYTES + 1 + mask.length);
        for (int i = 0; i < observation.length; i++) {
            observation[i] = read.getFloat();
        }
        reward = read.getDouble();
        ended = read.get();
        for (int i = 0; i < mask.length; i++) {
            mask[i] = read.get();
        }
    }

    /** Makes this the outcome of a step that was lost: the episode is truncated at the same observation, without a reward. */
    void truncate() {
        ended = TRUNCATED;
        reward = 0;
    }

    void observe(float[] into, int at) {
        System.arraycopy(observation, 0, into, at, observation.length);
    }

    boolean masks() {
        return mask.length > 0;
    }

    void mask(float[] into, int at) {
        System.arraycopy(mask, 0, into, at, mask.length);
    }

    double reward() {
        return reward;
    }

    boolean hasEnded() {
        return ended != 0;
    }

    boolean terminated() {
        return (ended & TERMINATED) != 0;
    }

    boolean truncated() {
        return (ended & TRUNCATED) != 0;
    }

    boolean isSame(Outcome other) {
        return Arrays.equals(observation, other.observation)
                && Arrays.equals(mask, other.mask)
                && ended == other.ended
                && reward == other.reward;
    }

    State save(State into) {
        State state =
                into.with("ended", ended).with("reward", reward).with("observation", StateArrays.tensor(observation));
        return masks() ? state.with("mask", StateArrays.tensor(mask)) : state;
    }

    /** Reads a saved outcome. */
    void restore(State state) {
        double[] seen = StateArrays.read(state, "observation", observation.length);
        double[] allowed = masks() ? StateArrays.read(state, "mask", mask.length) : new double[0];
        int wasEnded = Math.toIntExact(state.whole("ended"));
        reward = state.real("reward");
        ended = wasEnded;
        for (int i = 0; i < seen.length; i++) {
            observation[i] = (float) seen[i];
        }
        for (int i = 0; i < allowed.length; i++) {
            mask[i] = (float) allowed[i];
        }
    }
}
