package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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
        byte[] hash = Digest.sha256().digest(path.getBytes(StandardCharsets.UTF_8));
        return new Stream(seed, ByteBuffer.wrap(hash).getLong(), path);
    }

    /** The stream of a path. */
    public Stream at(Path path) {
        return at(path.text());
    }
}
