package hocket.schedulers.checkpoint;

import hocket.schedulers.json.StateJson.Piece;
import hocket.schedulers.state.Saved;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The rows of growing tables, on disk: in files that are only added to, and that checkpoints share. Rows that an earlier
 * checkpoint of this object wrote are not written again. What a process that was killed left at the end of a file is never
 * added to: each object begins a file of its own.
 */
final class Segments {
    private static final String ENDING = ".rows";

    /** The size in bytes after which the next file begins, since unneeded rows are deleted by whole files. */
    private static final long MOST_BYTES = 16L << 20;

    /** The number of blocks above which a full table is rewritten as one. */
    private static final int MOST_BLOCKS = 32;

    /** The largest array of every JVM. */
    private static final int MOST_OF_ARRAY = Integer.MAX_VALUE - 8;

    /** The bytes of one read, for which Java takes native memory. */
    private static final int AT_ONCE = 1 << 18;

    private final Disk disk;
    private final Path folder;

    /** The rows by their table's array, for as long as it is referenced. */
    private Map<byte[], List<Piece>> written = new WeakHashMap<>();

    private String file = "";
    private long end;

    Segments(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** Rows that are being written; none count as written before all are. */
    final class Append {
        private final Map<byte[], List<Piece>> blocks = new IdentityHashMap<>();
        private final List<ByteBuffer> parts = new ArrayList<>();
        private final long from = end;
        private long to = end;

        /** Returns the blocks of rows, now or after {@link #write}. */
        List<Piece> add(Saved.Rows rows) {
            List<Piece> known = new ArrayList<>(written.getOrDefault(rows.values(), List.of()));
            int there = known.stream().mapToInt(Piece::rows).sum();
            if (there > rows.count()) { // a state from before
                known.clear();
                there = 0;
            }
            boolean isFull = rows.values().length < (rows.count() + 1L) * rows.width();
            if (isFull && known.size() + (there < rows.count() ? 1 : 0) > MOST_BLOCKS) {
                known.clear();
                there = 0;
            }
            if (there < rows.count()) {
                ByteBuffer more =
                        ByteBuffer.wrap(rows.values(), there * rows.width(), (rows.count() - there) * rows.width());
                known.add(new Piece(file, to, rows.count() - there, Checksums.sha256(more)));
                parts.add(more);
                to += more.remaining();
            }
            blocks.put(rows.values(), known);
            return known;
        }

        /** Writes the added rows. */
        void write() throws IOException {
            if (parts.isEmpty()) {
                return;
            }
            disk.create(folder);
            disk.append(folder.resolve(file), from, parts);
        }

        /** Marks these rows, and no others, as written. */
        void done() {
            written = new WeakHashMap<>(blocks);
            file = to > MOST_BYTES ? "" : file;
            end = file.isEmpty() ? 0 : to;
        }

        /** Discards the added rows. */
        void undo() throws IOException {
            Path into = folder.resolve(file);
            if (from == 0) {
                disk.delete(into);
            } else if (Files.exists(into)) {
                disk.append(into, from, List.of());
            }
        }
    }

    /** Starts to add rows. Names of files are fixed with the first rows. */
    Append append() throws IOException {
        if (file.isEmpty()) {
            long last = 0;
            for (String name : names()) {
                last = Math.max(last, Long.parseLong(name.substring(0, name.length() - ENDING.length())));
            }
            file = Checkpoints.name(last + 1) + ENDING;
            end = 0;
        }
        return new Append();
    }

    private List<String> names() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        return FileWork.in(folder).stream()
                .map(entry -> String.valueOf(entry.getFileName()))
                .filter(name -> name.matches("\\d{8,18}\\" + ENDING))
                .toList();
    }

    /** Deletes the files that hold no needed rows. */
    void keepOnly(Collection<String> needed) throws IOException {
        List<String> names = names();
        for (String name : names) {
            if (!needed.contains(name) && !name.equals(file)) {
                disk.delete(folder.resolve(name));
            }
        }
        if (needed.isEmpty() && file.isEmpty() && !names.isEmpty()) {
            disk.delete(folder);
        }
    }

    /**
     * Reads rows.
     *
     * @throws IOException if a block is missing, cut or changed, naming its file
     */
    static Saved.Rows read(Path folder, int width, int count, List<Piece> blocks) throws IOException {
        if (width < 1 || count < 0 || (long) count * width > MOST_OF_ARRAY) {
            throw new IOException("there are no " + count + " rows of " + width + " bytes");
        }
        long rows = 0;
        for (Piece block : blocks) {
            Path file = folder.resolve(block.file());
            if (!block.file().matches("\\d{8,18}\\" + ENDING) || block.rows() < 1 || block.offset() < 0) {
                throw new IOException(file + " is not a file of segments, or has no such rows");
            }
            rows += block.rows();
            if (!Files.isRegularFile(file)) {
                throw new IOException(file + " is missing");
            }
            long size = Files.size(file);
            if (block.offset() > size || (size - block.offset()) / width < block.rows()) {
                throw new IOException(file + " was cut: it has " + size + " bytes, and " + block.rows() + " rows of "
                        + width + " bytes from byte " + block.offset() + " on are in it");
            }
        }
        if (rows != count) {
            throw new IOException(count + " rows are said to be in blocks of " + rows);
        }
        requireApart(folder, width, blocks);
        byte[] values = new byte[count * width];
        int at = 0;
        for (Piece block : blocks) {
            Path file = folder.resolve(block.file());
            String found = read(file, block.offset(), values, at, block.rows() * width);
            if (!found.equals(block.sha256())) {
                throw new IOException(file + " was changed: rows from byte " + block.offset() + " have the SHA-256 "
                        + found + ", not " + block.sha256());
            }
            at += block.rows() * width;
        }
        return new Saved.Rows(values, width, count);
    }

    /** Reads as many bytes as asked for, and returns their checksum; of fewer if the file was cut meanwhile. */
    private static String read(Path file, long offset, byte[] into, int at, int count) throws IOException {
        MessageDigest digest = Checksums.digest();
        try (FileChannel channel = FileChannel.open(file)) {
            channel.position(offset);
            int done = 0;
            for (int more = 0; more >= 0 && done < count; done += Math.max(0, more)) {
                more = channel.read(ByteBuffer.wrap(into, at + done, Math.min(AT_ONCE, count - done)));
            }
            digest.update(into, at, done);
        }
        return Checksums.hex(digest);
    }

    /** Refuses duplicate blocks, which would need more memory than the files have bytes. */
    private static void requireApart(Path folder, int width, List<Piece> blocks) throws IOException {
        List<Piece> sorted = new ArrayList<>(blocks);
        sorted.sort(Comparator.comparing(Piece::file).thenComparing(Piece::offset));
        for (int i = 1; i < sorted.size(); i++) {
            Piece before = sorted.get(i - 1);
            Piece next = sorted.get(i);
            if (before.file().equals(next.file()) && next.offset() < before.offset() + (long) before.rows() * width) {
                throw new IOException(folder.resolve(next.file()) + ": the rows from byte " + next.offset()
                        + " on are said to be there twice");
            }
        }
    }

    /** Returns the files of blocks. */
    static Set<String> files(Collection<Piece> blocks) {
        return Set.copyOf(blocks.stream().map(Piece::file).toList());
    }
}
