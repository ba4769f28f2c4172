package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Source.Column;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers calls to a trained model from any number of threads, without a trainer: {@code try (Inferencer agent =
 * Inferencer.load(Path.of("runs/cartpole-ppo"))) { agent.infer(observation).longs() }}.
 *
 * <p>It keeps a few sessions, each with its own thread and copy of the parameters; a call waits for a free one. The
 * same rows, seed and parameters give the same bits, whichever session computes them and whatever other calls do: rows
 * of two calls are never computed together. The last bits of a row may depend on how many rows its call has, as sums
 * may be taken in another order. Every method may be called from any thread.
 *
 * <p>After {@link #load(Path, LoadOptions)}, a session of a model on Java kernels computes up to twenty rows of zeros in the background until somebody calls: Java compiles
 * what runs, and the first call takes a fraction of the time.
 */
public final class Inferencer implements AutoCloseable {
    /** The number of calls of {@link #inferAsync} that may wait. */
    private static final int MOST_WAITING = 10_000;

    /** Reads the model again. */
    @FunctionalInterface
    private interface Loader {
        TrainedModel load() throws IOException;
    }

    private final Loader loader;
    private final int threads;
    private final ThreadPoolExecutor sessions;
    private final Object reloading = new Object();
    private volatile TrainedModel model;

    private Inferencer(Loader loader, TrainedModel model, LoadOptions options) {
        this.loader = loader;
        this.model = model;
        this.threads = options.threads();
        int count = sessions(model, options.sessions());
        AtomicInteger number = new AtomicInteger();
        this.sessions = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> new InferenceThread(work, number.incrementAndGet()));
    }

    /** The number of concurrent calls. */
    private static int sessions(TrainedModel model, int wanted) {
        for (Program program : model.function().programs()) {
            Lowering lowering = Lowering.of(program);
            if (!lowering.runsBeside()) {
                if (wanted > 1) {
                    throw new IllegalArgumentException("sessions must be 1, as " + lowering.title() + ", which runs "
                            + program.name() + ", computes one call at a time, was " + wanted);
                }
                return 1;
            }
        }
        return wanted > 0 ? wanted : Runtime.getRuntime().availableProcessors();
    }

    /**
     * Loads the newest whole checkpoint of a run folder, also of a run that still trains, or what {@code hocket export} or a
     * trainer's {@code saveInferenceModel} wrote. Of a run, an agent's policy gives actions for observations, with the
     * observations normalised as in training; a GAN gives samples by the program that draws its samples. Run folders are read
     * by the workbench, which must be on the class path.
     *
     * @throws IOException if there is no model in the folder, or a file is damaged, naming it
     */
    public static Inferencer load(Path folder) throws IOException {
        return load(folder, LoadOptions.ofNewest());
    }

    /**
     * The same with options, such as another checkpoint or another module.
     *
     * @throws IOException if there is no such model in the folder, or a file is damaged, naming it
     * @throws IllegalArgumentException if there are to be several sessions of a model that runs on the engine
     */
    public static Inferencer load(Path folder, LoadOptions options) throws IOException {
        Loader loader = () -> ModelFolder.read(folder, options);
        return new Inferencer(loader, loader.load(), options).warmedUp();
    }

    /** Computes rows of zeros in one session until a call comes, so that Java has compiled what the first calls run. */
    private Inferencer warmedUp() {
        if (model.function().programs().stream()
                .allMatch(program -> Lowering.of(program).runsBeside())) {
            sessions.execute(() -> ((InferenceThread) Thread.currentThread())
                    .warmUp(model, threads, () -> sessions.getTaskCount() == 1 && !sessions.isShutdown()));
        }
        return this;
    }

    /**
     * Loads a model that an older {@code saveInferenceModel} wrote without the program.
     *
     * @param program what the model infers by
     * @throws IOException if there is nothing in the folder, or a file is damaged, naming it
     * @throws IllegalArgumentException if it is of another model, naming path and both shapes
     */
    public static Inferencer load(Program program, Path folder) throws IOException {
        Loader loader = () -> SavedModel.read(folder, program);
        return new Inferencer(loader, loader.load(), LoadOptions.ofNewest());
    }

    /**
     * An inferencer of a program in EVAL mode, with parameters of which it takes those that the program reads, such as
     * {@code parameters.snapshot()} during training.
     *
     * @throws IllegalArgumentException if it computes nothing for a row, or the snapshot lacks a parameter
     */
    public static Inferencer of(Program program, Snapshot values) {
        return of(
                new TrainedModel(program.name(), 0, ProgramInference.of(program), values, List.of()),
                LoadOptions.ofNewest());
    }

    static Inferencer of(TrainedModel model, LoadOptions options) {
        return new Inferencer(() -> model, model, options);
    }

    /** The columns that a call gives: names, shapes of a row and types. */
    public List<Column> inputs() {
        return model.function().inputs();
    }

    /** The noise that a call may give; it is drawn from the call's seed otherwise. */
    public List<Column> noises() {
        return model.function().noises();
    }

    /** The columns of a result, the main one first. */
    public List<Column> outputs() {
        return model.function().outputs();
    }

    /** Turns of training that the parameters of the next call have taken. */
    public long step() {
        return model.step();
    }

    /** Remarks on how the model was read, a line each, such as a newer checkpoint that is damaged. */
    public List<String> warnings() {
        return model.warnings();
    }

    /**
     * The outputs for one row of the only input, such as an observation.
     *
     * @throws IllegalArgumentException if the model has not exactly one input, or it has another number of elements
     */
    public Outputs infer(float... row) {
        Column input = onlyInput("a row");
        if (row.length != input.shape().size()) {
            throw new IllegalArgumentException("input " + input.name() + " needs "
                    + input.shape().size() + " numbers for a row of " + input.shape() + ", got " + row.length);
        }
        return infer(Tensor.of(input.shape().prepend(1), row));
    }

    /**
     * The outputs for rows of the only input.
     *
     * @param rows (rows, …)
     * @throws IllegalArgumentException if the model has not exactly one input, or the rows do not fit it
     */
    public Outputs infer(Tensor rows) {
        return infer(Feeds.of(onlyInput("rows").name(), rows));
    }

    private Column onlyInput(String given) {
        List<Column> inputs = inputs();
        if (inputs.size() != 1) {
            throw new IllegalArgumentException(
                    title() + " has " + inputs.size() + " inputs, " + inputs + ", so " + given
                            + " of one is not enough: "
                            + (inputs.isEmpty() ? "ask by sample(rows, seed)" : "give Feeds of all"));
        }
        return inputs.get(0);
    }

    /**
     * Rows of a model that reads nothing but noise, such as a generator. The same seed gives the same rows, and more rows begin
     * with those.
     *
     * @throws IllegalArgumentException if there is no row, or the model has an input
     */
    public Outputs sample(int rows, long seed) {
        return infer(Feeds.rows(rows), seed);
    }

    /**
     * The outputs for rows of named inputs. Noise is drawn by seed 0, and an agent takes its most probable action.
     *
     * @throws IllegalArgumentException if an input is missing, unknown, misshapen, mistyped or out of its range
     * @throws CancellationException if the calling thread is interrupted, before or while it waits; it stays so
     * @throws IllegalStateException if this inferencer is closed
     */
    public Outputs infer(Feeds rows) {
        return await(submit(rows, OptionalLong.empty()));
    }

    /**
     * Infers with a seed, from which noise and the actions of a random policy are drawn. Throws as {@link #infer(Feeds)}.
     */
    public Outputs infer(Feeds rows, long seed) {
        return await(submit(rows, OptionalLong.of(seed)));
    }

    /**
     * Infers without waiting, for callers such as an event loop. It throws nothing: an exception of {@link #infer(Feeds)}
     * completes the future, as does a {@link RejectedExecutionException} if 10,000 calls are waiting already. Actions that
     * depend on the future run on the common pool, unless they name an executor. A future that is cancelled before a session
     * takes it is not computed.
     */
    public CompletableFuture<Outputs> inferAsync(Feeds rows) {
        return queued(rows, OptionalLong.empty());
    }

    /** Infers without waiting, with a seed from which noise and the actions of a random policy are drawn. */
    public CompletableFuture<Outputs> inferAsync(Feeds rows, long seed) {
        return queued(rows, OptionalLong.of(seed));
    }

    private CompletableFuture<Outputs> queued(Feeds rows, OptionalLong seed) {
        if (sessions.getQueue().size() >= MOST_WAITING) {
            return CompletableFuture.failedFuture(new RejectedExecutionException(
                    MOST_WAITING + " calls wait for " + title() + " already: ask again"));
        }
        CompletableFuture<Outputs> computed = submit(rows, seed);
        CompletableFuture<Outputs> answer = new CompletableFuture<>();
        computed.whenCompleteAsync((outputs, failure) -> { // what depends on it holds up no session
            if (failure == null) {
                answer.complete(outputs);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        answer.whenComplete((outputs, failure) -> computed.cancel(false)); // a caller that gives up needs no session
        return answer;
    }

    private CompletableFuture<Outputs> submit(Feeds rows, OptionalLong seed) {
        CompletableFuture<Outputs> answer = new CompletableFuture<>();
        try {
            sessions.execute(
                    () -> ((InferenceThread) Thread.currentThread()).answer(model, threads, rows, seed, answer));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new IllegalStateException("the inferencer of " + title() + " is closed", e));
        }
        return answer;
    }

    private Outputs await(CompletableFuture<Outputs> answer) {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(false); // no session computes it, unless one does so already
            Thread.currentThread().interrupt();
            CancellationException interrupted =
                    new CancellationException("interrupted while it waited for an answer of " + title());
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) { // with the caller's own trace
                throw new IllegalArgumentException(refused.getMessage(), refused);
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause(); // a session throws nothing else
        }
    }

    private String title() {
        return model.title();
    }

    /**
     * Reads the model again, such as the newest checkpoint of a run that still trains, while calls continue: those that
     * begin from now on are answered by it, each by the parameters of one moment, which {@link Outputs#step} names.
     * Where it throws, the former parameters stay.
     *
     * @return whether the parameters are others, or of another step, now
     * @throws IOException as {@link #load}, or if the model has other inputs or outputs now
     */
    public boolean reload() throws IOException {
        synchronized (reloading) {
            TrainedModel newer = loader.load();
            List<Column> before = columns(model);
            List<Column> now = columns(newer);
            if (!now.equals(before)) {
                throw new IOException(
                        title() + " is another model now: its columns were " + before + " and are " + now);
            }
            boolean moved = newer.step() != model.step()
                    || !newer.values().digest().equals(model.values().digest());
            if (moved || !newer.warnings().equals(model.warnings())) { // sessions of what is the same stay open
                model = newer;
            }
            return moved;
        }
    }

    private static List<Column> columns(TrainedModel model) {
        List<Column> columns = new ArrayList<>(model.function().inputs());
        columns.addAll(model.function().noises());
        columns.addAll(model.function().outputs());
        return columns;
    }

    /**
     * Refuses further calls, waits for those that were made before, and frees all sessions. Closing twice does nothing. An
     * interrupt does not end the waiting; the thread stays interrupted.
     */
    @Override
    public void close() {
        sessions.shutdown();
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = sessions.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The model in a folder of any kind. */
    private static final class ModelFolder {
        private ModelFolder() {}

        /** @throws IOException if there is none, or a file is damaged, naming it */
        static TrainedModel read(Path folder, LoadOptions options) throws IOException {
            if (!Files.isDirectory(folder)) {
                throw new IOException("there is no folder " + folder);
            }
            try {
                if (ExportedModel.isIn(folder)) {
                    requireNoChoice(folder, options);
                    return ExportedModel.read(folder);
                }
                if (SavedModel.isIn(folder)) {
                    requireNoChoice(folder, options);
                    return SavedModel.read(folder);
                }
                for (ModelReader reader : ServiceLoader.load(ModelReader.class)) {
                    Optional<TrainedModel> model = reader.read(folder, options);
                    if (model.isPresent()) {
                        return model.get();
                    }
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(folder + " holds no model that can be loaded: " + e.getMessage(), e);
            }
            throw new IOException(
                    Files.exists(folder.resolve("experiment.yaml"))
                            ? folder
                                    + " is a run folder: add the artifact hocket:workbench to the class path, which reads"
                                    + " run folders, or load what hocket export writes of it"
                            : folder + " holds no model: there is no experiment.yaml of a run, no "
                                    + ExportedModel.PROGRAM + " of an export and no LATEST of a saved model in it");
        }

        private static void requireNoChoice(Path folder, LoadOptions options) throws IOException {
            if (options.choosesOfRun()) {
                throw new IOException(
                        folder + " holds one model in one state: a checkpoint or a module is chosen of a run,"
                                + " or when it is exported");
            }
        }
    }
}
