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
 * Adds to the end of a file, all of what came or nothing: what the disk refuses is kept, and comes with what comes later. One
 * thread at a time, but for {@link #force}.
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
     * Writes after what is there.
     *
     * @throws UncheckedIOException if the disk refuses
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

    /** Adds a line, a record. Gives whether it is time to write: so much has come since that was tried. */
    public boolean add(byte[] whole) {
        kept.writeBytes(whole);
        return kept.size() - tried >= AT_ONCE;
    }

    /**
     * Writes what was added.
     *
     * @throws UncheckedIOException if the disk refuses: then none of it is there, and all is tried again the next time
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
     * Has on the device all that was written, and the file's name. Any thread; another may write meanwhile. A file that is
     * closed is there already.
     *
     * @throws UncheckedIOException if the disk refuses, or has not taken all that was to be written
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

    /** Closes the file; what was not written is lost. */
    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        out.close();
    }
}
