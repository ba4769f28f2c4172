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
public record Instance(String name, long seed, int threads, Path folder, Optional<Path> checkpoints)
        implements InstanceCopies {
    public Instance {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + threads);
        }
    }
}
