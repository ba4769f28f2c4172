package hocket.workbench.live.views;

import hocket.workbench.files.json.Unwrapped;
import hocket.workbench.training.Worker;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message to all who watch a run: the changes since the last message. In JSON its parts are flattened.
 *
 * @param kind {@code tick}
 * @param tick counts them
 * @param turn the turn that was taken last; null before the first
 */
public record Tick(
        String kind,
        long tick,
        @Unwrapped RunFacts.Progress progress,
        String status,
        @Nullable String turn,
        @Unwrapped Figures figures,
        @Unwrapped Pictures pictures,
        List<String> log,
        List<JournalEntry> journal,
        @Unwrapped Changes changes) {
    /**
     * The metrics of the run.
     *
     * @param counts number of times that each turn was taken
     * @param last metrics of the last turn of each name, such as {@code d/loss}
     * @param series new points, each with step, value and time
     */
    public record Figures(Map<String, Long> counts, Map<String, Double> last, Map<String, List<double[]>> series) {}

    /**
     * New pictures; null if there are none.
     *
     * @param samples name of one that is kept
     * @param film name of an episode's film
     */
    public record Pictures(
            @Nullable String samples,
            @Nullable Drawn drawn,
            @Nullable String film) {}

    /**
     * The newest picture of its samples.
     *
     * @param name {@code latest} for a preview that is not kept
     */
    public record Drawn(String name, long step) {}

    /** Values that have changed; null for those that have not. */
    public record Changes(
            @Nullable SortedMap<String, Double> settings,
            @Nullable String plan,
            @Nullable Long checkpoint,
            @Nullable List<Worker> workers) {}

    /** The first message. */
    public record Hello(String kind, RunFacts run) {
        public Hello(RunFacts run) {
            this("hello", run);
        }
    }

    /** The last message. */
    public record End(String kind, String status, String message) {
        public End(String status, String message) {
            this("end", status, message);
        }
    }
}
