package hocket.schedulers.formats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The source of a file's bytes, read by ranges. */
interface Bytes {
    /** Returns the number of bytes. */
    long size() throws IOException;

    /** Returns the bytes from {@code begin} on, little-endian; the range must exist, and callers must not write to it. */
    ByteBuffer range(long begin, int length) throws IOException;

    /**
     * Returns the bytes of a file, whose ranges are mapped into memory.
     *
     * @throws FormatException if it is not a file
     */
    static Bytes of(Path file) throws FormatException {
        requireFile(file);
        return new Mapped(file);
    }

    /** @throws FormatException if the path is not a file */
    static void requireFile(Path file) throws FormatException {
        if (!Files.isRegularFile(file)) {
            throw new FormatException(file.toString(), Files.exists(file) ? "is not a file" : "there is no such file");
        }
    }

    /** Returns the bytes between the buffer's position and limit. */
    static Bytes of(ByteBuffer bytes) {
        return new Held(bytes.slice());
    }

    /** The bytes of a file. */
    record Mapped(Path path) implements Bytes {
        @Override
        public long size() throws IOException {
            return Files.size(path);
        }

        @Override
        public ByteBuffer range(long begin, int length) throws IOException {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                return channel.map(FileChannel.MapMode.READ_ONLY, begin, length).order(ByteOrder.LITTLE_ENDIAN);
            }
        }
    }

    /** Bytes in memory. */
    record Held(ByteBuffer all) implements Bytes {
        @Override
        public long size() {
            return all.capacity();
        }

        @Override
        public ByteBuffer range(long begin, int length) {
            return all.slice((int) begin, length).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
