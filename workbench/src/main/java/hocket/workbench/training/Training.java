package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.BrokenOff;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Sittings;
import hocket.workbench.terminal.Refusal;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Trains a run as it was asked for: takes its steps, in which everything is checked before anything is written, with rings
 * around them. What is around them stands in {@link RunLayer}.
 */
public final class Training {
    /** The status of a run that was trained and saved, but could not be judged. */
    public static final int UNJUDGED = 1;

    private final RunRequest request;
    private final Stop stop;
    private final List<RunRing> around = new ArrayList<>();
    private final List<Attendant> observers = new ArrayList<>();
    private final List<Ring> more = new ArrayList<>();
    private Optional<Display> display;

    /**
     * @param request what is trained, and how
     * @param stop may be asked by a person
     */
    public Training(RunRequest request, Stop stop) {
        this.request = request;
        this.stop = stop;
        this.display = request.flags().quiet()
                ? Optional.empty()
                : Optional.of(Display.on(request.workplace().terminal()));
    }

    /** Sets where it is shown how far it is; usually before the person who asked, if anything is said. */
    public Training shownOn(Display where) {
        display = Optional.of(where);
        return this;
    }

    /** Has somebody observe the run, beside others. */
    public Training attendedBy(Attendant who) {
        observers.add(who);
        return this;
    }

    /** Puts one more ring around the whole run. */
    public Training around(RunRing ring) {
        around.add(ring);
        return this;
    }

    /** Puts one more ring around rounds and turns. */
    public Training ring(Ring ring) {
        more.add(ring);
        return this;
    }

    private List<RunRing> rings() {
        List<RunRing> rings = new ArrayList<>(List.of(
                new StopRing(),
                new FolderRing(),
                new RowsRing(observers),
                new ProvenanceRing(),
                new TensorBoardRing(),
                new RecordsRing(),
                new SchedulerRing(display, more),
                new FailureRing(),
                new DisplayRing()));
        observers.forEach(observer -> rings.add(new ObserverRing(observer)));
        rings.addAll(around);
        return rings;
    }

    /**
     * Trains to the end. What a run of this folder wrote beyond its checkpoint is taken back first.
     *
     * @return the exit status: 0, that of the signal which stopped it, or 1 where what was trained and saved could not be
     *     judged
     * @throws Refusal if something is refused; then nothing was written
     * @throws BrokenOff if it fails on its way
     * @throws Failure if a part of the experiment fails before
     */
    public int run() {
        RunContext run = new RunContext(request, stop, rings());
        return Failure.unless(() -> {
            int[] status = {0};
            Rest.around(run.rings(), (ring, rest) -> ring.run(run, rest), () -> status[0] = flow(run));
            return status[0];
        });
    }

    private int flow(RunContext run) {
        ExperimentFile file = request.file();
        boolean isResumed = run.start() == Sittings.Start.ON;
        Instance instance = new Instance(
                file.name(),
                file.spec().seed(),
                file.threads(),
                request.folder().path(),
                isResumed ? Optional.of(request.folder().checkpoints()) : Optional.empty());
        try (FlowContext context = new FlowContext(instance, run::remark, stop::isRequested)) {
            run.give(FlowContext.class, context);
            Flow flow = new Flow(
                    file.spec().instance().orElse(taken -> {}),
                    taken -> select(run),
                    file.spec().startup(),
                    file.runner(request.runner()),
                    file.spec()
                            .terminal()
                            .orElse(taken -> run.get(Ending.class)
                                    .report(taken.scheduler().now())));
            flow.run(context, rest -> write(run, rest));
            if (run.find(Selected.class).isEmpty()) {
                throw new Refusal("the instance step ended the run before there was anything to run");
            } else if (!run.hasBegun()) {
                context.say("the startup step ended the run: nothing was trained or written");
            }
            if (run.hasBegun() && stop.isRequested()) {
                return stop.status();
            }
            return run.find(Ending.class).filter(Ending::isUnjudged).isPresent() ? UNJUDGED : 0;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw run.hasBegun() ? e : refused(isResumed, e);
        }
    }

    private void select(RunContext run) {
        Selected selected = Selected.of(request.file(), request.runner()).open();
        for (RunRing ring : run.fromWithin()) {
            selected = ring.select(run, selected);
        }
        run.give(Selected.class, selected);
        run.flow().setup(selected.setup());
    }

    private static void write(RunContext run, Rest rest) {
        run.rings().forEach(ring -> ring.check(run));
        Rest.around(run.rings(), (ring, inner) -> ring.write(run, inner), rest);
    }

    /** What fails before anything was written is for the person who asked. */
    private RuntimeException refused(boolean isResumed, RuntimeException e) {
        if (!isResumed || !(e instanceof IllegalArgumentException)) {
            return request.file().startupRefused(e);
        }
        List<String> edited = Sittings.edited(request.folder());
        String why = edited.isEmpty() ? "" : "; experiment.yaml was edited since: " + String.join(", ", edited);
        return new Refusal("the checkpoint in " + request.folder() + " does not fit: " + e.getMessage() + why, e);
    }
}
