package hocket.programs.jvm;

import hocket.programs.execution.ThreadTeam;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.ActivationGradient;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.DenseSize;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.jvm.kernels.WorkShare;
import java.util.Arrays;
import java.util.List;

/**
 * Measures the kernels: run {@code main}; arguments are names of groups (products, small, functions, team), or none.
 * Properties: {@code sizes}, such as {@code 64x64x64,256x17x256}, and {@code threads}, 2 at most.
 */
final class KernelSpeed {
    private static final int[][] SIZES = {
        {64, 64, 64},
        {256, 256, 256},
        {256, 17, 256},
        {10, 128, 128},
        {256, 784, 128},
        {1024, 784, 128},
        {1024, 1024, 128},
        {2048, 1024, 256},
        {2048, 2048, 256},
        {2, 64, 64},
        {64, 4, 64},
        {6, 256, 256}
    };

    private static boolean warm;

    private KernelSpeed() {}

    private interface Work {
        void part(WorkShare workShare);
    }

    public static void main(String[] arguments) {
        DenseKernels kernels = DenseKernels.best();
        List<String> sizes = List.of(System.getProperty("sizes", "").split(",", -1)).stream()
                .filter(size -> !size.isEmpty())
                .toList();
        System.out.println("kernels: " + kernels.name());
        if (wanted(arguments, "products")) {
            System.out.printf(
                    "%-18s %27s   %27s   GFLOP/s%n", "outputs inputs rows", "1 thread: fwd, dX, dW", "2 threads");
            for (int[] size : SIZES) {
                if (!wanted(
                        System.getProperty("sizes", "").isEmpty()
                                ? new String[0]
                                : System.getProperty("sizes").split(","),
                        size[0] + "x" + size[1] + "x" + size[2])) {
                    continue;
                }
                products(kernels, size);
            }
        }
        if (wanted(arguments, "small")) {
            for (int rows : new int[] {1, 8, 16, 32}) {
                products(kernels, new int[] {64, 64, rows});
            }
            products(kernels, new int[] {256, 256, 1});
        }
        if (wanted(arguments, "functions")) {
            functions(kernels);
        }
        if (wanted(arguments, "team")) {
            ThreadTeam threadTeam = ThreadTeam.shared(2);
            System.out.printf("empty phase of two: %.0f ns%n", best(() -> threadTeam.run((part, parts) -> {})));
            threadTeam.release();
        }
    }

    private static boolean wanted(String[] arguments, String group) {
        return arguments.length == 0 || Arrays.asList(arguments).contains(group);
    }

    private static void products(DenseKernels kernels, int[] size) {
        int n = size[0];
        int k = size[1];
        int m = size[2];
        int stride = m == 1 ? 1 : (m + 15) & -16;
        DenseSize of = new DenseSize(n, k, m, stride);
        Floats w = Floats.of(numbers(n * k));
        Floats bias = Floats.of(numbers(n));
        Floats x = Floats.of(numbers(k * stride));
        Floats y = Floats.of(numbers(n * stride));
        Floats dx = Floats.of(numbers(k * stride));
        Floats dw = Floats.of(numbers(n * k));
        Floats db = Floats.of(numbers(n));
        Work[] works = {
            workShare -> kernels.forward(of, w, bias, x, y, Activation.NONE, 0, workShare),
            workShare -> kernels.inputGradient(of, w, y, dx, false, workShare),
            workShare -> kernels.weightGradient(of, y, x, dw, db, false, workShare)
        };
        if (!warm) {
            for (Work work : works) {
                WorkShare workShare = new WorkShare(0, 1, new Scratch());
                warmUp(() -> work.part(workShare), 1_500_000_000);
            }
            warm = true;
        }
        System.out.printf("%-18s", name(size));
        for (int threads = 1; threads <= Integer.getInteger("threads", 2); threads++) {
            ThreadTeam threadTeam = ThreadTeam.shared(threads);
            Scratch[] scratch = {new Scratch(), new Scratch()};
            for (Work work : works) {
                double ns = best(
                        () -> threadTeam.run((part, parts) -> work.part(new WorkShare(part, parts, scratch[part]))));
                System.out.printf(" %6.1f (%s)", 2.0 * n * k * m / ns, time(ns));
            }
            threadTeam.release();
            System.out.print("  ");
        }
        System.out.println();
    }

    private static void functions(DenseKernels kernels) {
        int n = 4096;
        float[] x = numbers(n);
        float[] y = numbers(n);
        float[] z = numbers(n);
        for (Unary f : Unary.values()) {
            double ns = best(() -> kernels.unary(f, 0.5f, 1, x, 0, y, 0, n));
            System.out.printf("%-12s %7.0f ns for 4,096, %.3f each%n", f, ns, ns / n);
        }
        for (Binary f : Binary.values()) {
            double ns = best(() -> kernels.binary(f, x, 0, 1, y, 0, 1, z, 0, n));
            System.out.printf("%-12s %7.0f ns for 4,096, %.3f each%n", f, ns, ns / n);
        }
        for (ActivationGradient f : ActivationGradient.values()) {
            double ns = best(() -> kernels.slope(f, 0.5f, x, 0, y, 0, z, 0, n, false));
            System.out.printf("slope %-12s %7.0f ns for 4,096, %.3f each%n", f, ns, ns / n);
        }
        float[] kept = new float[1];
        System.out.printf("sum %.3f each%n", best(() -> kept[0] += kernels.sum(x, 0, n)) / n);
        System.out.printf("sum of 64: %.1f ns%n", best(() -> kept[0] += kernels.sum(x, 0, 64)));
        System.out.printf("sumOfProducts %.3f each%n", best(() -> kept[0] += kernels.sumOfProducts(x, 0, y, 0, n)) / n);
        System.out.printf("max %.3f each%n", best(() -> kept[0] += kernels.max(x, 0, n)) / n);
        System.out.printf("where %.3f each%n", best(() -> kernels.where(x, 0, 1, y, 0, 1, x, 0, 0, z, 0, n)) / n);
    }

    /** Vectors are slow until their loops are compiled. */
    private static int warmUp(Runnable work, long nanoseconds) {
        long end = System.nanoTime() + nanoseconds;
        int runs = 0;
        while (System.nanoTime() < end) {
            work.run();
            runs++;
        }
        return runs;
    }

    private static String name(int[] size) {
        return size[0] + "x" + size[1] + "x" + size[2];
    }

    private static String time(double ns) {
        return ns < 10_000 ? String.format("%.2f us", ns / 1000) : String.format("%.0f us", ns / 1000);
    }

    private static float[] numbers(int count) {
        float[] a = new float[count + 16];
        for (int i = 0; i < a.length; i++) {
            a[i] = i * 37 % 101 / 50f - 1;
        }
        return a;
    }

    /** Nanoseconds of one run: the least of a hundred short series, after a warm-up. */
    private static double best(Runnable work) {
        warmUp(work, 200_000_000);
        int runs = 1 + warmUp(work, 100_000_000) / 200;
        double best = Double.MAX_VALUE;
        for (int series = 0; series < 100; series++) {
            long start = System.nanoTime();
            for (int i = 0; i < runs; i++) {
                work.run();
            }
            best = Math.min(best, (double) (System.nanoTime() - start) / runs);
        }
        return best;
    }
}
