package hocket.workbench.pictures.tensorboard;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.runs.AppendOnlyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A new file of events, each a TFRecord: length, its masked CRC32C, the event, its masked CRC32C, little-endian
 * (TensorFlow, {@code lib/io/record_writer.cc}). Readers take the files of a folder in the order of their names, which
 * is the order of creation. Thread-safe.
 */
final class EventFile implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("events\\.out\\.tfevents\\.(\\d{10})\\.hocket\\.(\\d{4,9})");
    private static final int MASK = 0xa282ead8;

    private final Path folder;
    private final Path file;
    private final AppendOnlyFile out;
    private final boolean isFirst;
    private final boolean isInNewFolder;

    /**
     * Creates a file in a folder, which is created if missing.
     *
     * @param seconds since 1970
     * @param from the step from which events of earlier files are dropped
     * @throws UncheckedIOException if writing fails
     */
    EventFile(Path folder, double seconds, long from) {
        List<Matcher> former = former(folder);
        isFirst = former.isEmpty();
        long time = (long) seconds;
        int number = 1;
        for (Matcher name : former) { // even if the clock was set back
            time = Math.max(time, Long.parseLong(name.group(1)));
            number = Math.max(number, Integer.parseInt(name.group(2)) + 1);
        }
        this.folder = folder;
        file = folder.resolve(String.format(Locale.ROOT, "events.out.tfevents.%010d.hocket.%04d", time, number));
        isInNewFolder = !Files.exists(folder);
        FileWork.run(folder + " could not be made", () -> Files.createDirectories(folder));
        out = new AppendOnlyFile(file);
        add(Events.version(seconds));
        if (!isFirst) {
            add(Events.start(seconds, from));
        }
    }

    /** Returns the names of the existing files. */
    private static List<Matcher> former(Path folder) {
        return FileWork.entries(folder).stream()
                .map(each -> NAME.matcher(String.valueOf(each.getFileName())))
                .filter(Matcher::matches)
                .toList();
    }

    /** Returns whether a folder has an event file. */
    static boolean isIn(Path folder) {
        return !former(folder).isEmpty();
    }

    Path file() {
        return file;
    }

    /** Returns whether this is the folder's first file. */
    boolean isFirst() {
        return isFirst;
    }

    /** Adds an event and returns whether the file should be flushed. */
    synchronized boolean add(byte[] event) {
        ByteBuffer length = bytes(Long.BYTES).putLong(event.length);
        return out.add(bytes(Long.BYTES + event.length + 2 * Integer.BYTES)
                .putLong(event.length)
                .putInt(masked(length.array()))
                .put(event)
                .putInt(masked(event))
                .array());
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Masks a checksum, because the CRC of data that contains CRCs is weak. */
    private static int masked(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return Integer.rotateRight((int) sum.getValue(), 15) + MASK;
    }

    /**
     * Writes the added events.
     *
     * @throws UncheckedIOException if writing fails; the next call tries again
     */
    synchronized void flush() {
        out.flush();
    }

    /**
     * Closes and deletes the file, with its folder if that was created for it, because an existing file means that the
     * run is exported.
     *
     * @param why receives errors of deletion
     */
    synchronized void forget(RuntimeException why) {
        try (out) {
            Files.deleteIfExists(file);
            if (isInNewFolder) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** Writes the added events and closes the file. Throws as {@link #flush}. */
    @Override
    public synchronized void close() {
        FileWork.run(file + " could not be written", () -> {
            try (out) {
                out.flush();
            }
        });
    }
}
