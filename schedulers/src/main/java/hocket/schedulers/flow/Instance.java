package hocket.schedulers.flow;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The identity of a run.
 *
 * @param name of the experiment
 * @param seed of weights, noise and the order of the data
 * @param threads number of threads; results may depend on it
 * @param folder of the run's files
 * @param checkpoints folder from whose newest checkpoint it resumes; empty for a new run
 */
public record Instance(String name, long seed, int threads, Path folder, Optional<Path> checkpoints)
        implements InstanceCopies {
    public Instance {
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + threads);
        }
    }
}
