package hocket.schedulers.flow;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Which run this is.
 *
 * @param name of the experiment
 * @param seed of weights, noise and the order of the data
 * @param threads how many compute; results may depend on it
 * @param folder where the run leaves what it makes
 * @param checkpoints the folder whose newest checkpoint it goes on from; empty for one from the start
 */
public record Instance(String name, long seed, int threads, Path folder, Optional<Path> checkpoints) {
    public Instance {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + threads);
        }
    }

    /** The same run with another seed. */
    public Instance seed(long value) {
        return new Instance(name, value, threads, folder, checkpoints);
    }

    /** The same run in another folder. */
    public Instance folder(Path value) {
        return new Instance(name, seed, threads, value, checkpoints);
    }
}
