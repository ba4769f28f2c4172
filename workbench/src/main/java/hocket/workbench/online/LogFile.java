package hocket.workbench.online;

import hocket.schedulers.checkpoint.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A file that is added to: a seam for disks that fail. Not a channel, which a thread that is interrupted would close for all
 * others.
 */
interface LogFile extends Closeable {
    /** Writes bytes at a place. */
    void write(long at, byte[] bytes, int length) throws IOException;

    /** Has all that was written on the device; another thread may write meanwhile. */
    void force() throws IOException;

    /** Takes away what lies behind a place. */
    void cut(long at) throws IOException;

    /** Creates files and opens them. */
    @FunctionalInterface
    interface Opening {
        /** Opens one that is there. */
        LogFile open(Path file) throws IOException;

        /** Creates one that holds these bytes, and has it on the device; one that is there is replaced. */
        default void create(Path file, byte[] bytes) throws IOException {
            AtomicFile.write(file, bytes);
        }
    }

    /** On the disk of this machine. */
    static LogFile local(Path file) throws IOException {
        RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
        return new LogFile() {
            @Override
            public void write(long at, byte[] bytes, int length) throws IOException {
                opened.seek(at);
                opened.write(bytes, 0, length);
            }

            @Override
            public void force() throws IOException {
                opened.getFD().sync();
            }

            @Override
            public void cut(long at) throws IOException {
                opened.setLength(at);
            }

            @Override
            public void close() throws IOException {
                opened.close();
            }
        };
    }
}
