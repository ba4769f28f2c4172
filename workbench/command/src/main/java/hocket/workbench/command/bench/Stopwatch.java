package hocket.workbench.command.bench;

/**
 * Measures work in blocks and takes the best, because other load on a machine only adds time. Several works are
 * measured alternately, under the same load.
 */
final class Stopwatch {
    private static final double WARM_UP = 1.5;

    private static final double LONGEST_WARM_UP = 30;

    /** The ratio below which a block counts as faster. */
    private static final double FASTER = 0.97;

    /** Blocks are short, so that some run undisturbed on a busy machine. */
    private static final double BLOCK = 0.04;

    private static final int BLOCKS = 100;

    private Stopwatch() {}

    /** Warm-up and blocks of work with many small parts, such as an agent's rounds. */
    private static final double LONG_WARM_UP = 6;

    private static final double LONG_BLOCK = 1;
    private static final int LONG_BLOCKS = 6;

    /** Returns the seconds of one execution, on average over a second; the best of several. */
    static double sustained(Work work) {
        return best(LONG_WARM_UP, LONG_BLOCK, LONG_BLOCKS, work)[0];
    }

    /** Returns the seconds of one execution of each work. */
    static double[] seconds(Work... works) {
        return best(WARM_UP, BLOCK, BLOCKS, works);
    }

    private static double[] best(double warmUp, double length, int blocks, Work... works) {
        int[] times = new int[works.length];
        double[] best = new double[works.length];
        for (int i = 0; i < works.length; i++) {
            times[i] = warm(works[i], warmUp, length);
            best[i] = Double.POSITIVE_INFINITY;
        }
        for (int k = 0; k < blocks; k++) {
            for (int i = 0; i < works.length; i++) {
                best[i] = Math.min(best[i], time(works[i], times[i]) / times[i]);
            }
        }
        return best;
    }

    /**
     * Runs until the work has not become faster for as long as it ran before, because the JIT's last compilations may
     * take seconds; half a minute at most. Returns the executions in a block.
     */
    private static int warm(Work work, double warmUp, double block) {
        int times = 1;
        double spent = 0;
        double least = Double.POSITIVE_INFINITY;
        double improved = 0;
        while (spent < warmUp || (spent < 2 * improved && spent < LONGEST_WARM_UP)) {
            double last = time(work, times);
            spent += last;
            if (last / times < FASTER * least) {
                least = last / times;
                improved = spent;
            }
            if (last < block / 2) {
                times *= 2;
            }
        }
        return (int) Math.max(1, Math.round(block / least));
    }

    private static double time(Work work, int times) {
        long start = System.nanoTime();
        work.run(times);
        return (System.nanoTime() - start) * 1e-9;
    }
}
