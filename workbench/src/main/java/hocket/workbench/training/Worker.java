package hocket.workbench.training;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a worker of a run of several processes is; what is not known is null.
 *
 * @param rank from 0 on
 * @param turns taken so far; null before its first
 * @param turnsPerSecond over the last seconds
 * @param lag turns that it is behind the worker that is ahead, when all were asked; null of one that has not answered since
 * @param waits which part of the last seconds it was in exchanges, from 0 to 1: it waited for others, and for sums on their way
 * @param heard seconds since it answered
 * @param isDone whether it has taken all its turns, and left
 * @param trouble what is wrong with it, for people; null where nothing is
 */
public record Worker(
        int rank,
        @Nullable Long turns,
        @Nullable Double turnsPerSecond,
        @Nullable Long lag,
        @Nullable Double waits,
        @Nullable Long heard,
        boolean isDone,
        @Nullable String trouble) {
    /** Returns the state of all workers of a run, by their ranks, to any thread. */
    public interface All extends Supplier<List<Worker>> {}

    /** One that has not been heard of. */
    public static Worker unheard(int rank) {
        return new Worker(rank, null, null, null, null, null, false, null);
    }
}
