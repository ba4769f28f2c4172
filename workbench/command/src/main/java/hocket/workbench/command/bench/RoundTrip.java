package hocket.workbench.command.bench;

import hocket.programs.execution.ThreadTeam;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * How long the threads of this process take to answer one another: one writes a number, another sees it and writes the next
 * one, the first sees that. Two cores with a cache in common take some 50 to 130 ns, others 300 and more, and about as long for
 * each cache line of a result that one of them computed and the other one reads. In a virtual machine it may change from one
 * process to the next. It explains a figure; nothing is chosen by it.
 */
public final class RoundTrip implements ThreadTeam.Task {
    /** The longest of threads that have a cache in common, in nanoseconds. */
    public static final double NEAR = 200;

    /** Trips of a batch; the fastest batch counts. */
    private static final int TRIPS = 50;

    /**
     * How long a thread is measured, in nanoseconds, where no batch shows a cache in common; else it takes a quarter. The loops
     * must be compiled first, and the threads that spin leave the compiler little time.
     */
    private static final long LONGEST = 100_000_000;

    /** How long a batch may take, in nanoseconds: at first both threads may be on one processor. */
    private static final long PATIENCE = 500_000_000;

    /** Looks from one at the clock to the next. */
    private static final int LOOKS = 1_000;

    /** The number after which a thread answers no more. */
    private static final long END = -1;

    /** Elements from one thread's number to the next, so that they lie in different cache lines. */
    private static final int APART = 8;

    /** Not an AtomicLongArray, which is slow until the last compiler has compiled the loop. */
    private final AtomicLong[] numbers;

    private double slowest;

    private RoundTrip(int threads) {
        this.numbers =
                Stream.generate(AtomicLong::new).limit((long) threads * APART).toArray(AtomicLong[]::new);
    }

    /**
     * Returns how long the slowest of a number of threads takes to answer another one, in nanoseconds; empty of one thread, and
     * where they cannot run at the same time, or one is kept from running.
     */
    public static OptionalDouble nanos(int threads) {
        return threads > Runtime.getRuntime().availableProcessors() ? OptionalDouble.empty() : measured(threads);
    }

    static OptionalDouble measured(int threads) {
        ThreadTeam threadTeam = ThreadTeam.shared(threads);
        try {
            RoundTrip roundTrip = new RoundTrip(threadTeam.threads());
            threadTeam.run(roundTrip);
            boolean answered = roundTrip.slowest > 0 && Double.isFinite(roundTrip.slowest);
            return answered ? OptionalDouble.of(roundTrip.slowest) : OptionalDouble.empty();
        } finally {
            threadTeam.release();
        }
    }

    @Override
    public void part(int part, int parts) {
        if (part > 0) {
            answer(numbers[part * APART]);
            return;
        }
        try {
            for (int other = 1; other < parts && Double.isFinite(slowest); other++) {
                // The loops of the others are compiled while they wait.
                slowest = Math.max(slowest, fastestBatch(numbers[other * APART], other == 1 ? LONGEST : LONGEST / 100));
            }
        } finally {
            for (AtomicLong number : numbers) {
                number.set(END);
            }
        }
    }

    private static double fastestBatch(AtomicLong number, long longest) {
        double fastest = Double.POSITIVE_INFINITY;
        long before = System.nanoTime();
        long start = before;
        for (long value = 1; before - start < (fastest > NEAR ? longest : longest / 4); value += 2 * TRIPS) {
            if (!answered(number, value, before)) {
                return fastest;
            }
            long after = System.nanoTime();
            if (value == 1) {
                start = after; // the first batch also wakes the thread
            }
            fastest = Math.min(fastest, (double) (after - before) / TRIPS);
            before = after;
        }
        return fastest;
    }

    /** Makes the trips of a batch; returns whether all were answered in time. */
    private static boolean answered(AtomicLong number, long first, long start) {
        for (long value = first; value < first + 2 * TRIPS; value += 2) {
            number.set(value);
            for (int looks = 1; number.get() != value + 1; looks++) {
                if (looks % LOOKS == 0 && System.nanoTime() - start > PATIENCE) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void answer(AtomicLong number) {
        for (long value = number.get(); value != END; value = number.get()) {
            if ((value & 1) != 0) {
                number.compareAndSet(value, value + 1);
            }
        }
    }
}
