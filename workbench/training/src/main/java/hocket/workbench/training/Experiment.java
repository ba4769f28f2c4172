package hocket.workbench.training;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Recorder;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Source;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.rings.RecordedRounds;
import hocket.schedulers.rings.Recording;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.online.OnlineQueues;
import hocket.workbench.online.RowsObserver;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.RunLock;
import hocket.workbench.runs.Version;
import hocket.workbench.training.reports.RunLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A custom training loop with run folder, metrics, validation and checkpoints: a subclass defines data, model and
 * iteration; a resumed run gives the same bits.
 *
 * <p>{@link #run} calls {@link #setupData}, {@link #setupModel} and then {@link #trainBatch} until {@link
 * #maxIteration}; an iteration is a round of a {@link Scheduler}, and validation and saving are rings around it. An
 * object is used by one thread and for one run.
 */
public abstract class Experiment {
    private static final String CPU = "cpu";

    /** The settings of an experiment without settings. */
    private record NoSettings() {}

    /** The description of an experiment that is recorded before training begins. */
    private record Configuration(
            String experiment,
            Record settings,
            long seed,
            int threads,
            String device,
            String lowering,
            String kernels,
            String hocket,
            long maxIteration,
            long validInterval,
            long saveInterval) {}

    /** The state of the experiment while it runs. */
    private record Live(
            Parameters parameters,
            Scheduler scheduler,
            Session session,
            @Nullable Recorder recorder) {}

    /** A source and its resampling rule. */
    private record Fed(Source source, Resample draw) {}

    private final RunFolder folder;
    private final long seed;
    private final int threads;
    private final List<Fed> feeds = new ArrayList<>();
    private @Nullable Live live;
    private boolean used;

    /**
     * @param folder where all files of the run are written; created if missing
     * @param seed of weights, noise and the order of the data
     */
    protected Experiment(Path folder, long seed) {
        this(folder, seed, Runtime.getRuntime().availableProcessors());
    }

    /** @param threads number of compute threads, on which results may depend; at least 1 */
    protected Experiment(Path folder, long seed, int threads) {
        this.folder = new RunFolder(folder);
        this.seed = seed;
        this.threads = threads;
    }

    /** Sets up the data: opens sources and passes those that turns read by themselves to {@link #feed}. */
    protected abstract void setupData();

    /** Sets up the model: its programs and turns. Returns the graph whose parameters are trained. */
    protected abstract Graph setupModel();

    /** Trains an iteration, taking turns by {@link #step}. */
    protected abstract void trainBatch();

    /** Returns the total number of iterations. */
    protected abstract long maxIteration();

    /** Returns the interval in iterations at which {@link #validate} is called; 0 for never. */
    protected long validInterval() {
        return 0;
    }

    /** Returns the interval in iterations at which a checkpoint is written; 0 for one at the end only. */
    protected long saveInterval() {
        return 0;
    }

    /** Evaluates the model by a rule of its own and records the result by {@link #log}. */
    protected void validate() {}

    /** Changes the store after its initialisation, such as {@code parameters.copy("net/**", "ema/net/**")}. */
    protected void initialise(Parameters parameters) {}

    /** Returns settings that are recorded with the configuration. */
    protected Record configuration() {
        return new NoSettings();
    }

    /** Returns the device: {@code cpu}; another one is refused. */
    protected String device() {
        return CPU;
    }

    /** Passes rows to sources from outside: called once before the first iteration if there are such sources. */
    protected void fedFrom(OnlineQueues queues) {}

    /** Further rings around it. */
    protected List<Ring> rings() {
        return List.of();
    }

    /** Returns this object's own state, which is saved with every checkpoint. */
    protected State saveOwn() {
        return State.empty();
    }

    /** Restores the state that {@link #saveOwn} returned. */
    protected void restoreOwn(State state) {}

    /**
     * Returns where metrics, lines and pictures are written: logger and visualiser in one. Usually metrics.jsonl,
     * log.txt and samples as PNG in the folder.
     */
    protected Recorder openRecorder(Path into) {
        return new FolderRecorder(new RunFolder(into), InstantSource.system());
    }

    /** Returns how often metrics are recorded. */
    protected RecordedRounds recorded() {
        return RecordedRounds.USUAL;
    }

    /**
     * Runs from the beginning.
     *
     * @throws hocket.workbench.files.UserError if the folder is not empty or another run begins there
     * @throws IllegalArgumentException if the device is not the CPU, or the turns contradict each other
     * @throws hocket.schedulers.turns.DivergedException if a loss or gradient is not finite
     */
    public final void run() {
        folder.requireFree();
        run(scheduler -> {}, folder::begin);
    }

    /**
     * Resumes from the newest checkpoint in the folder, with the same bits as an uninterrupted run.
     *
     * @throws IOException if there is no checkpoint or it is damaged, naming the file
     * @throws hocket.workbench.files.UserError if another process, or another run of this process, writes there
     * @throws IllegalArgumentException if the checkpoint does not match what is set up here, naming both
     */
    public final void resume() throws IOException {
        if (!folder.hasCheckpoint() && !folder.hasLock()) { // a reader leaves no lock in the folder
            throw new IOException("there is no checkpoint in " + folder.checkpoints());
        }
        try (RunLock lock = folder.resume()) {
            AtomicReference<Checkpoints.@Nullable Found> newest =
                    new AtomicReference<>(Checkpoints.newest(folder.checkpoints()));
            run(scheduler -> scheduler.resumeFrom(Objects.requireNonNull(newest.getAndSet(null))), () -> lock);
        }
    }

    /**
     * @param begin brings a scheduler to the first round of the run
     * @param take returns the folder's lock once all is set up: nothing is written before
     */
    private void run(Consumer<Scheduler> begin, Supplier<RunLock> take) {
        if (used) {
            throw new IllegalStateException("this object has been run: create another one for another run");
        }
        used = true;
        if (!device().equals(CPU)) {
            throw new IllegalArgumentException("device " + device() + ": Hocket computes on the " + CPU + " only");
        }
        setupData();
        Graph graph = setupModel();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(seed))) {
            initialise(parameters);
            try (Scheduler scheduler = Scheduler.over(parameters, threads);
                    Session session = Session.over(graph, parameters, Mode.EVAL, threads)) {
                feeds.forEach(fed -> scheduler.feed(fed.source(), fed.draw()));
                live = new Live(parameters, scheduler, session, null);
                scheduler.ring(new Own(session));
                begin.accept(scheduler);
                inFolder(live, take);
            }
        } finally {
            live = null;
        }
    }

    private void inFolder(Live begun, Supplier<RunLock> take) {
        Budget budget = Budget.rounds(maxIteration());
        try (RunLock lock = take.get()) {
            lock.folder().create();
            inFolder(begun, budget);
        }
    }

    private void inFolder(Live begun, Budget budget) {
        Scheduler scheduler = begun.scheduler();
        JsonLines.dropBeyond(folder.metrics(), scheduler.position().step());
        dump();
        Recorder recorder = openRecorder(folder.path());
        try {
            live = new Live(begun.parameters(), scheduler, begun.session(), recorder);
            scheduler
                    .saveTo(folder.checkpoints())
                    .savesAfter(recorder::force)
                    .ring(new RunLog(recorder))
                    .ring(new Recording(recorder, recorded(), System::nanoTime));
            if (validInterval() > 0) {
                scheduler.ring(TriggeredAction.of("validate", Trigger.everyRounds(validInterval()), run -> validate()));
            }
            if (saveInterval() > 0) {
                scheduler.ring(TriggeredAction.save(Trigger.everyRounds(saveInterval())));
            }
            scheduler.ring(TriggeredAction.saveAtEnd());
            rings().forEach(scheduler::ring);
            List<Source> sources = feeds.stream().map(Fed::source).toList();
            try (OnlineQueues queues = OnlineQueues.open(sources, folder.path(), RowsObserver.NOBODY)) {
                if (!queues.byFeed().isEmpty()) {
                    scheduler.ring(queues);
                    fedFrom(queues);
                }
                scheduler.run(budget, this::trainBatch);
                scheduler.settle(); // before the observers are closed
            }
        } finally {
            if (recorder instanceof AutoCloseable closeable) {
                close(closeable);
            }
        }
    }

    private static void close(AutoCloseable recorder) {
        try {
            recorder.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the recorder could not be closed: " + e.getMessage(), e);
        }
    }

    private void dump() {
        Configuration configuration = new Configuration(
                getClass().getName(),
                configuration(),
                seed,
                threads,
                device(),
                System.getProperty(Lowering.PROPERTY, "auto"),
                Kernels.best().name(),
                Version.number(),
                maxIteration(),
                validInterval(),
                saveInterval());
        Path file = folder.path().resolve("configuration.json");
        FileWork.make(
                file + " could not be written", () -> AtomicFile.write(file, JsonDocument.of(configuration) + "\n"));
    }

    /** Feeds turns that are taken without a source: each turn samples its own rows. Called in {@link #setupData}. */
    protected final void feed(Source source) {
        feed(source, Resample.EACH_TURN);
    }

    /** Feeds turns as above, with a resampling rule. */
    protected final void feed(Source source, Resample resample) {
        feeds.add(new Fed(source, resample));
    }

    /** Takes a turn, fed by these sources, or by those of {@link #feed}. Throws as {@link Scheduler#step}. */
    protected final Event step(Turn turn, Source... sources) {
        return scheduler().step(turn, sources);
    }

    /** Takes a turn that minimises a loss and returns its result. Throws as {@link Scheduler#step}. */
    protected final Event.Descended descend(Turn.Descend turn, Source... sources) {
        return (Event.Descended) scheduler().step(turn, sources);
    }

    /**
     * Returns any intermediate value of a program for some rows, by its path in the graph; it is computed in the
     * program's mode and with the parameters that the program reads. Changes nothing.
     *
     * @param path such as {@code discriminator/conv1}: in the call that the program makes
     * @throws IllegalArgumentException if there is no such value, naming similar ones, or the rows do not feed it
     */
    protected final Tensor value(Program program, String path, Feeds rows) {
        Value value = program.value(path);
        Program asked = program.with(List.of(value));
        return compute(asked, rows).get(asked.targets().indexOf(value));
    }

    /** Returns all values that a program computes for some rows. Changes nothing. */
    protected final List<Tensor> compute(Program program, Feeds rows) {
        return scheduler().asSaved(() -> live().session().run(program, rows));
    }

    /** Records a metric: {@code log("validation", "error_rate", 0.03)}. */
    protected final void log(String group, String name, double value) {
        recorder().scalar(scheduler().position(), group, name, value);
    }

    /** Shows images: (count, channels, height, width) in -1..1. */
    protected final void show(String name, Tensor images) {
        recorder().images(scheduler().position(), name, images);
    }

    /** Writes a line for people. */
    protected final void say(String text) {
        recorder().text(scheduler().position(), "says", text);
    }

    /** Writes a checkpoint now. */
    protected final void save() {
        scheduler().now().save();
    }

    /** Ends the run after this iteration. */
    protected final void stop() {
        scheduler().now().stop();
    }

    /** Returns the number of completed iterations. */
    protected final long iteration() {
        return scheduler().position().round();
    }

    /** The store. */
    protected final Parameters parameters() {
        return live().parameters();
    }

    /** The scheduler that takes the turns: settings, gradients, what turns observed. */
    protected final Scheduler scheduler() {
        return live().scheduler();
    }

    /** Logger and visualiser. */
    protected final Recorder recorder() {
        return Objects.requireNonNull(live().recorder(), "the recorder exists after the first iteration has begun");
    }

    /** Returns the folder of the run. */
    public final Path folder() {
        return folder.path();
    }

    private Live live() {
        return Objects.requireNonNull(live, "no run is in progress: call this in trainBatch or validate");
    }

    /** A ring that saves this object's own state and the number of value requests. */
    private final class Own implements Ring, Stateful {
        private final Session session;

        Own(Session session) {
            this.session = session;
        }

        @Override
        public String name() {
            return "experiment";
        }

        @Override
        public State save() {
            return State.empty().with("own", saveOwn()).with("asked", session.runs());
        }

        @Override
        public void restore(State state) {
            restoreOwn(state.state("own"));
            session.goOnFrom(state.whole("asked"));
        }
    }
}
