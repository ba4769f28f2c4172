package hocket.schedulers.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** SHA-256 sums in hexadecimal digits, of files as {@code sha256sum} writes and reads them. */
public final class Checksums {
    private static final int AT_ONCE = 1 << 16;

    private Checksums() {}

    /** Of the bytes of buffers one after the other, which stay where they are. */
    static String sha256(Iterable<ByteBuffer> parts) {
        MessageDigest digest = digest();
        parts.forEach(part -> digest.update(part.duplicate()));
        return hex(digest);
    }

    static String sha256(ByteBuffer bytes) {
        return sha256(List.of(bytes));
    }

    /** Of a file of any size. */
    static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        add(digest, file);
        return hex(digest);
    }

    /**
     * Adds what is in a file of any size. Gives how many bytes that is.
     *
     * @throws IOException if it cannot be read
     */
    public static long add(MessageDigest digest, Path file) throws IOException {
        long bytes = 0;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] some = new byte[AT_ONCE];
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                digest.update(some, 0, read);
                bytes += read;
            }
        }
        return bytes;
    }

    /** What has been added, which is forgotten. */
    public static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** A new one, of nothing. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** A line of a file of sums. */
    static String line(String digest, String file) {
        return digest + "  " + file + "\n";
    }
}
