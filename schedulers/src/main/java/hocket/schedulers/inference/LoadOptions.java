package hocket.schedulers.inference;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Options of {@link Inferencer#load}: {@code LoadOptions.ofBest().module("critic").sessions(2)}.
 *
 * @param best whether to take the best checkpoint of a run instead of the newest
 * @param checkpoint the number of the checkpoint of a run; empty for the newest or best
 * @param module the module or program of a run; empty for its policy, or what it draws samples by
 * @param sessions the most calls that are computed at the same time, each by a thread and a copy of the parameters; 0 for the
 *     usual number: as many as processors for a model that runs on Java kernels, and one for a model that runs on the engine
 * @param threads that compute one call, at least 1; on the engine the last bits may depend on it
 */
public record LoadOptions(boolean best, OptionalLong checkpoint, Optional<String> module, int sessions, int threads)
        implements LoadOptionsCopies {
    private static final int MOST = 1000;

    /** @throws IllegalArgumentException if sessions are not 0 to 1000, or threads not 1 to 1000 */
    public LoadOptions {
        require("sessions", sessions, 0);
        require("threads", threads, 1);
    }

    private static void require(String name, int value, int least) {
        if (value < least || value > MOST) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + MOST + ", was " + value);
        }
    }

    /** The newest intact checkpoint. */
    public static LoadOptions ofNewest() {
        return new LoadOptions(false, OptionalLong.empty(), Optional.empty(), 0, 1);
    }

    /** The best checkpoint of a run that keeps one. */
    public static LoadOptions ofBest() {
        return new LoadOptions(true, OptionalLong.empty(), Optional.empty(), 0, 1);
    }

    /** The checkpoint of a number. */
    public static LoadOptions ofCheckpoint(long number) {
        return new LoadOptions(false, OptionalLong.of(number), Optional.empty(), 0, 1);
    }

    /**
     * Returns these options with a module such as {@code critic}, a copy such as {@code ema/generator}, or a program such
     * as {@code draw}.
     */
    public LoadOptions module(String name) {
        return new LoadOptions(best, checkpoint, Optional.of(name), sessions, threads);
    }

    /** Returns whether a part that only runs have is chosen: a checkpoint or a module. */
    boolean choosesOfRun() {
        return best || checkpoint.isPresent() || module.isPresent();
    }
}
