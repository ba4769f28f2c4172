package hocket.scopes;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The random numbers of a run, with a stream for each path. The numbers of a stream depend on the seed, the path and a
 * counter, and not on earlier samples, so only the counter must be saved.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Streams streams = Streams.seed(7);
 * Stream noise = streams.at("generator/noise");
 * }</pre>
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
