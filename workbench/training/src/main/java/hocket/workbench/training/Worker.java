package hocket.workbench.training;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The status of a worker of a multi-process run; unknown values are null.
 *
 * @param rank from 0 on
 * @param turns taken so far; null before its first
 * @param turnsPerSecond over the last seconds
 * @param lag turns behind the most advanced worker at the last request; null if it has not answered since
 * @param waits fraction of the last seconds spent waiting in exchanges, from 0 to 1
 * @param heard seconds since its last answer
 * @param isDone whether it has taken all its turns and left
 * @param trouble its problem, for people; null if there is none
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
    /** Returns the status of all workers of a run by rank, to any thread. */
    public interface All extends Supplier<List<Worker>> {}

    /** Returns a worker that has not answered yet. */
    public static Worker unheard(int rank) {
        return new Worker(rank, null, null, null, null, null, false, null);
    }
}
