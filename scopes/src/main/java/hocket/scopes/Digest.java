package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over named arrays, in the order they are added: name, type, shape and bytes of each.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Digest digest = new Digest();
 * Tensor weight = Tensor.of(Shape.of(2), 1f, 2f);
 * digest.add("line/weight", weight.type(), weight.shape(), weight.buffer());
 * String sum = digest.hex();
 * }</pre>
 */
public final class Digest {
    private final MessageDigest digest = sha256();

    /** Creates an empty digest. */
    public Digest() {}

    /**
     * Adds one array.
     *
     * @param values its bytes between position and limit, which do not change
     */
    public Digest add(String name, ElementType type, Shape shape, ByteBuffer values) {
        digest.update((name + " " + type + " " + shape + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update(values.duplicate());
        return this;
    }

    /** Returns the digest of the added arrays as 64 hexadecimal digits, and resets it. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
