package hocket.workbench.training;

import hocket.schedulers.Command;
import hocket.schedulers.DivergedException;
import hocket.schedulers.Rest;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Steering;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.optimizers.Kernels;
import hocket.schedulers.rings.KeepBest;
import hocket.schedulers.rings.Recording;
import hocket.schedulers.rings.SaveOnFailure;
import hocket.schedulers.rings.StopWhen;
import hocket.workbench.cluster.Cluster;
import hocket.workbench.cluster.Fingerprint;
import hocket.workbench.cluster.Place;
import hocket.workbench.cluster.Worker;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.experiment.ExperimentSpec.RecordedSpec;
import hocket.workbench.json.JsonLines;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.Watch;
import hocket.workbench.plans.Engines;
import hocket.workbench.runs.Best;
import hocket.workbench.runs.BrokenOff;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.Journal;
import hocket.workbench.runs.LostCheckpoints;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Sittings;
import hocket.workbench.runs.Version;
import hocket.workbench.runs.Workplace;
import hocket.workbench.tensorboard.TensorBoard;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.Working;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run as a person asked for it, and its way: through its steps, in which everything is checked before anything is written;
 * into its folder, with progress to see; until it is done or told to stop. What is done around training are rings.
 */
public final class Training {
    /** The status of a run that was trained and saved, but could not be judged. */
    public static final int UNJUDGED = 1;

    private final Workplace workplace;
    private final Terminal terminal;
    private final ExperimentFile file;
    private final String runner;
    private final RunFolder asked;
    private final List<String> changes;
    private final Stop stop;
    private final boolean quiet;
    private final List<Ring> more = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final Steering steering;
    private @Nullable Journal journal;
    private final List<Attendant> attendants = new ArrayList<>();
    private @Nullable Place place;
    private @Nullable Cluster cluster;
    private @Nullable Supplier<RunFolder> next;
    private @Nullable String goesOnBy;
    private @Nullable Display display;
    private double part = 1;
    private boolean forced;
    private Sittings.Start way = Sittings.Start.FIRST;
    private Consumer<OnlineQueues> feeding = queues -> {};
    private boolean detectAnomalies;
    private boolean forTensorBoard;
    private long auditEvery;
    private @Nullable RunLock lock;
    private @Nullable Selected selected;
    private @Nullable Ending ending;
    private boolean started;

    /**
     * @param file what is run
     * @param runner by which of its runners
     * @param folder where
     * @param changes as they were asked for
     */
    public Training(
            Workplace workplace,
            ExperimentFile file,
            String runner,
            RunFolder folder,
            List<String> changes,
            Stop stop,
            boolean quiet) {
        this.workplace = workplace;
        this.terminal = workplace.terminal();
        this.file = file;
        this.runner = runner;
        this.asked = folder;
        this.changes = List.copyOf(changes);
        this.stop = stop;
        this.quiet = quiet;
        this.display = quiet ? null : Display.on(terminal);
        this.steering = new Steering(
                new Steering.Journal() {
                    @Override
                    public void write(Steering.Applied applied) {
                        Objects.requireNonNull(journal).write(applied);
                    }

                    @Override
                    public void takeBack() {
                        Objects.requireNonNull(journal).takeBack();
                    }
                },
                stop::isRequested);
    }

    /** Sets whether the run goes on from the newest checkpoint in its folder, or anew if it was stopped before its first. */
    public Training resumed(boolean wanted) {
        way = wanted ? Sittings.Start.ON : Sittings.Start.FIRST;
        return this;
    }

    /** Sets whether it goes on where threads, kernels, engine or data are not what they were. */
    public Training forced(boolean wanted) {
        forced = wanted;
        return this;
    }

    /** Sets which folder is taken where another run takes the one of this first. */
    public Training orInto(Supplier<RunFolder> other) {
        next = other;
        return this;
    }

    /** Sets by which command it goes on after it broke off, for a run that is one of several. */
    public Training goesOnBy(String command) {
        goesOnBy = command;
        return this;
    }

    /**
     * Sets at which part of its budget it ends, in (0, 1]: with the round that reaches it, saved and judged; it goes on from
     * there as if nothing had been.
     */
    public Training until(double wanted) {
        part = wanted;
        return this;
    }

    /** Sets where it is shown how far it is; usually before the person who asked, if anything is said. */
    public Training shownOn(Display where) {
        display = where;
        return this;
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

    /** Sets whether the run is written for TensorBoard, too; one that was goes on to be. */
    public Training forTensorBoard(boolean wanted) {
        forTensorBoard = wanted;
        return this;
    }

    /** Does the commands of a journal once more, each at its place. */
    public Training replaying(List<Steering.Applied> commands) {
        steering.replaying(commands);
        return this;
    }

    /** Has somebody attend the run, beside others. */
    public Training attendedBy(Attendant who) {
        attendants.add(who);
        return this;
    }

    /**
     * Sets who gives rows to the run's feeds from outside: called by this thread once their queues are open, before the first
     * turn, and only if there are any. They are closed when the run is over.
     */
    public Training fedBy(Consumer<OnlineQueues> who) {
        feeding = who;
        return this;
    }

    /** Sets which part of a run of several processes this is: that of the worker that writes the folder. */
    public Training within(Place ofSeveral) {
        place = ofSeveral;
        return this;
    }

    /** Puts one more ring around the run. */
    public Training ring(Ring ring) {
        more.add(ring);
        return this;
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
        try {
            return Failure.unless(this::shared);
        } finally {
            if (started) {
                stop.atRest("ended at once, after the run");
            }
            if (lock != null) {
                lock.close();
            }
        }
    }

    /** The flow, with the other processes where there are any. */
    private int shared() {
        try {
            int status = flow();
            if (cluster != null) {
                cluster.close();
            }
            return status;
        } catch (RuntimeException | Error e) {
            if (cluster != null) {
                cluster.fail(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private int flow() {
        if (way == Sittings.Start.ON) {
            lock = asked.goOn(); // before a checkpoint is read: nobody may take it away meanwhile
            if (!asked.hasAnyCheckpoint()) {
                LostCheckpoints.refuse(asked);
                way = Sittings.Start.ANEW;
            }
        }
        Instance instance = new Instance(
                file.name(),
                file.spec().seed(),
                file.threads(),
                asked.path(),
                way == Sittings.Start.ON ? Optional.of(asked.checkpoints()) : Optional.empty());
        try (FlowContext context = new FlowContext(instance, this::remark, stop::isRequested)) {
            Flow flow = new Flow(
                    file.spec().instance().orElse(taken -> {}),
                    this::select,
                    file.spec().startup(),
                    file.runner(runner),
                    file.spec()
                            .terminal()
                            .orElse(taken -> ending().report(taken.scheduler().now())));
            flow.run(context, rest -> start(context, rest));
            if (selected == null) {
                throw new Refusal("the instance step ended the run before there was anything to run");
            } else if (!started) {
                context.say("the startup step ended the run: nothing was trained or written");
            }
            if (started && stop.isRequested()) {
                return stop.status();
            }
            return ending != null && ending.isUnjudged() ? UNJUDGED : 0;
        } catch (IllegalArgumentException | UncheckedIOException e) {
            if (started) {
                throw e;
            }
            // What fails before anything was written is for the person who asked.
            if (way == Sittings.Start.ON && e instanceof IllegalArgumentException) {
                List<String> edited = Sittings.edited(asked);
                String why = edited.isEmpty() ? "" : "; experiment.yaml was edited since: " + String.join(", ", edited);
                throw new Refusal("the checkpoint in " + asked + " does not fit: " + e.getMessage() + why, e);
            }
            throw file.startupRefused(e);
        }
    }

    private void select(FlowContext context) {
        Selected chosen = Selected.of(file, runner);
        attendants.forEach(attendant -> attendant.require(chosen));
        selected = chosen;
        if (part < 1 && chosen.setup().phases().size() > 1) {
            throw new Refusal("--until: the run has several phases, each with a budget of its own");
        }
        if (place != null) {
            Cluster joined = Cluster.join(place, Fingerprint.of(file), chosen.setup(), terminal, stop::isAsked);
            cluster = joined;
            stop.agreedBy(joined::stops);
            steering.amongSeveral(
                    "what pauses or changes a run is for one process alone; this run has "
                            + Figures.counted(place.workers(), "worker") + ", and takes save, fork and stop",
                    stop::requestByCommand);
            attendants.forEach(attendant -> attendant.among(workers()));
            more.add(joined.inStep());
            selected = chosen.among(joined.exchange());
            selected.setup().checkDivision();
        }
        context.setup(selected.setup());
    }

    private Selected selected() {
        return Objects.requireNonNull(selected);
    }

    private Ending ending() {
        return Objects.requireNonNull(ending);
    }

    /** Around runner and terminal step: everything has been checked. */
    private void start(FlowContext context, Rest rest) {
        RecordedSpec recorded = new RecordedSpec(
                Version.number(), Engines.of(context.setup()), Kernels.best().name(), runner);
        OptionalLong resumedAt = way == Sittings.Start.ON
                ? OptionalLong.of(context.scheduler().position().step())
                : OptionalLong.empty();
        Instance asks = context.instance();
        Sittings sittings =
                new Sittings(asked, selected(), way, context.startedFrom(), asks.threads(), asks.seed(), recorded);
        sittings.require(forced);
        List<String> changed = Announcement.changed(sittings, way);
        RunFolder folder = hold(context);
        try (OnlineQueues queues = queues(context, folder)) {
            start(context, rest, folder, sittings, recorded, resumedAt, changed, queues);
        }
    }

    /** What comes from outside goes into the folder; nothing of it is damaged. */
    private OnlineQueues queues(FlowContext context, RunFolder folder) {
        Watch watch = new RowsAwaited(
                terminal,
                quiet,
                () -> stop.isRequested() || steering.isAsked(),
                this::remark,
                System::nanoTime,
                attendants);
        return OnlineQueues.open(
                context.setup().feeds().stream().map(Setup.Feed::source).toList(), folder.path(), watch);
    }

    private void start(
            FlowContext context,
            Rest rest,
            RunFolder folder,
            Sittings sittings,
            RecordedSpec recorded,
            OptionalLong resumedAt,
            List<String> changed,
            OnlineQueues queues) {
        Instance instance = context.instance();
        List<String> announced = new ArrayList<>(
                Announcement.of(selected(), changes, folder, resumedAt, recorded, instance.threads(), quiet));
        if (isForTensorBoard(folder)) {
            Path runs = folder.path().getParent();
            announced.add("board    tensorboard --logdir "
                    + Workplace.quoted(String.valueOf(runs == null ? folder.path() : runs)));
        }
        announced.addAll(changed);
        started = true;
        Stopping stopping = new Stopping(stop, resumedAt.orElse(-1)); // before the first file
        folder.create();
        if (way != Sittings.Start.FIRST) {
            JsonLines.dropBeyond(folder.metrics(), resumedAt.orElse(-1));
        }
        String experiment = file.resolved(instance.threads(), instance.seed(), recorded);
        folder.write(experiment);
        sittings.begin(folder, resumedAt.orElse(0), experiment, changes, InstantSource.system());
        try {
            record(context, rest, folder, resumedAt, announced, stopping, queues);
        } finally {
            Sittings.end(folder, context.scheduler().position().step());
        }
    }

    /** The rest of the run, with what writes down its figures. */
    private void record(
            FlowContext context,
            Rest rest,
            RunFolder folder,
            OptionalLong resumedAt,
            List<String> announced,
            Stopping stopping,
            OnlineQueues queues) {
        try (TensorBoard board = board(context.scheduler(), folder);
                FolderRecorder recorder = new FolderRecorder(folder, InstantSource.system())) {
            if (file.spec().checkpoints().ifRefused() == CheckpointPolicy.IfRefused.GO_ON) {
                recorder.holdBack(why -> terminal.remark("hocket: " + why));
            }
            context.recorder(recorder);
            Scheduler scheduler = context.scheduler();
            scheduler.steeredBy(steering);
            journal = new Journal(folder, InstantSource.system());
            if (journal.dropBeyond(steering.applied())) {
                steering.ask(new Command.Start(), "hocket run --resume");
            }
            announced.forEach(this::remark);
            said.addAll(announced);
            recorder.text(scheduler.position(), "start", String.join("; ", said));
            Best best = Best.upTo(resumedAt.orElse(0), folder);
            Log log = new Log(recorder);
            ending = around(scheduler, folder, recorder, log, best, stopping);
            if (board != null) {
                recorder.witnessedBy(board);
                scheduler.ring(board);
            }
            if (!queues.byFeed().isEmpty()) {
                scheduler.ring(queues);
            }
            if ((scheduler.done() || Until.isThere(scheduler, part)) && resumedAt.isPresent()) {
                nothingIsLeft(scheduler.now(), folder);
                return;
            }
            if (!queues.byFeed().isEmpty()) {
                feeding.accept(queues);
                attendants.forEach(attendant -> attendant.fed(queues));
            }
            folder.dropScores(); // they are of an end that it goes beyond
            try {
                attended(attendants, scheduler, folder, recorder, () -> showing(context, rest));
            } catch (Throwable e) {
                log.failed(scheduler.now(), e); // the terminal step's, or an error
                throw new BrokenOff(why(scheduler, e), stopping.left(folder, goesOn(folder)));
            }
        }
    }

    private String goesOn(RunFolder folder) {
        return goesOnBy == null ? onByItself(folder) : goesOnBy;
    }

    private static String onByItself(RunFolder folder) {
        return Workplace.command("run", folder, "--resume");
    }

    private boolean isForTensorBoard(RunFolder folder) {
        return forTensorBoard || TensorBoard.isWanted(folder);
    }

    private @Nullable TensorBoard board(Scheduler scheduler, RunFolder folder) {
        if (!isForTensorBoard(folder)) {
            return null;
        }
        return way == Sittings.Start.ON
                ? TensorBoard.goOn(
                        folder,
                        scheduler.position(),
                        InstantSource.system(),
                        left -> terminal.remark("hocket: " + left))
                : TensorBoard.begin(folder, InstantSource.system());
    }

    /** The rest of the run, with the first of these around the others around it. */
    private void attended(
            List<Attendant> by, Scheduler scheduler, RunFolder folder, FolderRecorder recorder, Runnable run) {
        if (by.isEmpty()) {
            run.run();
            return;
        }
        Attendant who = by.get(0);
        recorder.witnessedBy(who);
        scheduler.ring(who);
        try (Attendant.Attendance attendance = who.attend(selected(), folder, steering)) {
            attempt(() -> attended(by.subList(1, by.size()), scheduler, folder, recorder, run), attendance);
        }
    }

    private static void attempt(Runnable run, Attendant.Attendance attendance) {
        try {
            run.run();
        } catch (Throwable e) {
            attendance.failed(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private static Throwable why(Scheduler scheduler, Throwable e) {
        if (e instanceof OutOfMemoryError) {
            return e;
        }
        boolean isJava = !Turn.acting(scheduler.unfinished()).isEmpty();
        return Failure.in(place(scheduler), isJava, e);
    }

    /** Shows how far a runner is that says so, and takes no turns. */
    private void showing(FlowContext context, Rest rest) {
        AtomicReference<@Nullable Working> shown = new AtomicReference<>();
        context.watch(part -> {
            Working working = shown.get();
            if (working == null) {
                working = new Working(terminal, runner, quiet);
                shown.set(working);
            }
            working.done(part);
            if (part >= 1) {
                working.close();
            }
        });
        try {
            rest.go();
        } finally {
            Working working = shown.get();
            if (working != null) {
                working.close();
            }
        }
    }

    /** Where a run stands, for people: the turns that are being taken, and the round. */
    private static String place(Scheduler scheduler) {
        List<String> turns = scheduler.unfinished().stream().map(Turn::name).toList();
        String round = "round " + scheduler.position().round();
        return turns.isEmpty()
                ? round
                : (turns.size() == 1 ? "turn " : "turns ") + String.join(" and ", turns) + " of " + round;
    }

    /** Takes the folder, unless it has been taken: a step may have chosen another one. */
    private RunFolder hold(FlowContext context) {
        RunFolder folder = new RunFolder(context.instance().folder());
        if (lock != null && lock.folder().equals(folder)) {
            return folder;
        }
        RunLock former = lock;
        lock = next != null && folder.equals(asked) ? folder.begin(next) : folder.begin();
        if (former != null) {
            former.close();
        }
        context.instance(context.instance().folder(lock.folder().path()));
        return lock.folder();
    }

    private void nothingIsLeft(Run run, RunFolder folder) {
        if (!Files.exists(folder.scores())) {
            ending().score(run); // it was ended between its last checkpoint and its scores
        }
        remark("nothing is left to do"
                + (file.spec().algorithm().isPresent()
                        ? ""
                        : "; --set " + run.scheduler().phase().budget().unit() + "=N with a larger N goes on"));
    }

    /** Puts the rings of a run in a folder around it. Gives what its end is made of. */
    private Ending around(
            Scheduler scheduler, RunFolder folder, FolderRecorder recorder, Log log, Best best, Stopping stopping) {
        scheduler.saveTo(folder.checkpoints(), file.spec().checkpoints()).savesAfter(recorder::force);
        if (detectAnomalies) {
            scheduler.detectAnomalies();
        }
        if (auditEvery > 0) {
            scheduler.audit(auditEvery);
        }
        for (Ring ring : scheduler.rings()) {
            if (ring instanceof KeepBest keepBest) {
                keepBest.in(best);
            }
        }
        Sparing sparing = new Sparing(recorder, terminal);
        Telling telling = new Telling(selected().setup(), terminal, this::remark);
        Pace pace = new Pace(System::nanoTime);
        Pictures pictures = new Pictures(selected().setup(), recorder);
        FinalScores scores = new FinalScores(selected(), folder, sparing, telling, quiet, this::remark);
        Ending end = new Ending(
                selected(),
                folder,
                recorder,
                best,
                pace,
                pictures,
                scores,
                stopping,
                terminal,
                this::remark,
                place == null ? onByItself(folder) : goesOn(folder),
                () -> auditEvery > 0 ? Optional.of(scheduler.audited()) : Optional.empty());
        scheduler
                .ring(stopping)
                .ring(log)
                .ring(new Recording(recorder, file.spec().metrics(), System::nanoTime))
                .ring(new Hints())
                .ring(new StopWhen(stop::isRequested))
                .ring(new SaveOnFailure())
                .ring(sparing)
                .ring(telling)
                .ring(pictures)
                .ring(scores)
                .ring(pace)
                .ring(end);
        if (!quiet) {
            scheduler.ring(new Waiting(terminal));
        }
        if (display != null) {
            scheduler.ring(new Progress(
                    selected().name(),
                    selected().setup().descending(),
                    file.spec().print(),
                    display,
                    System::nanoTime,
                    new Fellows(workers())));
        }
        if (part < 1) {
            scheduler.ring(new Until(part));
        }
        more.forEach(scheduler::ring);
        return end;
    }

    /** How the workers are of a run of several processes; none of another. */
    private Supplier<List<Worker>> workers() {
        Cluster joined = cluster;
        return joined == null ? List::of : joined::workers;
    }

    /** What a person may do about a failure. */
    private final class Hints implements Ring {
        @Override
        public void run(Run run, Rest rest) {
            try {
                rest.go();
            } catch (Throwable e) {
                terminal.erase();
                if (e instanceof DivergedException found
                        && !detectAnomalies
                        && found.anomaly().isEmpty()) {
                    remark("next     --detect-anomaly, with --resume or from the start, says where it began");
                }
                throw e;
            }
            terminal.erase();
        }
    }

    private void remark(String line) {
        if (!started) {
            said.add(line); // for the log, which there is not yet
        }
        if (!quiet) {
            terminal.remark(line);
        }
    }
}
