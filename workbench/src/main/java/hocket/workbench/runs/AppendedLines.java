package hocket.workbench.runs;

import hocket.schedulers.checkpoint.Reason;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Lines at the end of a file, all of one or nothing: what the disk refuses is kept, and comes with what comes later. */
final class AppendedLines implements Closeable {
    private static final int AT_ONCE = 1 << 13;

    private final Path file;
    private final RandomAccessFile out;
    private final StringBuilder kept = new StringBuilder();
    private int tried;
    private long end;

    /**
     * Writes after what is there.
     *
     * @throws UncheckedIOException if the disk refuses
     */
    AppendedLines(Path file) {
        this.file = file;
        try {
            out = new RandomAccessFile(file.toFile(), "rw");
            end = out.length();
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /** Adds a line, with its end. Gives whether it is time to write: so much has come since that was tried. */
    boolean add(String line) {
        kept.append(line);
        return kept.length() - tried >= AT_ONCE;
    }

    /**
     * Writes what was added.
     *
     * @throws UncheckedIOException if the disk refuses: then none of it is there, and all is tried again the next time
     */
    void flush() {
        if (kept.isEmpty()) {
            return;
        }
        tried = kept.length();
        byte[] bytes = kept.toString().getBytes(StandardCharsets.UTF_8);
        try {
            out.seek(end);
            out.write(bytes);
            end += bytes.length;
            kept.setLength(0);
            tried = 0;
        } catch (IOException e) {
            try {
                out.setLength(end);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw refused(e);
        }
    }

    private UncheckedIOException refused(IOException e) {
        return new UncheckedIOException(file + " could not be written: " + Reason.of(e), e);
    }

    /** Closes the file; what was not written is lost. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
