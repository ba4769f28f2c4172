package hocket.workbench.live.inference;

import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Setup;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a run's programs on rows, with a copy of its parameters, on a thread of its own that batches all waiting
 * requests for one program. While there are requests the copy is renewed: at most once a second, for at most a
 * hundredth of the run's time, between two batches, so that no request is lost and none mixes parameters of two
 * moments.
 *
 * <p>Numbers of rows are rounded up to powers of two, so that few programs are bound; the padding is discarded.
 */
public final class ModelServer implements AutoCloseable {
    /** The largest number of rows in a batch. */
    private static final int MOST_AT_ONCE = 256;
    /** The largest number of values of its inputs and outputs: some ten megabytes. */
    private static final long MOST_NUMBERS_AT_ONCE = 4L << 20;
    /** The largest number of waiting rows: some seconds of work; further requests are rejected. */
    private static final int MOST_WAITING = 10_000;
    /** The largest number of waiting values: some tens of megabytes. */
    private static final long MOST_NUMBERS_WAITING = 16L << 20;

    private static final long LEAST_NANOS = 1_000_000_000L;
    private static final int SHARE = 100;
    /** The time limit: a turn may be long, and there are no parameters before its end. */
    private static final long FIRST_NANOS = 20_000_000_000L;
    /**
     * After an idle time of this length the server waits as long for newer parameters, once, before it uses the old
     * ones.
     */
    private static final long AGAIN_NANOS = 500_000_000L;

    private static final String ENDED = "the run is no longer served";

    private record Asked(Servable.Question question, CompletableFuture<InferenceResult> answer) {}

    private final Setup setup;
    private final long seed;
    private final Supplier<CompletableFuture<ParameterCopy>> newest;
    private final long least;
    private final Map<String, Servable> servables = new HashMap<>();

    // Guarded by the lock of the queue.
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private int rowsWaiting;
    private long numbersWaiting;
    private boolean busy;
    private boolean closed;
    private @Nullable Thread worker;

    // Of the worker alone.
    private @Nullable CompletableFuture<ParameterCopy> coming;
    private long waitUntil;
    private long renewedAt;
    private long rest;
    private long step = -1;

    /**
     * Starts at the first request.
     *
     * @param setup a setup of the run, which nobody trains
     * @param newest returns the run's parameters soon; called by one thread
     */
    public ModelServer(Setup setup, long seed, Supplier<CompletableFuture<ParameterCopy>> newest) {
        this(setup, seed, newest, LEAST_NANOS);
    }

    /** @param least nanoseconds for which the same parameters are used */
    ModelServer(Setup setup, long seed, Supplier<CompletableFuture<ParameterCopy>> newest, long least) {
        this.setup = setup;
        this.seed = seed;
        this.newest = newest;
        this.least = least;
        this.rest = least;
    }

    /** Returns the program or module of a name. Throws as {@link Servable#of}. */
    public Servable servable(String name) {
        synchronized (servables) {
            Servable known = servables.get(name);
            if (known == null) {
                known = Servable.of(name, setup);
                servables.put(name, known);
            }
            return known;
        }
    }

    /** Returns whether no request is waiting. */
    public boolean isIdle() {
        synchronized (waiting) {
            return waiting.isEmpty() && !busy;
        }
    }

    /**
     * Asks; any thread.
     *
     * @return the answer; or a {@link TimeoutException} if there are no parameters for twenty seconds, or the failure
     * @throws BusyException if the queue is full
     * @throws IllegalStateException if it is closed
     */
    public CompletableFuture<InferenceResult> ask(Servable.Question question) {
        Asked asked = new Asked(question, new CompletableFuture<>());
        synchronized (waiting) {
            if (closed) {
                throw new IllegalStateException(ENDED);
            }
            if (!waiting.isEmpty()
                    && (rowsWaiting + question.rows() > MOST_WAITING
                            || numbersWaiting + question.numbers() > MOST_NUMBERS_WAITING)) {
                throw new BusyException(rowsWaiting);
            }
            waiting.add(asked);
            rowsWaiting += question.rows();
            numbersWaiting += question.numbers();
            if (worker == null) {
                Thread thread = new Thread(this::work, "inference");
                thread.setDaemon(true);
                worker = thread;
                thread.start();
            }
            waiting.notifyAll();
        }
        return asked.answer();
    }

    private void work() {
        Parameters parameters = null;
        Session session = null;
        try {
            for (List<Asked> batch = take(); !batch.isEmpty(); batch = take()) {
                try {
                    if (parameters == null) {
                        parameters = setup.initialise(seed);
                    }
                    if (session == null) {
                        session = Session.over(parameters, 1);
                    }
                    answer(batch, session);
                } catch (Throwable e) { // a lack of memory, too: these requests must fail, others continue
                    batch.forEach(asked -> asked.answer().completeExceptionally(e));
                }
            }
        } finally {
            end();
            if (coming != null) {
                coming.cancel(false);
            }
            if (session != null) {
                session.close();
            }
            if (parameters != null) {
                parameters.close();
            }
        }
    }

    private void end() {
        synchronized (waiting) {
            closed = true;
            waiting.forEach(asked -> asked.answer().completeExceptionally(new IllegalStateException(ENDED)));
            waiting.clear();
        }
    }

    /** Returns the next batch; empty when the server is closed. */
    private List<Asked> take() {
        List<Asked> batch = new ArrayList<>();
        synchronized (waiting) {
            busy = false;
            try {
                while (waiting.isEmpty() && !closed) {
                    waiting.wait();
                }
            } catch (InterruptedException e) {
                closed = true;
            }
            if (closed) {
                return List.of();
            }
            busy = true;
            Asked first = waiting.remove();
            batch.add(first);
            Servable of = first.question().of();
            int rows = first.question().rows();
            long numbers = first.question().numbers();
            Iterator<Asked> others = waiting.iterator();
            while (!of.mixesRows() && rows < MOST_AT_ONCE && others.hasNext()) {
                Asked other = others.next();
                Servable.Question question = other.question();
                if (question.of() == of
                        && rows + question.rows() <= MOST_AT_ONCE
                        && numbers + question.numbers() <= MOST_NUMBERS_AT_ONCE) {
                    rows += question.rows();
                    numbers += question.numbers();
                    batch.add(other);
                    others.remove();
                }
            }
            rowsWaiting -= rows;
            numbersWaiting -= numbers;
        }
        return batch;
    }

    private void answer(List<Asked> batch, Session session) throws TimeoutException {
        renew(session.parameters());
        Servable of = batch.get(0).question().of();
        int rows = batch.stream().mapToInt(asked -> asked.question().rows()).sum();
        List<Tensor> outputs = of.given(session.run(of.program(), feeds(batch, rows)));
        int first = 0;
        for (Asked asked : batch) {
            int from = first;
            int own = asked.question().rows();
            asked.answer()
                    .complete(new InferenceResult(
                            step,
                            outputs.stream()
                                    .map(output -> RowTensors.cut(output, from, own))
                                    .toList()));
            first += own;
        }
    }

    private static Feeds feeds(List<Asked> batch, int rows) {
        int atOnce = batch.get(0).question().of().mixesRows() ? rows : Integer.highestOneBit(2 * rows - 1);
        Feeds feeds = Feeds.rows(atOnce);
        for (String input : batch.get(0).question().feeds().tensors().keySet()) {
            List<Tensor> parts = new ArrayList<>();
            batch.forEach(asked -> parts.add(asked.question().feeds().tensors().get(input)));
            feeds = feeds.and(input, RowTensors.stacked(parts, atOnce));
        }
        return feeds;
    }

    /**
     * Uses newer parameters if they have arrived, and requests some if it is time. It waits for the first, and after an
     * idle time; in both cases once, not again for every batch.
     */
    private void renew(Parameters parameters) throws TimeoutException {
        long now = System.nanoTime();
        boolean isFirst = step < 0;
        if (coming == null && (isFirst || now - renewedAt >= rest)) {
            coming = newest.get();
            waitUntil = now + (isFirst ? FIRST_NANOS : now - renewedAt >= 2 * rest ? AGAIN_NANOS : 0);
        }
        CompletableFuture<ParameterCopy> asked = coming;
        if (asked == null) {
            return;
        }
        try {
            ParameterCopy copy = asked.get(Math.max(0, waitUntil - now), TimeUnit.NANOSECONDS);
            if (copy.step() != step) {
                parameters.restore(copy.snapshot());
                step = copy.step();
            }
            rest = Math.max(least, SHARE * copy.nanos());
            done();
        } catch (ExecutionException e) {
            done();
            if (isFirst) { // else the run has ended, and the present parameters are its last
                throw e.getCause() instanceof RuntimeException own ? own : new CompletionException(e.getCause());
            }
        } catch (TimeoutException e) {
            if (isFirst) {
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ENDED, e);
        }
    }

    private void done() {
        coming = null;
        renewedAt = System.nanoTime();
    }

    /** Closes the server; waiting requests fail. */
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.notifyAll();
            if (worker != null) {
                worker.interrupt();
            }
        }
    }
}
