package hocket.schedulers.inference;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.execution.ProgramException;
import hocket.schedulers.Source;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that owns a session: it opens one for the first call, another when the model has changed, and closes it at its end. */
final class InferenceThread extends Thread {
    private static final int WARM_UP_CALLS = 20;

    private @Nullable InferenceSession session;

    InferenceThread(Runnable work, int number) {
        super(work, "hocket-inference-" + number);
        setDaemon(true);
        setUncaughtExceptionHandler((thread, failure) -> {}); // the caller has received the error
    }

    @Override
    public void run() {
        try {
            super.run();
        } finally {
            end();
        }
    }

    /** Answers a call. An engine that has failed for good ends this thread, and another takes its place. */
    void answer(TrainedModel model, int threads, Feeds rows, OptionalLong seed, CompletableFuture<Outputs> answer) {
        if (answer.isDone()) {
            return; // nobody waits for it any more
        }
        try {
            answer.complete(of(model, threads).infer(rows, seed));
        } catch (ProgramException e) {
            answer.completeExceptionally(e);
            if (e.threadLost()) {
                throw e;
            }
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    /**
     * Answers calls of a row of zeros; a failure is left to the first call.
     *
     * @param isIdle whether nobody else calls
     */
    void warmUp(TrainedModel model, int threads, BooleanSupplier isIdle) {
        Feeds zeros = Feeds.rows(1);
        for (Source.Column input : model.function().inputs()) {
            Shape shape = input.shape().prepend(1);
            ByteBuffer numbers = ByteBuffer.allocate(shape.bytes(input.type()));
            zeros = zeros.and(input.name(), Tensor.copyOf(shape, input.type(), numbers));
        }
        for (int i = 0; i < WARM_UP_CALLS && isIdle.getAsBoolean(); i++) {
            answer(model, threads, zeros, OptionalLong.empty(), new CompletableFuture<>());
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private InferenceSession of(TrainedModel model, int threads) {
        InferenceSession open = session;
        if (open == null || open.model != model) {
            end();
            open = new InferenceSession(model, threads);
            session = open;
        }
        return open;
    }

    private void end() {
        InferenceSession open = session;
        session = null;
        if (open != null) {
            open.close();
        }
    }

    /** A trained model on its own store. Only the thread that made it uses and closes it. */
    private static final class InferenceSession implements AutoCloseable {
        final TrainedModel model;
        private final Parameters parameters;
        private final InferenceFunction.Bound bound;

        InferenceSession(TrainedModel model, int threads) {
            this.model = model;
            SortedMap<Path, Declaration> read = new TreeMap<>();
            for (Program program : model.function().programs()) {
                program.parameters()
                        .forEach((path, value) -> read.put(path, Declaration.zeros(path, value.shape(), value.type())));
            }
            SortedMap<Path, Tensor> values = new TreeMap<>();
            read.keySet().forEach(path -> values.put(path, model.values().tensor(path.text())));
            parameters = Parameters.initialise(read.values(), Streams.seed(0));
            try {
                parameters.restore(new Snapshot(values));
                bound = model.function().bind(parameters, threads);
            } catch (RuntimeException | Error e) {
                parameters.close();
                throw e;
            }
        }

        Outputs infer(Feeds rows, OptionalLong seed) {
            return new Outputs(model.step(), model.function().outputs(), bound.infer(rows, seed));
        }

        @Override
        public void close() {
            try (parameters) {
                bound.close();
            }
        }
    }
}
