package hocket.workbench.training;

import hocket.schedulers.DivergedException;
import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.State;
import hocket.schedulers.Trigger;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.flow.Status;
import hocket.schedulers.optimizers.Kernels;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.json.JsonLines;
import hocket.workbench.plans.Engines;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Version;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A run that has passed every check, and its way: into its folder, with progress for a person to see, until it is done or
 * told to stop. Close it after use.
 */
public final class Training implements AutoCloseable {
    private final Terminal terminal;
    private final boolean quiet;
    private final Stop stop;
    private final Selected selected;
    private final RunFolder folder;
    private final FlowContext context;
    private final Flow flow;
    private final OptionalLong resumedAt;
    private final List<String> announced;
    private final RecordedSpec recorded;
    private @Nullable FolderRecorder recorder;
    private @Nullable MetricMeans means;
    private long startedAt;
    private long roundAtStart;
    private @Nullable Deeds deeds;
    private final Steps steps = new Steps();
    private boolean detectAnomalies;
    private long auditEvery;

    private Training(
            Workplace workplace,
            boolean quiet,
            Stop stop,
            Selected selected,
            FlowContext context,
            Flow flow,
            RecordedSpec recorded,
            List<String> changes) {
        this.terminal = workplace.terminal();
        this.quiet = quiet;
        this.stop = stop;
        this.selected = selected;
        this.context = context;
        this.flow = flow;
        this.recorded = recorded;
        Instance instance = context.instance();
        this.resumedAt = instance.checkpoint()
                .map(state -> OptionalLong.of(state.whole("step")))
                .orElse(OptionalLong.empty());
        this.folder = new RunFolder(instance.folder());
        this.announced = Announcement.of(selected, changes, folder, resumedAt, recorded, instance.threads());
    }

    /**
     * Takes the steps before the runner, in which everything is checked; nothing is written yet.
     *
     * @param file what is run
     * @param runner by which of its runners
     * @param folder where
     * @param changes as they were asked for
     * @param checkpoint what the run goes on from
     * @throws Refusal if something is refused
     */
    public static Training prepare(
            Workplace workplace,
            ExperimentFile file,
            String runner,
            RunFolder folder,
            List<String> changes,
            Optional<State> checkpoint,
            Stop stop,
            boolean quiet) {
        Terminal terminal = workplace.terminal();
        Instance asked = new Instance(file.name(), file.spec().seed(), file.threads(), folder.path(), checkpoint);
        Consumer<String> person = quiet ? line -> {} : terminal::remark;
        FlowContext context = new FlowContext(asked, person, stop::isRequested);
        try {
            Selected[] selected = new Selected[1];
            Training[] training = new Training[1];
            Flow flow = new Flow(
                    file.spec().instance().orElse(taken -> {}),
                    taken -> {
                        selected[0] = Selected.of(file, runner);
                        taken.setup(selected[0].setup());
                    },
                    file.spec().startup(),
                    file.runner(runner),
                    file.spec().terminal().orElse(taken -> training[0].report()));
            boolean goesOn = Refusal.unless(() -> flow.prepare(context));
            if (selected[0] == null) {
                throw new Refusal("the instance step ended the run before there was anything to run");
            }
            selected[0].setup().samples().ifPresent(Samples::new); // refuses what it cannot draw
            if (!goesOn) {
                context.say("the startup step ended the run: nothing was trained or written");
            }
            if (checkpoint.isEmpty()) {
                new RunFolder(context.instance().folder()).requireFree(); // a step may have chosen another one
            }
            RecordedSpec recorded = new RecordedSpec(
                    Version.number(),
                    Engines.of(selected[0].setup()),
                    Kernels.best().name(),
                    runner);
            training[0] = new Training(workplace, quiet, stop, selected[0], context, flow, recorded, changes);
            return training[0];
        } catch (RuntimeException | Error e) {
            context.close();
            if (checkpoint.isPresent() && e instanceof Refusal) {
                throw new Refusal("the checkpoint in " + folder + " does not fit: " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Sets whether the run looks for the first number that is not finite. */
    public Training detectAnomalies(boolean wanted) {
        detectAnomalies = wanted;
        return this;
    }

    /** Sets whether turns are audited: in the first of every so many rounds; 0 for never. */
    public Training audited(long everyRounds) {
        auditEvery = everyRounds;
        return this;
    }

    /** The scheduler, for tests that look. */
    public Scheduler scheduler() {
        return context.scheduler();
    }

    /**
     * Trains to the end. What a run of this folder wrote beyond its checkpoint is taken back first.
     *
     * @return the exit status: 0, or that of the signal which stopped it
     */
    public int run() {
        if (context.status() == Status.END) {
            return 0;
        }
        folder.create();
        resumedAt.ifPresent(step -> JsonLines.dropBeyond(folder.metrics(), step));
        Instance instance = context.instance();
        folder.write(selected.file().resolved(instance.threads(), instance.seed(), recorded));
        try (FolderRecorder made = new FolderRecorder(folder, InstantSource.system())) {
            recorder = made;
            means = new MetricMeans(made);
            Best best = Best.upTo(resumedAt.orElse(0), folder);
            deeds = new Deeds(selected, folder, made, means, best, terminal, this::remark);
            context.recorder(made);
            return toTheEnd();
        }
    }

    private int toTheEnd() {
        Scheduler scheduler = context.scheduler();
        announced.forEach(this::remark);
        warnOfOtherMachine();
        recorder().text(scheduler.position(), "start", String.join("; ", announced));
        if (scheduler.done() && resumedAt.isPresent()) {
            if (!Files.exists(folder.scores())) {
                deeds().finalScore(scheduler); // it was ended between its last checkpoint and its scores
            }
            remark("nothing is left to do"
                    + (selected.file().spec().algorithm().isPresent()
                            ? ""
                            : "; --set epochs=N with a larger N goes on"));
            return 0;
        }
        folder.dropScores(); // they are of an end that it goes beyond
        roundAtStart = scheduler.position().round();
        startedAt = System.nanoTime();
        listen(scheduler);
        try {
            flow.run(context);
        } catch (RuntimeException e) {
            terminal.erase();
            logFailure(scheduler.position(), e);
            if (e instanceof DivergedException && !detectAnomalies) {
                remark("next     --detect-anomaly, with --resume or from the start, says where it began");
            }
            throw e;
        }
        terminal.erase();
        means().record(scheduler.position());
        recorder().flush();
        if (stop.isRequested()) {
            deeds().save(scheduler.now());
            sayStopped(scheduler.position());
        }
        return stop.isRequested() ? stop.status() : 0;
    }

    private void warnOfOtherMachine() {
        selected.file()
                .spec()
                .recorded()
                .filter(before -> resumedAt.isPresent())
                .ifPresent(before -> {
                    if (!before.lowering().equals(recorded.lowering())
                            || !before.kernels().equals(recorded.kernels())) {
                        terminal.remark("hocket: this run began on " + before.lowering() + " with " + before.kernels()
                                + " kernels: it goes on, but not to the same bits");
                    }
                });
    }

    private FolderRecorder recorder() {
        return Objects.requireNonNull(recorder);
    }

    private Deeds deeds() {
        return Objects.requireNonNull(deeds);
    }

    private MetricMeans means() {
        return Objects.requireNonNull(means);
    }

    private void logFailure(Event.Position at, RuntimeException failure) {
        try {
            means().record(at);
            recorder().text(at, "failed", Deeds.trace(failure));
        } catch (RuntimeException e) {
            failure.addSuppressed(e); // the same full disk, most likely
        }
    }

    private void listen(Scheduler scheduler) {
        scheduler.saveTo(folder.checkpoints()).listen(means()).listen(steps);
        if (detectAnomalies) {
            scheduler.detectAnomalies();
        }
        if (auditEvery > 0) {
            scheduler.audit(auditEvery);
        }
        scheduler.listen(event -> pauseIfAsked(scheduler, event));
        if (!quiet) {
            scheduler.listen(new Progress(
                    selected.name(),
                    scheduler,
                    selected.setup().descending(),
                    selected.file().spec().print(),
                    terminal,
                    System::nanoTime));
        }
        List<Setup.Watch> watches = selected.setup().watches();
        watches.stream() // first, so that what is saved in the same round knows of the best up to there
                .filter(watch -> Deeds.keepsBest(watch.deed()))
                .forEach(watch -> scheduler.on(watch.trigger(), deeds().best(watch.deed(), scheduler)));
        watches.stream()
                .filter(watch -> !Deeds.keepsBest(watch.deed()))
                .forEach(watch -> scheduler.on(watch.trigger(), deeds().of(watch.deed())));
        scheduler
                .on(Trigger.atEnd(), deeds()::save)
                .on(Trigger.atEnd(), deeds()::sample)
                .on(Trigger.atEnd(), deeds()::validate)
                .on(Trigger.everyRounds(1), this::stopIfAsked);
    }

    /** In the middle of a round, which may be long: it goes on from there as well. At its end {@link #stopIfAsked} saves. */
    private void pauseIfAsked(Scheduler scheduler, Event event) {
        boolean isTurn =
                event instanceof Event.Descended || event instanceof Event.Followed || event instanceof Event.Acted;
        if (isTurn && stop.isRequested()) {
            scheduler.now().pause();
        }
    }

    private void stopIfAsked(Run now) {
        if (stop.isRequested()) {
            terminal.erase();
            deeds().save(now);
            now.stop();
        }
    }

    private String pace(Event.Position at) {
        double seconds = (System.nanoTime() - startedAt) * 1e-9;
        double done = steps.taken() > 0 ? steps.taken() : at.round() - roundAtStart;
        double rate = done / Math.max(seconds, 1e-9);
        return Figures.clock(seconds) + ", " + (steps.taken() > 0 ? Steps.pace(rate) : Figures.rate(rate) + " it/s");
    }

    private void sayStopped(Event.Position at) {
        String pace = pace(at);
        recorder().text(at, "stopped", pace);
        String place = at.epoch() > 0
                ? String.format(Locale.ROOT, "epoch %.1f", at.epoch())
                : "round " + Figures.grouped(at.round());
        remark("stopped in " + place + " after " + pace + "; saved");
        remark("next     " + Workplace.command() + " run " + folder + " --resume");
    }

    /** The usual terminal step: what came out, and what can be done with it. */
    private void report() {
        Event.Position at = context.scheduler().position();
        terminal.erase();
        String pace = pace(at);
        recorder().text(at, "done", pace);
        remark("done in " + pace);
        if (selected.setup().evaluation().isPresent()) {
            deeds().finalScore(context.scheduler());
        }
        if (deeds().hasSampled()) {
            remark("samples  " + folder.samples().resolve("latest.png"));
        }
        if (deeds().hasSaved()) {
            remark("saved    " + folder.checkpoints().resolve(String.format(Locale.ROOT, "%08d", at.step())));
            deeds().kept()
                    .ifPresent(best -> remark(
                            "best     " + folder.best().resolve(String.format(Locale.ROOT, "%08d", best.step()))));
            new NextCommands(selected.setup(), folder, deeds().kept().isPresent())
                    .lines()
                    .forEach(this::remark);
        }
    }

    private void remark(String line) {
        if (!quiet) {
            terminal.remark(line);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
