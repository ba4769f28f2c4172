package hocket.scopes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * All random numbers of a run: a stream a path. What a stream gives depends on the seed, the path and a counter, and on
 * nothing that was drawn before, so nothing has to be saved but the counter.
 *
 * @param seed the run's seed
 */
public record Streams(long seed) {
    /** The streams of a seed. */
    public static Streams seed(long seed) {
        return new Streams(seed);
    }

    /** The stream of a path, which may be any text. */
    public Stream at(String path) {
        return new Stream(seed, hash(path), path);
    }

    /** The stream of a path. */
    public Stream at(Path path) {
        return at(path.text());
    }

    private static long hash(String path) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
            long hash = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                hash = hash << 8 | digest[i] & 0xff;
            }
            return hash;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
