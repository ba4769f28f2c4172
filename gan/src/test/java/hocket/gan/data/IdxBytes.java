package hocket.gan.data;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/** Small IDX files for tests. */
final class IdxBytes {
    private IdxBytes() {}

    /** A header and what the writer puts after it. */
    static byte[] of(int type, int[] extents, Consumer<ByteBuffer> elements) {
        ByteBuffer bytes = ByteBuffer.allocate(4096);
        bytes.put((byte) 0).put((byte) 0).put((byte) type).put((byte) extents.length);
        for (int extent : extents) {
            bytes.putInt(extent);
        }
        elements.accept(bytes);
        byte[] file = new byte[bytes.position()];
        bytes.flip().get(file);
        return file;
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    static Path write(Path file, byte[] bytes) {
        try {
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
