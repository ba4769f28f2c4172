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

    /** Returns the sum of consecutive buffers, whose positions do not change. */
    static String sha256(Iterable<ByteBuffer> parts) {
        MessageDigest digest = digest();
        parts.forEach(part -> digest.update(part.duplicate()));
        return hex(digest);
    }

    static String sha256(ByteBuffer bytes) {
        return sha256(List.of(bytes));
    }

    /** Returns the sum of a file of any size. */
    static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        add(digest, file);
        return hex(digest);
    }

    /**
     * Adds the content of a file of any size and returns its number of bytes.
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

    /** Returns the sum of all that was added, and resets it. */
    public static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns a new digest without content. */
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
