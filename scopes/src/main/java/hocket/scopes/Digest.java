package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over named arrays: name, type, shape and values in native (little-endian) order. */
public final class Digest {
    private final MessageDigest digest;

    public Digest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds one array; the buffer's position and limit stay as they are. */
    public Digest add(String name, ElementType type, Shape shape, ByteBuffer values) {
        digest.update((name + " " + type + " " + shape + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update(values.duplicate());
        return this;
    }

    /** The digest of all that was added, as 64 hexadecimal digits. Ends this object's use. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
