package hocket.rl.envs;

import hocket.schedulers.Stateful;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Copies of an environment that step together. Their numbers lie behind each other in flat arrays, which stay the same
 * for good and are written by each {@link #reset} and {@link #step}: environment i's observation is at
 * {@code i * observationSpace().width()}, its action at {@code i * actionSpace().width()}.
 */
public interface VectorEnvironment extends Stateful {
    /**
     * Copies that step one after the other.
     *
     * @throws IllegalArgumentException if it is none, or their spaces differ
     */
    static VectorEnvironment of(Supplier<? extends Environment> environment, int count, Autoreset autoreset) {
        return new InTurn(
                Stream.generate(environment).limit(Math.max(0, count)).toArray(Environment[]::new), autoreset);
    }

    /** How many environments. */
    int size();

    /** One of them. Stepping it by hand puts the vector out of step. */
    Environment environment(int index);

    /** When it begins the next episode of an environment whose episode has ended. */
    Autoreset autoreset();

    /** What one of them observes. */
    Space observationSpace();

    /** What may be done in one of them. */
    Space actionSpace();

    /** What is observed now. */
    float[] observations();

    /** What the next step does; to be filled by the caller. */
    float[] actions();

    /** The rewards of the last step. */
    double[] rewards();

    /** Whose episode the last step ended by its own rules. */
    boolean[] terminated();

    /** Whose episode the last step ended from outside. */
    boolean[] truncated();

    /** Whose observation is the first of an episode. */
    boolean[] began();

    /** The last observations of episodes; valid where the last step ended one. */
    float[] finalObservations();

    /**
     * Begins an episode in each. Environment 0 has the generator of the seed, as Gymnasium's {@code reset(seed=seed)};
     * environment i has that of NumPy's {@code SeedSequence(seed, spawn_key=(2, i))}, and not of {@code seed + i} as
     * Gymnasium's vectors: no two environments of any seeds share a generator.
     *
     * @throws IllegalArgumentException if the seed is below 0
     */
    void reset(long seed);

    /**
     * Begins an episode in each, going on with their generators.
     *
     * @throws IllegalStateException if they never had any
     */
    void reset();

    /**
     * Begins an episode in those that are marked, going on with their generators.
     *
     * @throws IllegalArgumentException if there are not as many marks as environments
     */
    void reset(boolean[] which);

    /**
     * One step in each by {@link #actions}.
     *
     * @throws IllegalArgumentException if an action is not one; none of a discrete space has been done then
     * @throws IllegalStateException if an episode has ended and nothing has begun the next
     */
    void step();

    /** Tells of each episode that ends from now on; who listens is not saved. */
    void listen(Episodes listener);
}
