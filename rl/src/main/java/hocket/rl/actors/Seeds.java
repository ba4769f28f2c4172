package hocket.rl.actors;

import hocket.scopes.Streams;

/** The seed of a run as NumPy's generators take it. */
public final class Seeds {
    private static final long LARGEST = Long.MAX_VALUE >> 1;

    private Seeds() {}

    /** The run's seed, where it is 0 to 2^62 - 1; else its lower 62 bits: NumPy takes no seed below 0. */
    public static long of(Streams streams) {
        return streams.seed() & LARGEST;
    }
}
