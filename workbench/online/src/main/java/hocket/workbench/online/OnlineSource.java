package hocket.workbench.online;

import hocket.schedulers.Source;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A source of rows that arrive while a run trains, in the order of arrival, each once: its state is the number of the
 * next row, so a resumed run continues with the row after its checkpoint. A read waits until a whole batch has arrived.
 * It has no epochs.
 *
 * <p>It returns rows after {@link OnlineQueues} has opened its queue in a run's folder; until then it can be described,
 * saved and restored, and opens no file.
 */
public final class OnlineSource implements Source {
    /** The interval at which a waiting source checks whether the run is to end. */
    private static final long LOOK_MILLIS = 100;

    /** The state that sources of one feed share. */
    private static final class Feed {
        final String name;
        final RowFormat format;
        final int batch;
        final long capacity;
        final boolean forced;
        long next;
        volatile boolean waits;
        RowsObserver watch = RowsObserver.NOBODY;

        @Nullable
        DurableQueue queue;

        @Nullable
        QueueReader reader;

        Feed(String name, RowFormat format, int batch, long capacity, boolean forced) {
            this.name = name;
            this.format = format;
            this.batch = batch;
            this.capacity = capacity;
            this.forced = forced;
        }
    }

    private final Feed feed;
    private final String name;
    private final List<Column> columns;

    /**
     * @param name of the feed, and of its folder: letters, digits, {@code . _ -}, not beginning with a dot
     * @param batch rows a draw
     * @param capacity largest number of waiting rows, at least two batches
     * @param forced whether a row is acknowledged only after it is on the device
     * @throws IllegalArgumentException if the name is invalid for a folder, or a batch has no room
     */
    public OnlineSource(String name, RowFormat format, int batch, long capacity, boolean forced) {
        this(new Feed(name, format, batch, capacity, forced), name, format.columns());
        if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException("a feed from outside is kept in a folder of its name, which must be 1 to"
                    + " 100 letters, digits and . _ -, the first not a dot, was \"" + name + "\"");
        }
        if (batch < 1 || capacity < 2L * batch) {
            throw new IllegalArgumentException("capacity: must be at least 2 batches of " + batch
                    + " rows, so that a batch fits while one is waited for, was " + capacity);
        }
    }

    private OnlineSource(Feed feed, String name, List<Column> columns) {
        this.feed = feed;
        this.name = name;
        this.columns = columns;
    }

    @Override
    public Source feeding(String other, List<String> inputs) {
        if (inputs.isEmpty()) {
            return new OnlineSource(feed, other, columns);
        }
        if (inputs.size() != columns.size()) {
            throw new IllegalArgumentException("feed_order names " + inputs.size() + " inputs, and source " + name
                    + " has " + columns.size() + " columns: " + columns);
        }
        List<Column> renamed = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            Column column = columns.get(i);
            renamed.add(new Column(inputs.get(i), column.shape(), column.type()));
        }
        return new OnlineSource(feed, other, List.copyOf(renamed));
    }

    /** Returns the name of its feed, and of its queue's folder. */
    String feedName() {
        return feed.name;
    }

    /**
     * Opens its queue and continues there at its position.
     *
     * @param folder of the queue; created if missing
     * @param segmentBytes size after which a new segment begins
     * @throws UncheckedIOException as {@link DurableQueue#open}
     * @throws IllegalArgumentException as {@link DurableQueue#open}, or if its next row is neither stored nor the next to
     *     arrive
     */
    DurableQueue open(Path folder, long segmentBytes, RowsObserver rowsObserver) {
        if (feed.queue != null) {
            throw new IllegalStateException("source " + name + " has its queue already");
        }
        DurableQueue queue =
                DurableQueue.open(folder, feed.format, feed.capacity, feed.forced, segmentBytes, LogFile::local);
        try {
            requireThere(queue, feed.next);
        } catch (RuntimeException e) {
            queue.close();
            throw e;
        }
        queue.taken(feed.next);
        feed.queue = queue;
        feed.reader = new QueueReader(queue);
        feed.watch = rowsObserver;
        return queue;
    }

    private void requireThere(DurableQueue queue, long next) {
        if (next < queue.first() || next > queue.end()) {
            throw new IllegalArgumentException("source " + name + " continues with row " + next + ", and the queue "
                    + queue.folder() + " has rows " + queue.first() + " to " + queue.end()
                    + ": it belongs to another run, or part of it was deleted");
        }
    }

    /** Stops reading; the owner closes the queue. */
    void close() {
        QueueReader reader = feed.reader;
        feed.reader = null;
        feed.queue = null;
        if (reader != null) {
            try {
                reader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return feed.batch;
    }

    /** Returns whether training is waiting for its rows; used by any thread. */
    public boolean waits() {
        return feed.waits;
    }

    /**
     * Returns the next rows after they have arrived.
     *
     * @throws IllegalStateException if no run has opened its queue
     * @throws WaitCancelledException if the run is to end while it waits, or its thread is interrupted
     * @throws UncheckedIOException if rows on the disk were changed, naming file and place; none of them is returned
     */
    @Override
    public int next(Streams streams, Sink sink) {
        DurableQueue queue = feed.queue;
        QueueReader reader = feed.reader;
        if (queue == null || reader == null) {
            throw new IllegalStateException("source " + name
                    + " has rows only while a run trains: they come from outside, into the run's folder");
        }
        await(queue);
        ByteBuffer[] out = new ByteBuffer[columns.size()];
        int[] to = new int[columns.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = sink.column(i, feed.batch);
        }
        try {
            reader.read(feed.next, feed.batch, (column, bytes, from, length) -> {
                if (out[column] != null) {
                    RowBatch.put(
                            out[column],
                            to[column],
                            bytes,
                            from,
                            length,
                            columns.get(column).type().bytes());
                    to[column] += length;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("source " + name + ": " + e.getMessage(), e);
        }
        feed.next += feed.batch;
        queue.taken(feed.next);
        return feed.batch;
    }

    private void await(DurableQueue queue) {
        long until = feed.next + feed.batch;
        long there = available(queue, until, 0);
        if (there >= feed.batch) {
            return;
        }
        feed.waits = true;
        try {
            while (there < feed.batch) {
                if (feed.watch.isAskedToEnd()) {
                    throw new WaitCancelledException(name);
                }
                feed.watch.waits(name, there, feed.batch);
                there = available(queue, until, LOOK_MILLIS);
            }
        } finally {
            feed.waits = false;
            feed.watch.continues(name);
        }
    }

    /** Returns how many rows can be read after waiting for a limited time. */
    private long available(DurableQueue queue, long until, long millis) {
        try {
            return queue.await(feed.next, until, millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitCancelledException(name);
        }
    }

    /** Returns 0, as rows do not begin again. */
    @Override
    public double epoch() {
        return 0;
    }

    @Override
    public boolean hasEpochs() {
        return false;
    }

    @Override
    public List<String> notes() {
        return List.of(String.format(
                Locale.ROOT,
                "rows come from outside while it trains; %,d may wait, acknowledged once the %s has them",
                feed.capacity,
                feed.forced ? "disk" : "system"));
    }

    /** Returns the number of its next row in a state of its own. */
    static long next(State saved) {
        return saved.whole("row");
    }

    /**
     * Returns the number of the next row after forcing the rows before it to the device, so that a checkpoint refers to
     * no lost row.
     */
    @Override
    public State save() {
        Optional.ofNullable(feed.queue).ifPresent(queue -> queue.secure(feed.next));
        return State.empty().with("row", feed.next);
    }

    @Override
    public void restore(State state) {
        long next = next(state);
        DurableQueue queue = feed.queue;
        if (next < 0) {
            throw new IllegalArgumentException("source " + name + ": the saved state continues with row " + next);
        }
        if (queue != null) {
            requireThere(queue, next);
            queue.taken(next);
        }
        feed.next = next;
    }
}
