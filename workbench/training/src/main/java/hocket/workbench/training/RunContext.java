package hocket.workbench.training;

import hocket.schedulers.Ring;
import hocket.schedulers.Scheduler;
import hocket.schedulers.flow.FlowContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Sessions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state that the rings around one run share: the request, and what each ring made for inner rings, by class. Used
 * by the training thread.
 */
public final class RunContext {
    private final RunRequest request;
    private final StopRequest stopRequest;
    private final List<RunRing> rings;
    private final Map<Class<?>, Object> made = new HashMap<>();
    private final List<Ring> scheduled = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private Sessions.Start start;
    private boolean begun;

    RunContext(RunRequest request, StopRequest stopRequest, List<RunRing> rings) {
        this.request = request;
        this.stopRequest = stopRequest;
        this.rings = rings.stream().sorted(Comparator.comparing(RunRing::layer)).toList();
        this.start = request.beginning().resumed() ? Sessions.Start.RESUMED : Sessions.Start.FIRST;
    }

    /** Returns the run's request. */
    public RunRequest request() {
        return request;
    }

    /** Returns whether the run was asked to end. */
    public StopRequest stop() {
        return stopRequest;
    }

    /** Returns all rings from the outermost to the innermost. */
    List<RunRing> rings() {
        return rings;
    }

    /** Returns all rings from the innermost to the outermost. */
    public List<RunRing> fromWithin() {
        List<RunRing> reversed = new ArrayList<>(rings);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Stores an object for inner rings. */
    public <T> void give(Class<T> as, T thing) {
        made.put(as, thing);
    }

    /** Returns the object that a ring stored, if there is one. */
    public <T> Optional<T> find(Class<T> as) {
        return Optional.ofNullable(as.cast(made.get(as)));
    }

    /**
     * Returns an object that a ring provided.
     *
     * @throws IllegalStateException if no ring has stored one
     */
    public <T> T get(Class<T> as) {
        return find(as).orElseThrow(
                        () -> new IllegalStateException("no ring around the run has made a " + as.getSimpleName()));
    }

    /** Returns the experiment that is run. */
    public SelectedExperiment selected() {
        return get(SelectedExperiment.class);
    }

    /** Returns the folder that the run writes to. */
    public RunFolder folder() {
        return get(RunFolder.class);
    }

    /** Returns the state that the steps of the run share. */
    public FlowContext flow() {
        return get(FlowContext.class);
    }

    /** The scheduler. */
    public Scheduler scheduler() {
        return flow().scheduler();
    }

    /** Returns the way in which the run begins. */
    public Sessions.Start start() {
        return start;
    }

    /** Marks that there is no checkpoint to resume from: the run begins again in its folder. */
    public void restart() {
        start = Sessions.Start.RESTARTED;
    }

    /**
     * Returns the turns that had been taken when the run was resumed; empty for a new run. Called before the first
     * turn.
     */
    public OptionalLong resumedAt() {
        return start == Sessions.Start.RESUMED
                ? OptionalLong.of(scheduler().position().step())
                : OptionalLong.empty();
    }

    /** Marks that the folder is written from now on. */
    public void begin() {
        begun = true;
    }

    /** Returns whether something was written. */
    public boolean hasBegun() {
        return begun;
    }

    /** Adds a ring around rounds and turns. */
    public void ring(Ring ring) {
        scheduled.add(ring);
    }

    /** Returns the rings of {@link #ring}. */
    public List<Ring> scheduled() {
        return scheduled;
    }

    /** Returns lines that were said before the log was open. */
    public List<String> said() {
        return said;
    }

    /** Prints a line to the person who ran the command. */
    public void remark(String line) {
        if (!begun) {
            said.add(line);
        }
        if (!request.flags().quiet()) {
            request.workplace().terminal().remark(line);
        }
    }
}
