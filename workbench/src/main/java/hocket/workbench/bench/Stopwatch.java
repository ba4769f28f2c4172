package hocket.workbench.bench;

/**
 * Measures work in blocks and takes the best: other load on a machine only ever adds time. Several works are measured in
 * turns, so that they see the same machine.
 */
final class Stopwatch {
    private static final double WARM_UP = 1.5;

    /** Short, so that some fall between the other load of a busy machine. */
    private static final double BLOCK = 0.04;

    private static final int BLOCKS = 100;

    private Stopwatch() {}

    /** The seconds that each of the works takes once. */
    static double[] seconds(Work... works) {
        int[] times = new int[works.length];
        double[] best = new double[works.length];
        for (int i = 0; i < works.length; i++) {
            times[i] = warm(works[i]);
            best[i] = Double.POSITIVE_INFINITY;
        }
        for (int block = 0; block < BLOCKS; block++) {
            for (int i = 0; i < works.length; i++) {
                best[i] = Math.min(best[i], time(works[i], times[i]) / times[i]);
            }
        }
        return best;
    }

    /** Runs until the JIT has had its time; how often the work fits into a block. */
    private static int warm(Work work) {
        int times = 1;
        double spent = 0;
        double last = 0;
        while (spent < WARM_UP) {
            last = time(work, times);
            spent += last;
            if (last < BLOCK / 2) {
                times *= 2;
            }
        }
        return (int) Math.max(1, Math.round(times * BLOCK / last));
    }

    private static double time(Work work, int times) {
        long start = System.nanoTime();
        work.run(times);
        return (System.nanoTime() - start) * 1e-9;
    }
}
