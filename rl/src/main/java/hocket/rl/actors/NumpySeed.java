package hocket.rl.actors;

import hocket.scopes.Streams;

/** The seed of a run in the range of NumPy's generators. */
public final class NumpySeed {
    private static final long LARGEST = Long.MAX_VALUE >> 1;

    private NumpySeed() {}

    /** The run's seed if it is 0 to 2^62 - 1, else its lower 62 bits: NumPy accepts no seed below 0. */
    public static long of(Streams streams) {
        return streams.seed() & LARGEST;
    }
}
