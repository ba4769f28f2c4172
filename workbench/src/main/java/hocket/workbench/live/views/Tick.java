package hocket.workbench.live.views;

import hocket.workbench.json.Unwrapped;
import hocket.workbench.training.Worker;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message to all who watch a run: what happened since the last. In JSON its parts are not to be seen.
 *
 * @param kind {@code tick}
 * @param tick counts them
 * @param turn that was taken last; null before the first
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
     * Its metrics.
     *
     * @param counts how often each turn was taken
     * @param last of each turn's last, such as {@code d/loss}
     * @param series new points, each of step, value and time
     */
    record Figures(Map<String, Long> counts, Map<String, Double> last, Map<String, List<double[]>> series) {}

    /**
     * New pictures; null where there is none.
     *
     * @param samples one that is kept
     * @param film of an episode
     */
    record Pictures(
            @Nullable String samples,
            @Nullable Drawn drawn,
            @Nullable String film) {}

    /**
     * The newest picture of its samples.
     *
     * @param name {@code latest} of one that is not kept: what they are like just now
     */
    record Drawn(String name, long step) {}

    /** What is another than before; null where it is the same. */
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
