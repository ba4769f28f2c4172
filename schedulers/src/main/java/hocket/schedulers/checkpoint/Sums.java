package hocket.schedulers.checkpoint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Sums of files, as {@code sha256sum} writes and reads them. */
final class Sums {
    private Sums() {}

    /** Of the bytes of buffers one after the other, which stay where they are; in hexadecimal digits. */
    static String sha256(Iterable<ByteBuffer> parts) {
        MessageDigest digest = digest();
        parts.forEach(part -> digest.update(part.duplicate()));
        return HexFormat.of().formatHex(digest.digest());
    }

    static String sha256(ByteBuffer bytes) {
        return sha256(java.util.List.of(bytes));
    }

    static MessageDigest digest() {
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
