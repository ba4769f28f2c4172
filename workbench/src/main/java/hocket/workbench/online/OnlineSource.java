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
 * Rows that come while a run trains, in the order in which they came, each once: the number of the next one is its state, so
 * what a run trained on is what the checkpoint says that it goes on from. A draw waits until a whole batch is there. It has no
 * epochs.
 *
 * <p>It gives rows once {@link OnlineQueues} has opened its queue in a run's folder; until then it can be looked at, saved and
 * restored, and touches no disk.
 */
public final class OnlineSource implements Source {
    /** How often one that waits looks whether it is asked to end. */
    private static final long LOOK_MILLIS = 100;

    /** What sources of one feed share, by whatever names. */
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
     * @param name of the feed, and of its folder: letters, digits, {@code . _ -}, the first of them no dot
     * @param batch rows a draw
     * @param capacity rows that may wait, at least two batches
     * @param forced whether a row is acknowledged only once the device has it
     * @throws IllegalArgumentException if the name cannot be that of a folder, or a batch has no room
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

    /** What its feed is called, and the folder of its queue. */
    String feedName() {
        return feed.name;
    }

    /**
     * Opens its queue, and goes on there with the row that it stands at.
     *
     * @param folder of the queue; made where it is missing
     * @param segmentBytes after how many the next segment begins
     * @throws UncheckedIOException as {@link DurableQueue#open}
     * @throws IllegalArgumentException likewise, or if its next row is not there and not the one that comes next
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
            throw new IllegalArgumentException("source " + name + " goes on with row " + next + ", and the queue "
                    + queue.folder() + " has rows " + queue.first() + " to " + queue.end()
                    + ": it is that of another run, or part of it was taken away");
        }
    }

    /** Ends reading; the queue is closed by who opened it. */
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

    /** Whether training waits for its rows just now; any thread may ask. */
    public boolean waits() {
        return feed.waits;
    }

    /**
     * Gives the next rows, once they are there.
     *
     * @throws IllegalStateException if no run has opened its queue
     * @throws WaitCancelledException if it is asked to end while it waits
     * @throws UncheckedIOException if rows on the disk were changed, naming file and place; none of them is given
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
        long there = queue.await(feed.next, until, 0);
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
                there = queue.await(feed.next, until, LOOK_MILLIS);
            }
        } finally {
            feed.waits = false;
            feed.watch.continues(name);
        }
    }

    /** 0: rows do not come to an end and begin again. */
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

    /** The number of its next row in a state of its own. */
    static long next(State saved) {
        return saved.whole("row");
    }

    /** The number of the next row; rows before it are on the device from then on, so that a checkpoint knows of none that is lost. */
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
            throw new IllegalArgumentException("source " + name + ": the saved state goes on with row " + next);
        }
        if (queue != null) {
            requireThere(queue, next);
            queue.taken(next);
        }
        feed.next = next;
    }
}
