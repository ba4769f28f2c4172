package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Microseconds of one Adam update of one float32 array: the best of several rounds. Arguments: the number of parameters
 * and of threads; default 2000000 2.
 */
final class AdamBenchmark {
    private AdamBenchmark() {}

    public static void main(String[] arguments) {
        int n = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000_000;
        int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        System.out.printf(
                "%s %d parameters, %d threads: %.1f us%n",
                Kernels.best().name(), n, threads, best(n, ElementType.FLOAT32, threads));
    }

    static double best(int n, ElementType type, int threads) {
        try (KernelThreads kernelThreads = KernelThreads.of(threads)) {
            UpdatePlan plan = UpdatePlan.of(
                    Optimizers.adam(1e-6), List.of(NativeArrays.target("w", type, n, new SplittableRandom(1))));
            int repeats = Math.max(3, 40_000_000 / n);
            double best = Double.POSITIVE_INFINITY;
            for (int round = 0; round < 12; round++) {
                long start = System.nanoTime();
                for (int i = 0; i < repeats; i++) {
                    plan.run(kernelThreads);
                }
                best = Math.min(best, (System.nanoTime() - start) / 1e3 / repeats);
            }
            return best;
        }
    }
}
