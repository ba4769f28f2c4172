package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.schedulers.commands.Steering;
import hocket.scopes.Snapshot;
import hocket.workbench.online.DurableQueue;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A run that is shown. Any thread may ask. */
public interface ServedRun {
    /**
     * Its parameters at a moment.
     *
     * @param at where the run was
     * @param nanos how long it took to copy them, in which a run that trains stood still
     */
    record Moment(Event.Position at, Snapshot snapshot, long nanos) {}

    /** No other's of those that are served: what its folder is called. */
    default String id() {
        return String.valueOf(folder().path().toAbsolutePath().normalize().getFileName());
    }

    RunFolder folder();

    RunFacts facts();

    LiveCurves curves();

    /** A copy of its experiment, which nobody trains; may take its time. */
    SelectedExperiment experiment();

    /**
     * A copy of its parameters, one for all callers that ask before it is there; a {@link RuntimeException} where there is
     * none. A caller that no longer waits cancels its future.
     */
    CompletableFuture<Moment> parameters();

    /** Its feeds that take rows from outside, by name; none where it does not train here. */
    default Map<String, DurableQueue> feeds() {
        return Map.of();
    }

    /** What takes commands; empty where nobody does. */
    Optional<Steering> steering();
}
