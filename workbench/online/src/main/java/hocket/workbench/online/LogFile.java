package hocket.workbench.online;

import hocket.schedulers.checkpoint.AtomicFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * A file that is appended to: a seam for tests of failing disks. It is not a channel, which an interrupted thread would
 * close for all others.
 */
interface LogFile extends Closeable {
    /** Writes bytes at a place. */
    void write(long at, byte[] bytes, int length) throws IOException;

    /** Forces all written data to the device; another thread may write meanwhile. */
    void force() throws IOException;

    /** Truncates the file at a place. */
    void cut(long at) throws IOException;

    /** Creates files and opens them. */
    @FunctionalInterface
    interface Opening {
        /** Opens one that is there. */
        LogFile open(Path file) throws IOException;

        /** Creates a file with these bytes and forces it to the device; an existing one is replaced. */
        default void create(Path file, byte[] bytes) throws IOException {
            AtomicFile.write(file, bytes);
        }
    }

    /** The files of this machine's disk. */
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
