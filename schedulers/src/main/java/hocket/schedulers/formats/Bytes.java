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

    /** Those from {@code begin} on, which are there; not to be written to, little-endian. */
    ByteBuffer range(long begin, int length) throws IOException;

    /**
     * Those of a file, of which a range is mapped.
     *
     * @throws FormatException if it is none
     */
    static Bytes of(Path file) throws FormatException {
        requireFile(file);
        return new Mapped(file);
    }

    /** @throws FormatException if there is no such file */
    static void requireFile(Path file) throws FormatException {
        if (!Files.isRegularFile(file)) {
            throw new FormatException(file.toString(), Files.exists(file) ? "is not a file" : "there is no such file");
        }
    }

    /** Those between the buffer's position and limit. */
    static Bytes of(ByteBuffer bytes) {
        return new Held(bytes.slice());
    }

    /** Of a file. */
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

    /** In memory. */
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
