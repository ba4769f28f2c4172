package hocket.rl.sampling;

import hocket.schedulers.settings.Keyed;

/**
 * Which rows of a replay buffer are drawn. In a file: {@code sampler: uniform}, {@code sampler: {prioritised: {alpha:
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

    /** Returns whether rows have weights in a loss, and priorities that follow their errors. */
    default boolean isWeighted() {
        return false;
    }

    /** {@link UniformSampler}. */
    static Sampler uniform() {
        return new UniformSampler();
    }
}
