package hocket.rl.envs;

import hocket.rl.spaces.Space;
import hocket.schedulers.state.Stateful;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A vector of environments that step together. Flat arrays hold the numbers of all environments one after the other:
 * environment i's observation begins at {@code i * observationSpace().width()}, its action at {@code i *
 * actionSpace().width()}. The arrays stay the same, and each {@link #reset} and {@link #step} writes them.
 */
public interface VectorEnvironment extends Stateful {
    /**
     * Makes a vector of environments that step one after the other.
     *
     * @throws IllegalArgumentException if count is below 1, or the spaces of two environments differ
     */
    static VectorEnvironment of(Supplier<? extends Environment> environment, int count, Autoreset autoreset) {
        return new SyncVectorEnvironment(
                Stream.generate(environment).limit(Math.max(0, count)).toArray(Environment[]::new), autoreset);
    }

    /** The number of environments. */
    int size();

    /** Returns one of the environments. Do not step it: the vector's arrays would no longer agree with it. */
    Environment environment(int index);

    /** Returns the time at which environments are reset after the end of an episode. */
    Autoreset autoreset();

    /** The observation space of one environment. */
    Space observationSpace();

    /** The action space of one environment. */
    Space actionSpace();

    /** The current observations. */
    float[] observations();

    /** The actions of the next step, which the caller fills. */
    float[] actions();

    /** Which actions the next step may take, one {@link Environment#mask} after the other; empty if none is ever forbidden. */
    float[] masks();

    /** The rewards of the last step. */
    double[] rewards();

    /** Returns, for each environment, whether the last step terminated its episode. */
    boolean[] terminated();

    /** Returns, for each environment, whether the last step truncated its episode. */
    boolean[] truncated();

    /** Returns, for each environment, whether its observation is the first of an episode. */
    boolean[] episodeStarts();

    /** The last observations of episodes; valid where the last step ended one. */
    float[] finalObservations();

    /** The {@link #masks} at the last observations of episodes; valid where the last step truncated one. */
    float[] finalMasks();

    /**
     * Starts an episode in each environment. Environment 0 has the generator of the seed, as Gymnasium's {@code
     * reset(seed=seed)}; environment i has that of NumPy's {@code SeedSequence(seed, spawn_key=(2, i))}, and not of
     * {@code seed + i} as Gymnasium's vectors: no two environments of any seeds share a generator.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    void reset(long seed);

    /**
     * Starts an episode in each environment with its present generator.
     *
     * @throws IllegalStateException if no reset has given generators
     */
    void reset();

    /**
     * Starts an episode in the marked environments with their present generators.
     *
     * @throws IllegalArgumentException if there are not as many marks as environments
     */
    void reset(boolean[] which);

    /**
     * Takes one step in each environment by {@link #actions}.
     *
     * @throws IllegalArgumentException if an action is invalid; in a discrete space no environment has stepped then
     * @throws IllegalStateException if an episode has ended and was not reset
     */
    void step();

    /** Adds a listener for episodes that end from now on; listeners are not saved. */
    void listen(EpisodeListener listener);
}
