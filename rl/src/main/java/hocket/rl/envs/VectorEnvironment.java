package hocket.rl.envs;

import hocket.rl.random.SeedSequence;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.Stateful;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A vector of environments that step together. {@link #arrays} have the numbers of all environments one after the other; they
 * stay the same, and each {@link #reset} and {@link #step} writes them.
 */
public interface VectorEnvironment extends Stateful {
    /**
     * Makes a vector of environments that step one after the other.
     *
     * @throws IllegalArgumentException if count is below 1, or the spaces of two environments differ
     */
    static VectorEnvironment of(Supplier<? extends Environment> environment, int count, Autoreset autoreset) {
        List<Environment> made = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                made.add(environment.get());
            }
            return new SyncVectorEnvironment(made.toArray(Environment[]::new), autoreset);
        } catch (RuntimeException | Error e) {
            made.forEach(EnvironmentChecks::close);
            throw e;
        }
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

    /** The arrays of all environments. */
    VectorArrays arrays();

    /** Returns {@link VectorArrays#observations} of {@link #arrays}. */
    default float[] observations() {
        return arrays().observations();
    }

    /** Returns {@link VectorArrays#actions} of {@link #arrays}. */
    default float[] actions() {
        return arrays().actions();
    }

    /** Returns {@link VectorArrays#masks} of {@link #arrays}. */
    default float[] masks() {
        return arrays().masks();
    }

    /** Returns {@link VectorArrays#rewards} of {@link #arrays}. */
    default double[] rewards() {
        return arrays().rewards();
    }

    /** Returns {@link VectorArrays#terminated} of {@link #arrays}. */
    default boolean[] terminated() {
        return arrays().terminated();
    }

    /** Returns {@link VectorArrays#truncated} of {@link #arrays}. */
    default boolean[] truncated() {
        return arrays().truncated();
    }

    /** Returns {@link VectorArrays#episodeStarts} of {@link #arrays}. */
    default boolean[] episodeStarts() {
        return arrays().episodeStarts();
    }

    /** Returns {@link VectorArrays#finalObservations} of {@link #arrays}. */
    default float[] finalObservations() {
        return arrays().finalObservations();
    }

    /** Returns {@link VectorArrays#finalMasks} of {@link #arrays}. */
    default float[] finalMasks() {
        return arrays().finalMasks();
    }

    /**
     * Returns the seed of the i-th environment of a vector that is reset by a seed. Environment 0 has the seed itself, as Gymnasium's
     * {@code reset(seed=seed)}; environment i has NumPy's {@code SeedSequence(seed, spawn_key=(2, i))}, and not {@code seed + i}
     * as in Gymnasium's vectors: no two environments of any seeds share a generator.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    static SeedSequence seed(long seed, int i) {
        SeedSequence first = SeedSequence.of(seed);
        return i == 0 ? first : first.child(2).child(i); // other keys seed actions, replays and evaluations
    }

    /**
     * Starts an episode in each environment with the generator of its {@link #seed}.
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

    /** Closes the environments. An exception of their class is logged. */
    default void close() {
        for (int i = 0; i < size(); i++) {
            EnvironmentChecks.close(environment(i));
        }
    }
}
