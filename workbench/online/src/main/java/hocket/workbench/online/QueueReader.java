package hocket.workbench.online;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a queue's rows in order from its segments, a batch at a time; each batch is checked. Used by one thread. */
final class QueueReader implements Closeable {
    /** Takes rows. */
    @FunctionalInterface
    interface Rows {
        /**
         * Receives some rows of a column.
         *
         * @param bytes an array with the rows
         * @param from the offset of the first
         * @param length their total length
         */
        void take(int column, byte[] bytes, int from, int length);
    }

    private final DurableQueue queue;
    private final int rowBytes;
    private @Nullable Segment segment;
    private @Nullable RandomAccessFile file;

    /** The position of the batch in memory, or of the next one. */
    private long at;

    private @Nullable BatchHeader batchHeader;
    private byte[] bytes = new byte[1 << 12];

    QueueReader(DurableQueue queue) {
        this.queue = queue;
        this.rowBytes = queue.format().bytes();
    }

    /**
     * Reads stored rows.
     *
     * @param record number of the first
     * @throws IOException if they are not stored, or were changed, naming file and place
     */
    void read(long record, int rows, Rows into) throws IOException {
        long next = record;
        while (next < record + rows) {
            BatchHeader has = having(next);
            int first = (int) (next - has.record());
            int count = (int) Math.min(record + rows - next, has.end() - next);
            int column = has.rowsAt();
            for (int i = 0; i < queue.format().columns().size(); i++) {
                int width = queue.format().bytes(i);
                into.take(i, bytes, column + first * width, count * width);
                column += has.rows() * width;
            }
            next += count;
        }
    }

    /** Loads the batch that contains a row. */
    private BatchHeader having(long record) throws IOException {
        BatchHeader now = batchHeader;
        if (now != null && record >= now.record() && record < now.end()) {
            return now;
        }
        batchHeader = null;
        if (now != null && record == now.end()) {
            at += now.bytes();
            Segment next = segmentOf(record);
            if (!next.equals(segment)) {
                open(next);
            }
        } else {
            open(segmentOf(record));
        }
        BatchHeader head = head();
        while (record >= head.end()) {
            at += head.bytes();
            head = head();
        }
        RandomAccessFile from = Objects.requireNonNull(file);
        int length = (int) head.bytes();
        if (bytes.length < length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, 2 * bytes.length));
        }
        from.readFully(bytes, BatchHeader.HEAD_BYTES, length - BatchHeader.HEAD_BYTES);
        if (!head.isWhole(bytes)) {
            throw changed(record);
        }
        batchHeader = head;
        return head;
    }

    /** Reads the head of the batch at this place. */
    private BatchHeader head() throws IOException {
        RandomAccessFile from = Objects.requireNonNull(file);
        from.seek(at);
        from.readFully(bytes, 0, BatchHeader.HEAD_BYTES);
        BatchHeader head = BatchHeader.read(bytes);
        if (!BatchHeader.isHead(bytes) || !head.isOf(rowBytes)) {
            throw changed(head.record());
        }
        return head;
    }

    private IOException changed(long record) {
        return new IOException((segment == null ? queue.folder() : segment.file()) + " was changed from byte " + at
                + " on, at row " + record + ": the batch does not match its CRC-32C");
    }

    private Segment segmentOf(long record) throws IOException {
        List<Segment> all = queue.segments();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).first() <= record) {
                return all.get(i);
            }
        }
        throw new IOException(
                "queue " + queue.folder() + " has no row " + record + " any longer: its first is " + queue.first());
    }

    private void open(Segment next) throws IOException {
        close();
        file = new RandomAccessFile(next.file().toFile(), "r");
        segment = next;
        at = next.head();
    }

    @Override
    public void close() throws IOException {
        batchHeader = null;
        segment = null;
        RandomAccessFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
