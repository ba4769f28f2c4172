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
import hocket.workbench.json.JsonDocument;
import hocket.workbench.json.JsonLines;
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
 * A loop of one's own with everything around it: extend it, say what the data and the model are and what a batch does, and it
 * keeps a folder with configuration, figures, pictures and checkpoints, validates and saves at intervals, and goes on to the
 * same bits.
 *
 * <p>{@link #run} calls {@link #setupData}, {@link #setupModel} and then {@link #trainBatch} until {@link #maxIteration}; an
 * iteration is a round of a {@link Scheduler}, and what is around it are its rings. Used by one thread. One object is for one
 * run.
 */
public abstract class Experiment {
    private static final String CPU = "cpu";

    /** Settings of an experiment that has none. */
    private record NoSettings() {}

    /** What is written down of an experiment before it begins. */
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

    /** What there is while it runs. */
    private record Live(
            Parameters parameters,
            Scheduler scheduler,
            Session session,
            @Nullable Recorder recorder) {}

    /** A source, and when it is drawn from. */
    private record Fed(Source source, Resample draw) {}

    private final RunFolder folder;
    private final long seed;
    private final int threads;
    private final List<Fed> feeds = new ArrayList<>();
    private @Nullable Live live;
    private boolean used;

    /**
     * @param folder where everything goes; made where it is missing
     * @param seed of weights, noise and the order of the data
     */
    protected Experiment(Path folder, long seed) {
        this(folder, seed, Runtime.getRuntime().availableProcessors());
    }

    /** @param threads how many compute, on which results may depend; at least 1 */
    protected Experiment(Path folder, long seed, int threads) {
        this.folder = new RunFolder(folder);
        this.seed = seed;
        this.threads = threads;
    }

    /** Sets up the data: opens sources, and gives those that turns draw from by themselves to {@link #feed}. */
    protected abstract void setupData();

    /** Sets up the model: its programs and turns. Gives the graph whose parameters are trained. */
    protected abstract Graph setupModel();

    /** One iteration: takes turns by {@link #step}. */
    protected abstract void trainBatch();

    /** How many iterations there are in all. */
    protected abstract long maxIteration();

    /** After so many iterations each {@link #validate} is called; 0 for never. */
    protected long validInterval() {
        return 0;
    }

    /** After so many iterations each a checkpoint is written, beside the one at the end; 0 for only that. */
    protected long saveInterval() {
        return 0;
    }

    /** Looks how good it is by a rule of its own, and says so by {@link #log}. */
    protected void validate() {}

    /** Changes the store once it is initialised, such as {@code parameters.copy("net/**", "ema/net/**")}. */
    protected void initialise(Parameters parameters) {}

    /** Settings to be written down with the configuration. */
    protected Record configuration() {
        return new NoSettings();
    }

    /** Where it computes: {@code cpu}; another one is refused. */
    protected String device() {
        return CPU;
    }

    /** Gives rows to sources from outside: called once before the first iteration, where there are any. */
    protected void fedFrom(OnlineQueues queues) {}

    /** Further rings around it. */
    protected List<Ring> rings() {
        return List.of();
    }

    /** What this object itself remembers, which is saved with every checkpoint. */
    protected State saveOwn() {
        return State.empty();
    }

    /** Goes back to what {@link #saveOwn} gave. */
    protected void restoreOwn(State state) {}

    /**
     * Where figures, lines and pictures go: logger and visualiser in one. Usually metrics.jsonl, log.txt and samples as PNG in
     * the folder.
     */
    protected Recorder openRecorder(Path into) {
        return new FolderRecorder(new RunFolder(into), InstantSource.system());
    }

    /** How often metrics are recorded. */
    protected RecordedRounds recorded() {
        return RecordedRounds.USUAL;
    }

    /**
     * Runs from the beginning.
     *
     * @throws hocket.workbench.terminal.UserError if there is something in the folder already, or another run begins there
     * @throws IllegalArgumentException if the device is another than the CPU, or the turns do not fit each other
     * @throws hocket.schedulers.turns.DivergedException if a loss or gradient is not finite
     */
    public final void run() {
        folder.requireFree();
        run(scheduler -> {}, folder::begin);
    }

    /**
     * Goes on from the newest checkpoint in the folder, to the same bits as if nothing had been between.
     *
     * @throws IOException if there is none, or it is damaged, naming the file
     * @throws hocket.workbench.terminal.UserError if another process, or another run here, writes there
     * @throws IllegalArgumentException if it does not fit what is set up here, naming both
     */
    public final void resume() throws IOException {
        if (!folder.hasCheckpoint() && !folder.hasLock()) { // who only looks leaves no lock behind
            throw new IOException("there is no checkpoint in " + folder.checkpoints());
        }
        try (RunLock lock = folder.resume()) {
            AtomicReference<Checkpoints.@Nullable Found> newest =
                    new AtomicReference<>(Checkpoints.newest(folder.checkpoints()));
            run(scheduler -> scheduler.resumeFrom(Objects.requireNonNull(newest.getAndSet(null))), () -> lock);
        }
    }

    /**
     * @param begin takes a scheduler to where the run begins
     * @param take gives the folder's lock once all is set up: nothing is written before
     */
    private void run(Consumer<Scheduler> begin, Supplier<RunLock> take) {
        if (used) {
            throw new IllegalStateException("this object has run: make another one for another run");
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
                scheduler.settle(); // before who hears of it is closed
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

    /** Feeds turns that are taken without a source of their own: each draws rows of its own. In {@link #setupData}. */
    protected final void feed(Source source) {
        feed(source, Resample.EACH_TURN);
    }

    /** The same, drawn from as is said. */
    protected final void feed(Source source, Resample resample) {
        feeds.add(new Fed(source, resample));
    }

    /** Takes a turn, fed by these sources, or by those of {@link #feed}. Throws as {@link Scheduler#step}. */
    protected final Event step(Turn turn, Source... sources) {
        return scheduler().step(turn, sources);
    }

    /** Takes a turn that descends a loss, and gives what came of it. Throws likewise. */
    protected final Event.Descended descend(Turn.Descend turn, Source... sources) {
        return (Event.Descended) scheduler().step(turn, sources);
    }

    /**
     * Any intermediate value of a program for some rows, by its path in the graph; computed as that program computes it, with
     * its mode and the parameters that it reads. Changes nothing.
     *
     * @param path such as {@code discriminator/conv1}: in the call that the program makes
     * @throws IllegalArgumentException if there is no such value, naming what is near, or the rows do not feed it
     */
    protected final Tensor value(Program program, String path, Feeds rows) {
        Value value = program.value(path);
        Program asked = program.with(List.of(value));
        return compute(asked, rows).get(asked.targets().indexOf(value));
    }

    /** All that a program computes for some rows. Changes nothing. */
    protected final List<Tensor> compute(Program program, Feeds rows) {
        return scheduler().asSaved(() -> live().session().run(program, rows));
    }

    /** Records a figure: {@code log("validation", "error_rate", 0.03)}. */
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

    /** Ends with this iteration. */
    protected final void stop() {
        scheduler().now().stop();
    }

    /** Iterations that are done. */
    protected final long iteration() {
        return scheduler().position().round();
    }

    /** The store. */
    protected final Parameters parameters() {
        return live().parameters();
    }

    /** What takes the turns: settings, gradients, what turns observed. */
    protected final Scheduler scheduler() {
        return live().scheduler();
    }

    /** Logger and visualiser. */
    protected final Recorder recorder() {
        return Objects.requireNonNull(live().recorder(), "there is a recorder once iterations begin");
    }

    /** Where everything goes. */
    public final Path folder() {
        return folder.path();
    }

    private Live live() {
        return Objects.requireNonNull(live, "nothing runs just now: this is for trainBatch and validate");
    }

    /** What this object remembers, and how often values were asked for, as a ring. */
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
