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

/** A run that the server shows. Used by any thread. */
public interface ServedRun {
    /**
     * A copy of its parameters.
     *
     * @param at the run's position
     * @param nanos duration of the copy, during which training stood still
     */
    record Moment(Event.Position at, Snapshot snapshot, long nanos) {}

    /** Returns the name of its folder, unique among the runs that are served. */
    default String id() {
        return String.valueOf(folder().path().toAbsolutePath().normalize().getFileName());
    }

    RunFolder folder();

    RunFacts facts();

    LiveCurves curves();

    /** Returns a copy of its experiment, which nobody trains; may take some time. */
    SelectedExperiment experiment();

    /**
     * Returns a copy of its parameters, shared by all callers that ask before it is ready; a {@link RuntimeException}
     * if there is none. A caller that no longer waits cancels its future.
     */
    CompletableFuture<Moment> parameters();

    /** Returns its feeds that take rows from outside, by name; empty if it does not train here. */
    default Map<String, DurableQueue> feeds() {
        return Map.of();
    }

    /** Returns the receiver of commands; empty if there is none. */
    Optional<Steering> steering();
}
