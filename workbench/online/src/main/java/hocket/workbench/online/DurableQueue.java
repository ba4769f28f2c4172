package hocket.workbench.online;

import hocket.schedulers.checkpoint.AtomicFolder;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.checkpoint.FileWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue of rows from outside, on the disk in the order of arrival, numbered from 0. An acknowledged row survives
 * {@code kill -9}, and a loss of power if writes are forced; a row that a client sends again is acknowledged again and
 * stored once. Waiting rows are not in memory. Any thread may append; one reads. One object at a time writes to a
 * folder; the lock of the run folder ensures it.
 */
public final class DurableQueue implements AutoCloseable {
    /** The number of clients that are remembered. */
    public static final int MOST_CLIENTS = 10_000;

    /** The longest name of a client, in bytes of UTF-8. */
    public static final int MOST_CLIENT_BYTES = 200;

    /** A client without name and sequence numbers, whose rows may be stored twice after a lost answer. */
    public static final String NOBODY = "";

    /** The size in bytes after which a new segment begins; old rows are deleted by whole files. */
    static final long SEGMENT_BYTES = 16L << 20;

    /**
     * An acknowledgement that rows are stored.
     *
     * @param next the client's next sequence number
     * @param stored rows of the batch that were new
     * @param waiting rows that wait now
     */
    public record Acknowledged(long next, int stored, long waiting) {}

    private final Path folder;
    private final RowFormat format;
    private final long capacity;
    private final boolean forced;
    private final long segmentBytes;
    private final LogFile.Opening files;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as all fields below. */
    private final SortedMap<String, Long> clients;

    private List<Segment> segments;
    private @Nullable LogFile last;
    private long lastBytes;

    /** Whether the next batch begins a segment: its file may exist already if creating it failed half-way. */
    private boolean isComplete;

    private byte[] frame = new byte[1 << 12];

    /** The number of the next row. */
    private long written;

    /** The number of the first row that a loss of power might take. */
    private long durable;

    /** The number of the next row to train on. */
    private long taken;

    private boolean forcing;
    private boolean closed;
    private @Nullable IOException failure;

    private DurableQueue(
            Path folder,
            RowFormat format,
            long capacity,
            boolean forced,
            long segmentBytes,
            LogFile.Opening files,
            QueueRecovery found) {
        this.folder = folder;
        this.format = format;
        this.capacity = capacity;
        this.forced = forced;
        this.segmentBytes = segmentBytes;
        this.files = files;
        this.clients = found.clients;
        this.segments = List.copyOf(found.segments);
        this.lastBytes = found.lastBytes;
        this.written = found.end;
        this.durable = found.end;
        this.taken = found.segments.isEmpty() ? 0 : found.segments.get(0).first();
    }

    /**
     * Opens the queue in a folder, which is created if missing. An unfinished batch at its end is cut off.
     *
     * @param capacity largest number of waiting rows, at least 2
     * @param forced whether a row is acknowledged only after it is on the device; otherwise after it is written to the
     *         system
     * @throws UncheckedIOException if a file was changed or is missing, naming file and place, or reading or writing
     *     fails; then nothing has changed
     * @throws IllegalArgumentException if there are rows of another format, naming both
     */
    public static DurableQueue open(Path folder, RowFormat format, long capacity, boolean forced) {
        return open(folder, format, capacity, forced, SEGMENT_BYTES, LogFile::local);
    }

    static DurableQueue open(
            Path folder, RowFormat format, long capacity, boolean forced, long segmentBytes, LogFile.Opening files) {
        if (capacity < 2) {
            throw new IllegalArgumentException("capacity must be at least 2 rows, was " + capacity);
        }
        return FileWork.get("queue " + folder + " cannot be opened", () -> {
            AtomicFolder.create(folder);
            QueueRecovery found = QueueRecovery.of(folder, format);
            DurableQueue queue = new DurableQueue(folder, format, capacity, forced, segmentBytes, files, found);
            queue.begin(found);
            return queue;
        });
    }

    /**
     * The content of a queue's folder.
     *
     * @param first number of the first row
     * @param end number of the next row
     * @param unfinished unacknowledged bytes at the end: of a process that was killed, or is writing
     */
    public record Content(long first, long end, long unfinished) {}

    /**
     * Reads a whole queue, of any format, and changes nothing.
     *
     * @throws IOException if a file was changed or is missing, naming file and place
     */
    public static Content look(Path folder) throws IOException {
        QueueRecovery found = QueueRecovery.of(folder, null);
        long first = found.segments.isEmpty() ? 0 : found.segments.get(0).first();
        return new Content(first, found.end, found.torn);
    }

    private void begin(QueueRecovery found) throws IOException {
        if (found.segments.isEmpty()) {
            return;
        }
        LogFile file = files.open(segments.get(segments.size() - 1).file());
        try {
            if (found.torn > 0) {
                file.cut(lastBytes);
            }
            file.force(); // the process before may have been killed before it did
            last = file;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Returns the format of a row. */
    public RowFormat format() {
        return format;
    }

    /** Rows that may wait. */
    public long capacity() {
        return capacity;
    }

    /** Returns the largest batch: half of the capacity, so that one always fits while training waits for rows. */
    public long mostRows() {
        return capacity / 2;
    }

    /** Returns the number of waiting rows: those that were stored and not read yet. */
    public long waiting() {
        return locked(() -> written - taken);
    }

    /** Returns the number of the next row, which is the number of rows since the beginning. */
    public long end() {
        return locked(() -> written);
    }

    /** Returns a client's next sequence number; 0 for a new client. */
    public long next(String client) {
        return locked(() -> clients.getOrDefault(client, 0L));
    }

    /**
     * Adds rows, all of them or none, and returns after they are stored. Rows with sequence numbers that have been
     * stored before are not stored again.
     *
     * @param client name of the client, at most 200 bytes in UTF-8; {@link #NOBODY} for one that does not number its
     *         rows
     * @param sequence the client's own number of the first row, counted from 0; ignored for {@link #NOBODY}
     * @param rows of the queue's format
     * @throws NotStoredException if they do not fit, now or ever, or rows before them are missing; the same batch may
     *     be sent again
     * @throws UncheckedIOException if writing fails, and nothing is stored; or if forcing fails: then it is unknown
     *     whether they are stored until the queue is opened again, and until then it accepts no rows
     */
    public Acknowledged append(String client, long sequence, RowBatch rows) {
        byte[] name = client.getBytes(StandardCharsets.UTF_8);
        require(client, name, sequence, rows);
        lock.lock();
        try {
            LogFile into = room(BatchHeader.HEAD_BYTES + name.length + rows.bytes().length + BatchHeader.END_BYTES);
            long next = name.length == 0 ? sequence : clients.getOrDefault(client, 0L);
            if (sequence > next) {
                throw new NotStoredException.Gap(name(), client, next, sequence);
            }
            int known = (int) Math.min(rows.rows(), next - sequence);
            int stored = rows.rows() - known;
            if (stored > 0) {
                requireRoom(client, name, stored);
                write(into, name, sequence + known, rows.from(known));
                if (name.length > 0) {
                    clients.put(client, sequence + rows.rows());
                }
                changed.signalAll();
            }
            if (forced) {
                force(written); // also for rows that were stored before: another thread may be forcing them
            }
            return new Acknowledged(Math.max(next, sequence + rows.rows()), stored, written - taken);
        } finally {
            lock.unlock();
        }
    }

    private void require(String client, byte[] name, long sequence, RowBatch rows) {
        if (!rows.format().equals(format)) {
            throw new IllegalArgumentException(name() + ": rows of " + rows.format() + " for columns " + format);
        }
        if (client.indexOf('\0') >= 0) {
            throw new NotStoredException.Unfit(name() + ": the name of a client may not have the character NUL");
        }
        if (name.length > MOST_CLIENT_BYTES) {
            throw new NotStoredException.Unfit(name() + ": the name of a client may have " + MOST_CLIENT_BYTES
                    + " bytes, this one has " + name.length);
        }
        if (sequence < 0 || sequence > Long.MAX_VALUE - rows.rows()) {
            throw new NotStoredException.Unfit(
                    name() + ": a sequence number must be at least 0, and leave room for more, was " + sequence);
        }
        if (rows.rows() > mostRows()) {
            throw new NotStoredException.Unfit(name() + ": a batch may have " + mostRows()
                    + " rows, half of the capacity, this one has " + rows.rows());
        }
    }

    private void requireRoom(String client, byte[] name, int stored) {
        if (written - taken + stored > capacity) {
            throw new NotStoredException.Full(name(), written - taken, capacity, stored);
        }
        if (name.length > 0 && !clients.containsKey(client) && clients.size() >= MOST_CLIENTS) {
            throw new NotStoredException.TooManyClients(name(), client, MOST_CLIENTS);
        }
    }

    private void requireSound() {
        if (closed) {
            throw new IllegalStateException(name() + " is closed");
        }
        if (failure != null) {
            throw failed(failure);
        }
    }

    private UncheckedIOException failed(IOException e) {
        return new UncheckedIOException(name() + " could not be written: " + DiskFailureText.of(e), e);
    }

    /** Writes a batch at the end. A failed batch is taken back. */
    private void write(LogFile file, byte[] client, long sequence, RowBatch rows) {
        int payload = client.length + rows.bytes().length;
        int bytes = BatchHeader.HEAD_BYTES + payload + BatchHeader.END_BYTES;
        if (frame.length < bytes) {
            frame = new byte[Math.max(bytes, Math.min(2 * frame.length, RowBatch.MOST_BYTES))];
        }
        System.arraycopy(client, 0, frame, BatchHeader.HEAD_BYTES, client.length);
        System.arraycopy(rows.bytes(), 0, frame, BatchHeader.HEAD_BYTES + client.length, rows.bytes().length);
        BatchHeader.write(frame, written, rows.rows(), client.length, sequence, payload);
        try {
            file.write(lastBytes, frame, bytes);
        } catch (IOException e) {
            takeBack(file, e);
            throw failed(e);
        }
        lastBytes += bytes;
        written += rows.rows();
    }

    /** Removes what a full disk left of a batch; if that fails, nothing may be appended. */
    private void takeBack(LogFile file, IOException why) {
        try {
            file.cut(lastBytes);
        } catch (IOException e) {
            why.addSuppressed(e);
            failure = why;
        }
    }

    /**
     * Returns the file for this number of bytes: a new one if the last is long. Others may append meanwhile, so earlier
     * reads do not count.
     */
    private LogFile room(int bytes) {
        requireSound();
        while (isLong(bytes) && forcing) {
            changed.awaitUninterruptibly();
            requireSound();
        }
        LogFile file = last;
        if (file != null && !isLong(bytes)) {
            return file;
        }
        if (file != null) {
            try {
                file.force();
            } catch (IOException e) {
                failure = e;
                throw failed(e);
            }
            durable = written;
            changed.signalAll();
        }
        try {
            isComplete = true;
            Segment next = Segment.create(files, folder, written, format.text(), clients);
            LogFile opened = files.open(next.file());
            List<Segment> more = new ArrayList<>(segments);
            more.add(next);
            segments = List.copyOf(more);
            last = opened;
            lastBytes = next.head();
            isComplete = false;
            if (file != null) {
                file.close();
            }
            return opened;
        } catch (IOException e) { // nothing was added, so the next append tries again
            throw failed(e);
        }
    }

    /** Returns whether the last segment has batches and no room for this size. */
    private boolean isLong(int bytes) {
        return !segments.isEmpty()
                && lastBytes > segments.get(segments.size() - 1).head()
                && (isComplete || lastBytes + bytes > segmentBytes);
    }

    /** Forces all rows before a number to the device: one thread forces for all that have written until then. */
    private void force(long until) {
        while (durable < until) {
            requireSound();
            if (forcing) {
                changed.awaitUninterruptibly();
                continue;
            }
            long all = written;
            LogFile file = Objects.requireNonNull(last);
            IOException refused = null;
            forcing = true;
            lock.unlock();
            try {
                file.force();
            } catch (IOException e) {
                refused = e;
            } finally {
                lock.lock();
                forcing = false;
                changed.signalAll();
            }
            if (refused != null) { // only the device knows which part is stored
                failure = refused;
                throw failed(refused);
            }
            durable = Math.max(durable, all);
        }
    }

    /**
     * Forces all rows before a number to the device, so that a checkpoint never refers to lost rows.
     *
     * @throws UncheckedIOException if forcing fails
     */
    void secure(long until) {
        lock.lock();
        try {
            force(until);
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether rows may be trained on: those that are acknowledged, or about to be. */
    private long readable() {
        return forced ? durable : written;
    }

    /**
     * Waits until rows are available, for a limited time.
     *
     * @param until the number of the row after them
     * @return number of readable rows from {@code from} on: more or fewer
     * @throws UncheckedIOException if writing has failed
     * @throws InterruptedException if the thread is interrupted while the rows are missing
     */
    long await(long from, long until, long millis) throws InterruptedException {
        lock.lock();
        try {
            if (readable() < until) {
                requireSound();
                boolean unused = changed.await(millis, TimeUnit.MILLISECONDS);
            }
            return readable() - from;
        } finally {
            lock.unlock();
        }
    }

    /** Sets the next row to train on: those before it no longer wait. */
    void taken(long record) {
        locked(() -> taken = record);
    }

    /** Returns the number of the first row that is still stored. */
    long first() {
        List<Segment> now = segments();
        return now.isEmpty() ? 0 : now.get(0).first();
    }

    /** Returns the current segments. */
    List<Segment> segments() {
        return locked(() -> segments);
    }

    /**
     * Deletes segments in which all rows are before a number.
     *
     * @throws IOException if deleting fails; then all needed rows are still there
     */
    void release(long before) throws IOException {
        lock.lock();
        try {
            while (!closed && segments.size() > 1 && segments.get(1).first() <= before) {
                Files.deleteIfExists(
                        segments.get(0).file()); // the oldest first, so that none is missing between others
                segments = segments.subList(1, segments.size());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The queue's name for clients, without its path. */
    private String name() {
        return "feed " + folder.getFileName();
    }

    /** Returns the folder of the queue. */
    public Path folder() {
        return folder;
    }

    /**
     * Closes the queue: appends are rejected from now on, and acknowledged rows are on the device. Closing twice does
     * nothing.
     *
     * @throws UncheckedIOException if forcing fails; it is closed then
     */
    @Override
    public void close() {
        lock.lock();
        try {
            while (forcing) {
                changed.awaitUninterruptibly();
            }
            LogFile file = last;
            if (closed || file == null) {
                closed = true;
                return;
            }
            closed = true;
            changed.signalAll();
            try (file) {
                if (durable < written && failure == null) {
                    file.force();
                    durable = written;
                }
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    /** Returns each client's next sequence number. */
    SortedMap<String, Long> clients() {
        return locked(() -> new TreeMap<>(clients));
    }
}
