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
 * What the rings around one run share: the request, and what each ring made for those inside it, by its class. Used by the
 * training thread.
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
        this.start = request.beginning().resumed() ? Sessions.Start.ON : Sessions.Start.FIRST;
    }

    /** The run as it was asked for. */
    public RunRequest request() {
        return request;
    }

    /** Whether the run was asked to end. */
    public StopRequest stop() {
        return stopRequest;
    }

    /** All rings, from the outermost on. */
    List<RunRing> rings() {
        return rings;
    }

    /** All rings, from the innermost on. */
    public List<RunRing> fromWithin() {
        List<RunRing> reversed = new ArrayList<>(rings);
        Collections.reverse(reversed);
        return reversed;
    }

    /** Leaves something for rings that stand inside. */
    public <T> void give(Class<T> as, T thing) {
        made.put(as, thing);
    }

    /** What a ring left, if it has. */
    public <T> Optional<T> find(Class<T> as) {
        return Optional.ofNullable(as.cast(made.get(as)));
    }

    /**
     * What a ring left.
     *
     * @throws IllegalStateException if none has yet
     */
    public <T> T get(Class<T> as) {
        return find(as).orElseThrow(
                        () -> new IllegalStateException("no ring around the run has made a " + as.getSimpleName()));
    }

    /** The experiment as it is run. */
    public SelectedExperiment selected() {
        return get(SelectedExperiment.class);
    }

    /** The folder that the run writes into. */
    public RunFolder folder() {
        return get(RunFolder.class);
    }

    /** What the steps of the run share. */
    public FlowContext flow() {
        return get(FlowContext.class);
    }

    /** The scheduler. */
    public Scheduler scheduler() {
        return flow().scheduler();
    }

    /** How the run begins. */
    public Sessions.Start start() {
        return start;
    }

    /** There is no checkpoint to continue from: the run begins again in its folder. */
    public void restart() {
        start = Sessions.Start.ANEW;
    }

    /** Turns that had been taken when the run was continued; empty of one that begins. To be asked before the first turn. */
    public OptionalLong resumedAt() {
        return start == Sessions.Start.ON
                ? OptionalLong.of(scheduler().position().step())
                : OptionalLong.empty();
    }

    /** From now on the folder is written. */
    public void begin() {
        begun = true;
    }

    /** Whether something was written. */
    public boolean hasBegun() {
        return begun;
    }

    /** Puts one more ring around rounds and turns. */
    public void ring(Ring ring) {
        scheduled.add(ring);
    }

    /** The rings of {@link #ring}. */
    public List<Ring> scheduled() {
        return scheduled;
    }

    /** What was said before there was a log. */
    public List<String> said() {
        return said;
    }

    /** Says a line to the person who watches. */
    public void remark(String line) {
        if (!begun) {
            said.add(line);
        }
        if (!request.flags().quiet()) {
            request.workplace().terminal().remark(line);
        }
    }
}
