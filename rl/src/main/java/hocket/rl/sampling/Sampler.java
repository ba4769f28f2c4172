package hocket.rl.sampling;

import hocket.schedulers.settings.Keyed;

/**
 * A sampler chooses the rows of a replay buffer that are drawn. In a file: {@code sampler: uniform}, {@code sampler: {prioritised: {alpha:
 * 0.6}}} or {@code sampler: {class: my.Sampler, …}}.
 */
@Keyed
public interface Sampler {
    /**
     * Makes the draws of an empty buffer.
     *
     * @param capacity rows that it holds at most
     * @throws IllegalArgumentException if there are too many
     */
    Sampling of(int capacity);

    /**
     * Returns whether rows have priorities that follow their errors, and weights in a loss: only then the buffer has a
     * column {@code weight}, and {@link Sampling#learnt} is called. The default is false.
     */
    default boolean isPrioritised() {
        return false;
    }

    /** {@link UniformSampler}. */
    static Sampler uniform() {
        return new UniformSampler();
    }

    /** {@link PrioritisedSampler} by its default settings. */
    static Sampler prioritised() {
        return PrioritisedSampler.usual();
    }
}
