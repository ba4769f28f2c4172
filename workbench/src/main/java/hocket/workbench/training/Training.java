package hocket.workbench.training;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Sessions;
import hocket.workbench.terminal.UserError;
import hocket.workbench.training.reports.Display;
import hocket.workbench.training.reports.RunSummary;
import hocket.workbench.training.rings.DisplayRing;
import hocket.workbench.training.rings.FailureRing;
import hocket.workbench.training.rings.FolderRing;
import hocket.workbench.training.rings.ObserverRing;
import hocket.workbench.training.rings.ProvenanceRing;
import hocket.workbench.training.rings.RecordsRing;
import hocket.workbench.training.rings.RowsRing;
import hocket.workbench.training.rings.SchedulerRing;
import hocket.workbench.training.rings.StopRing;
import hocket.workbench.training.rings.TensorBoardRing;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Trains a run as it was asked for: takes its steps, in which everything is checked before anything is written, with rings
 * around them. What is around them stands in {@link RunRingOrder}.
 */
public final class Training {
    /** The status of a run that was trained and saved, but could not be judged. */
    public static final int UNJUDGED = 1;

    private final RunRequest request;
    private final StopRequest stopRequest;
    private final List<RunRing> around = new ArrayList<>();
    private final List<RunObserver> observers = new ArrayList<>();
    private final List<Ring> more = new ArrayList<>();
    private Optional<Display> display;

    /**
     * @param request what is trained, and how
     * @param stopRequest may be asked by a person
     */
    public Training(RunRequest request, StopRequest stopRequest) {
        this.request = request;
        this.stopRequest = stopRequest;
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
    public Training observedBy(RunObserver who) {
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
     * @throws UserError if something is refused; then nothing was written
     * @throws RunFailure if it fails on its way
     * @throws CommandFailure if a part of the experiment fails before
     */
    public int run() {
        RunContext run = new RunContext(request, stopRequest, rings());
        return CommandFailure.unless(() -> {
            int[] status = {0};
            Next.around(run.rings(), (ring, next) -> ring.run(run, next), () -> status[0] = flow(run));
            return status[0];
        });
    }

    private int flow(RunContext run) {
        ExperimentFile file = request.file();
        boolean isResumed = run.start() == Sessions.Start.ON;
        Instance instance = new Instance(
                file.name(),
                file.spec().seed(),
                file.threads(),
                request.folder().path(),
                isResumed ? Optional.of(request.folder().checkpoints()) : Optional.empty());
        try (FlowContext context = new FlowContext(instance, run::remark, stopRequest::isRequested)) {
            run.give(FlowContext.class, context);
            Flow flow = new Flow(
                    file.spec().instance().orElse(taken -> {}),
                    taken -> select(run),
                    file.spec().startup(),
                    file.runner(request.runner()),
                    file.spec()
                            .terminal()
                            .orElse(taken -> run.get(RunSummary.class)
                                    .report(taken.scheduler().now())));
            flow.run(context, next -> write(run, next));
            if (run.find(SelectedExperiment.class).isEmpty()) {
                throw new UserError("the instance step ended the run before there was anything to run");
            } else if (!run.hasBegun()) {
                context.say("the startup step ended the run: nothing was trained or written");
            }
            if (run.hasBegun() && stopRequest.isRequested()) {
                return stopRequest.status();
            }
            return run.find(RunSummary.class).filter(RunSummary::isUnjudged).isPresent() ? UNJUDGED : 0;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw run.hasBegun() ? e : refused(isResumed, e);
        }
    }

    private void select(RunContext run) {
        SelectedExperiment selectedExperiment =
                SelectedExperiment.of(request.file(), request.runner()).open();
        for (RunRing ring : run.fromWithin()) {
            selectedExperiment = ring.select(run, selectedExperiment);
        }
        run.give(SelectedExperiment.class, selectedExperiment);
        run.flow().setup(selectedExperiment.setup());
    }

    private static void write(RunContext run, Next next) {
        run.rings().forEach(ring -> ring.check(run));
        Next.around(run.rings(), (ring, inner) -> ring.write(run, inner), next);
    }

    /** What fails before anything was written is for the person who asked. */
    private RuntimeException refused(boolean isResumed, RuntimeException e) {
        if (!isResumed || !(e instanceof IllegalArgumentException)) {
            return request.file().startupRefused(e);
        }
        List<String> edited = Sessions.edited(request.folder());
        String why = edited.isEmpty() ? "" : "; experiment.yaml was edited since: " + String.join(", ", edited);
        return new UserError("the checkpoint in " + request.folder() + " does not fit: " + e.getMessage() + why, e);
    }
}
