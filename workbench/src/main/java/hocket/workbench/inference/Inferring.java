package hocket.workbench.inference;

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
 * Answers questions to a run's networks, from a copy of its parameters, on a thread of its own that takes all that waits for
 * one program at once. While there are questions the copy is renewed: at most once a second, for at most a hundredth of the
 * run's time, between two batches, so that no question is lost and none is answered by parameters of two moments.
 *
 * <p>Numbers of rows are rounded up to powers of two, so that few programs are bound; what is added is thrown away.
 */
public final class Inferring implements AutoCloseable {
    /** Rows that are computed at once. */
    private static final int MOST_AT_ONCE = 256;
    /** Some seconds of work; who asks more comes again. */
    private static final int MOST_WAITING = 10_000;

    private static final long LEAST_NANOS = 1_000_000_000L;
    private static final int SHARE = 100;
    /** A turn may be long; then there are no parameters yet. */
    private static final long FIRST_NANOS = 20_000_000_000L;
    /** Who has not been asked for a while waits as long for newer parameters, before it answers by old ones. */
    private static final long AGAIN_NANOS = 500_000_000L;

    private static final String ENDED = "the run is not served any longer";

    private record Asked(Servable.Question question, CompletableFuture<Answer> answer) {}

    private final Setup setup;
    private final long seed;
    private final Supplier<CompletableFuture<Weights>> newest;
    private final long least;
    private final Deque<Asked> waiting = new ArrayDeque<>();
    private final Map<String, Servable> servables = new HashMap<>();
    private int waitingRows;
    private boolean closed;
    private @Nullable Thread worker;

    // Of the worker alone.
    private @Nullable CompletableFuture<Weights> coming;
    private long renewedAt;
    private long rest;
    private long step = -1;

    /**
     * Begins once it is asked.
     *
     * @param setup of the run, which nobody trains
     * @param newest gives the parameters of the run as they are soon; asked by one thread
     */
    public Inferring(Setup setup, long seed, Supplier<CompletableFuture<Weights>> newest) {
        this(setup, seed, newest, LEAST_NANOS);
    }

    /** @param least nanoseconds for which the same parameters are good enough */
    Inferring(Setup setup, long seed, Supplier<CompletableFuture<Weights>> newest, long least) {
        this.setup = setup;
        this.seed = seed;
        this.newest = newest;
        this.least = least;
        this.rest = least;
    }

    /** What can be asked of that name. Throws as {@link Servable#of}. */
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

    /**
     * Asks; any thread.
     *
     * @return the answer; or a {@link TimeoutException} where the run gives no parameters for twenty seconds, or what failed
     * @throws BusyException if too much waits
     * @throws IllegalStateException if it is closed
     */
    public CompletableFuture<Answer> ask(Servable.Question question) {
        Asked asked = new Asked(question, new CompletableFuture<>());
        synchronized (waiting) {
            if (closed) {
                throw new IllegalStateException(ENDED);
            }
            if (!waiting.isEmpty() && waitingRows + question.rows() > MOST_WAITING) {
                throw new BusyException(waitingRows);
            }
            waiting.add(asked);
            waitingRows += question.rows();
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
        try (Parameters parameters = setup.initialise(seed);
                Session session = Session.over(parameters, 1)) {
            for (List<Asked> batch = take(); !batch.isEmpty(); batch = take()) {
                answer(batch, session);
            }
        } catch (RuntimeException | Error e) {
            end(e);
            throw e;
        }
        end(new IllegalStateException(ENDED));
    }

    private void end(Throwable why) {
        synchronized (waiting) {
            closed = true;
            waiting.forEach(asked -> asked.answer().completeExceptionally(why));
            waiting.clear();
            waitingRows = 0;
        }
    }

    /** What is answered next, at once; empty when it is closed. */
    private List<Asked> take() {
        List<Asked> batch = new ArrayList<>();
        synchronized (waiting) {
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
            Asked first = waiting.remove();
            batch.add(first);
            Servable of = first.question().of();
            int rows = first.question().rows();
            Iterator<Asked> others = waiting.iterator();
            while (!of.mixesRows() && others.hasNext()) {
                Asked other = others.next();
                if (other.question().of() == of && rows + other.question().rows() <= MOST_AT_ONCE) {
                    rows += other.question().rows();
                    batch.add(other);
                    others.remove();
                }
            }
            waitingRows -= rows;
        }
        return batch;
    }

    private void answer(List<Asked> batch, Session session) {
        try {
            renew(session.parameters());
            Servable of = batch.get(0).question().of();
            int rows = batch.stream().mapToInt(asked -> asked.question().rows()).sum();
            List<Tensor> outputs = of.given(session.run(of.program(), feeds(batch, rows)));
            int first = 0;
            for (Asked asked : batch) {
                int from = first;
                int own = asked.question().rows();
                asked.answer()
                        .complete(new Answer(
                                step,
                                outputs.stream()
                                        .map(output -> Rows.cut(output, from, own))
                                        .toList()));
                first += own;
            }
        } catch (RuntimeException | TimeoutException e) {
            batch.forEach(asked -> asked.answer().completeExceptionally(e));
        }
    }

    private static Feeds feeds(List<Asked> batch, int rows) {
        int atOnce = batch.get(0).question().of().mixesRows() ? rows : Integer.highestOneBit(2 * rows - 1);
        Feeds feeds = Feeds.rows(atOnce);
        for (String input : batch.get(0).question().feeds().tensors().keySet()) {
            List<Tensor> parts = new ArrayList<>();
            batch.forEach(asked -> parts.add(asked.question().feeds().tensors().get(input)));
            feeds = feeds.and(input, Rows.stacked(parts, atOnce));
        }
        return feeds;
    }

    /** Takes newer parameters if they have come, and asks for some if it is time; waits for the first, and where it was idle. */
    private void renew(Parameters parameters) throws TimeoutException {
        long age = System.nanoTime() - renewedAt;
        boolean isFirst = step < 0;
        if (coming == null && (isFirst || age >= rest)) {
            coming = newest.get();
        }
        CompletableFuture<Weights> asked = coming;
        if (asked == null) {
            return;
        }
        long patience = isFirst ? FIRST_NANOS : age >= 2 * rest ? AGAIN_NANOS : 0;
        try {
            Weights weights = asked.get(patience, TimeUnit.NANOSECONDS);
            if (weights.step() != step) {
                parameters.restore(weights.snapshot());
                step = weights.step();
            }
            rest = Math.max(least, SHARE * weights.nanos());
            done();
        } catch (ExecutionException e) {
            done();
            if (isFirst) { // else the run has ended, and those that are there are its last
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

    /** Answers no more; what waits is told so. */
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
