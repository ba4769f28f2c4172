package hocket.workbench.training;

import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFailure;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Sessions;
import hocket.workbench.training.reports.Display;
import hocket.workbench.training.reports.RunSummary;
import hocket.workbench.training.rings.DisplayRing;
import hocket.workbench.training.rings.FailureRing;
import hocket.workbench.training.rings.FolderRing;
import hocket.workbench.training.rings.LoggedWarningsRing;
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
 * Trains a run as requested: its steps check everything before anything is written, with rings around them. {@link
 * RunRingOrder} lists these rings.
 */
public final class Training {
    /** The exit status of a run that was trained and saved, but whose evaluation failed. */
    public static final int UNJUDGED = 1;

    private final RunRequest request;
    private final StopRequest stopRequest;
    private final List<RunRing> around = new ArrayList<>();
    private final List<RunObserver> observers = new ArrayList<>();
    private final List<Ring> more = new ArrayList<>();
    private Optional<Display> display;

    /**
     * @param request the run to train
     * @param stopRequest a person's request to stop
     */
    public Training(RunRequest request, StopRequest stopRequest) {
        this.request = request;
        this.stopRequest = stopRequest;
        this.display = request.flags().quiet()
                ? Optional.empty()
                : Optional.of(Display.on(request.workplace().terminal()));
    }

    /** Sets the progress display; the default is the terminal of the person, unless the run is quiet. */
    public Training shownOn(Display where) {
        display = Optional.of(where);
        return this;
    }

    /** Adds an observer of the run. */
    public Training observedBy(RunObserver who) {
        observers.add(who);
        return this;
    }

    /** Adds a ring around the whole run. */
    public Training around(RunRing ring) {
        around.add(ring);
        return this;
    }

    /** Adds a ring around rounds and turns. */
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
                new LoggedWarningsRing(),
                new SchedulerRing(display, more),
                new FailureRing(),
                new DisplayRing()));
        observers.forEach(observer -> rings.add(new ObserverRing(observer)));
        rings.addAll(around);
        return rings;
    }

    /**
     * Trains to the end. Records that are newer than the folder's checkpoint are taken back first.
     *
     * @return the exit status: 0, that of the signal which stopped it, or 1 if the evaluation failed after training and
     *     saving
     * @throws UserError if the request is rejected; then nothing was written
     * @throws RunFailure if training fails
     * @throws CommandFailure if a part of the experiment fails before training
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
        boolean isResumed = run.start() == Sessions.Start.RESUMED;
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
            throw run.hasBegun() ? e : refused(run, isResumed, e);
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

    /** failures before anything was written are shown to the person */
    private RuntimeException refused(RunContext run, boolean isResumed, RuntimeException e) {
        if (!isResumed || !(e instanceof IllegalArgumentException)) {
            return request.file().startupRefused(e);
        }
        List<String> reasons = new ArrayList<>(List.of(String.valueOf(e.getMessage())));
        run.find(SelectedExperiment.class)
                .ifPresent(built -> reasons.addAll(Sessions.changedData(request.folder(), built.setup())));
        List<String> edited = Sessions.edited(request.folder());
        if (!edited.isEmpty()) {
            reasons.add("experiment.yaml was edited since: " + String.join(", ", edited));
        }
        return new UserError(
                "the checkpoint in " + request.folder() + " does not fit: " + String.join("; ", reasons), e);
    }
}
