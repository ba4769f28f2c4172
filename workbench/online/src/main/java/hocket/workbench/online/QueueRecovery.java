package hocket.workbench.online;

import hocket.schedulers.checkpoint.FileWork;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue's folder from the first byte to the last. It distinguishes an unfinished end after a kill or a loss of
 * power, which may be cut off, from changed files, which may not.
 */
final class QueueRecovery {
    private static final int AT_ONCE = 1 << 16;

    /** Returns the segments in order; empty for a new folder. */
    final List<Segment> segments = new ArrayList<>();

    /** Returns each client's next sequence number. */
    final SortedMap<String, Long> clients = new TreeMap<>();

    /** Returns the number of the next row. */
    long end;

    /** Returns the end of the last segment's complete batches, in bytes. */
    long lastBytes;

    /** Returns the number of unacknowledged bytes after them. */
    long torn;

    private final @Nullable RowFormat format;

    private QueueRecovery(@Nullable RowFormat format) {
        this.format = format;
    }

    /**
     * Reads a folder.
     *
     * @param format of the rows; null for any
     * @throws IOException if a file was changed or is missing, naming file and place
     * @throws IllegalArgumentException if its rows are of another format, naming both
     */
    static QueueRecovery of(Path folder, @Nullable RowFormat format) throws IOException {
        QueueRecovery queueRecovery = new QueueRecovery(format);
        List<Path> files = files(folder);
        for (int i = 0; i < files.size(); i++) {
            queueRecovery.add(files.get(i), i == files.size() - 1);
        }
        return queueRecovery;
    }

    private static List<Path> files(Path folder) throws IOException {
        return FileWork.in(folder).stream()
                .filter(entry -> Segment.NAME
                        .matcher(String.valueOf(entry.getFileName()))
                        .matches())
                .sorted((a, b) -> Long.compare(number(a), number(b)))
                .toList();
    }

    private static long number(Path file) {
        String name = String.valueOf(file.getFileName());
        return Long.parseLong(name.substring(0, name.indexOf('.')));
    }

    private void add(Path file, boolean isLast) throws IOException {
        Segment.Head head = Segment.read(file);
        Segment segment = head.segment();
        if (format != null && !head.format().equals(format.text())) {
            throw new IllegalArgumentException(
                    file + " holds rows of " + head.format().replace("\n", ", ") + ", the columns are " + format
                            + ": rows of other columns need a feed of another name");
        }
        long wanted = segments.isEmpty() ? number(file) : end;
        if (segment.first() != number(file) || segment.first() != wanted) {
            throw new IOException(file + " begins with row " + segment.first() + ", and row " + wanted
                    + " comes next: a segment is missing, or was renamed");
        }
        if (segments.isEmpty()) {
            clients.putAll(head.clients());
        }
        end = segment.first();
        segments.add(segment);
        long size = Files.size(file);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), AT_ONCE)) {
            in.skipNBytes(segment.head());
            long at = segment.head();
            while (at < size) {
                long bytes = frame(file, in, at, size - at);
                if (bytes == 0) {
                    break;
                }
                at += bytes;
            }
            lastBytes = at;
            torn = size - at;
            if (!isLast && torn > 0) {
                throw damaged(file, at, "it is truncated, and segments follow it");
            }
        }
    }

    /** Reads a batch. Returns its bytes; 0 if it was never finished. */
    private long frame(Path file, InputStream in, long at, long left) throws IOException {
        if (left < BatchHeader.HEAD_BYTES) {
            return 0;
        }
        byte[] head = in.readNBytes(BatchHeader.HEAD_BYTES);
        if (!BatchHeader.isHead(head)) {
            if (zeros(in)) { // no batch ends so
                return 0;
            }
            throw damaged(file, at, "the header of a batch does not match its CRC-32C");
        }
        BatchHeader batchHeader = BatchHeader.read(head);
        boolean isOfItsSize = format == null ? batchHeader.isPossible() : batchHeader.isOf(format.bytes());
        if (!isOfItsSize || batchHeader.record() != end) {
            throw damaged(
                    file,
                    at,
                    "a batch of " + batchHeader.rows() + " rows from row " + batchHeader.record()
                            + " on is at the place of row " + end);
        }
        if (batchHeader.bytes() > left) {
            return 0;
        }
        byte[] all = Arrays.copyOf(head, (int) batchHeader.bytes());
        in.readNBytes(all, BatchHeader.HEAD_BYTES, all.length - BatchHeader.HEAD_BYTES);
        if (!batchHeader.isWhole(all)) {
            if (batchHeader.bytes() == left && zeros(all, all.length - BatchHeader.END_BYTES, all.length)) {
                return 0;
            }
            throw damaged(file, at, "the batch does not match its CRC-32C");
        }
        if (batchHeader.client() > 0) {
            String client = new String(all, BatchHeader.HEAD_BYTES, batchHeader.client(), StandardCharsets.UTF_8);
            clients.put(client, batchHeader.sequence() + batchHeader.rows());
        }
        end = batchHeader.end();
        return batchHeader.bytes();
    }

    private IOException damaged(Path file, long at, String why) {
        return new IOException(file + " was changed from byte " + at + " on, at row " + end + ": " + why
                + "; nothing of it is trained on");
    }

    private static boolean zeros(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether only zeros follow, as in a file that grew before its bytes were written. */
    private static boolean zeros(InputStream in) throws IOException {
        byte[] some = new byte[AT_ONCE];
        for (int read = in.read(some); read >= 0; read = in.read(some)) {
            if (!zeros(some, 0, read)) {
                return false;
            }
        }
        return true;
    }
}
