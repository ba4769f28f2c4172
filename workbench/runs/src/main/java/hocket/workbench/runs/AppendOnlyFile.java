package hocket.workbench.runs;

import hocket.schedulers.checkpoint.AtomicFile;
import hocket.schedulers.checkpoint.DiskFailureText;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Appends to a file, all or nothing: data that the disk rejects is kept and written with later data. Used by one thread
 * at a time, but for {@link #force}.
 */
public final class AppendOnlyFile implements Closeable {
    private static final int AT_ONCE = 1 << 13;

    private final Path file;
    private final RandomAccessFile out;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private int tried;
    private long end;
    private volatile @Nullable IOException refused;
    private boolean isNamed;
    private boolean isClosed;

    /**
     * Opens the file to append.
     *
     * @throws UncheckedIOException if writing fails
     */
    public AppendOnlyFile(Path file) {
        this.file = file;
        try {
            out = new RandomAccessFile(file.toFile(), "rw");
            end = out.length();
        } catch (IOException e) {
            throw refused(e);
        }
    }

    /**
     * Adds a line, a record. Returns whether it is time to write: enough data has come since the last attempt, on a full
     * disk as much as was rejected.
     */
    public boolean add(byte[] whole) {
        kept.writeBytes(whole);
        return kept.size() - tried >= Math.max(AT_ONCE, tried);
    }

    /**
     * Writes what was added.
     *
     * @throws UncheckedIOException if writing fails: nothing is written then, and all is tried again the next time
     */
    public void flush() {
        if (kept.size() == 0) {
            return;
        }
        tried = kept.size();
        try {
            out.seek(end);
            out.write(kept.toByteArray());
            end += kept.size();
            kept.reset();
            tried = 0;
            refused = null;
        } catch (IOException e) {
            refused = e;
            try {
                out.setLength(end);
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw refused(e);
        }
    }

    /**
     * Forces all written data and the file's name to the device. Used by any thread; another may write meanwhile. A
     * closed file has been forced already.
     *
     * @throws UncheckedIOException if forcing fails, or data is still unwritten
     */
    public synchronized void force() {
        IOException unwritten = refused;
        if (isClosed) {
            return;
        } else if (unwritten != null) {
            throw refused(unwritten);
        }
        try {
            out.getFD().sync();
            if (!isNamed) {
                AtomicFile.forceName(file);
                isNamed = true;
            }
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private UncheckedIOException refused(IOException e) {
        return new UncheckedIOException(file + " could not be written: " + DiskFailureText.of(e), e);
    }

    /** Closes the file; unwritten data is lost. */
    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        out.close();
    }
}
