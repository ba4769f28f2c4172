import static hocket.programs.Layers.*;
import static hocket.programs.Operators.*;
import static hocket.schedulers.optimizers.Optimizers.*;

import hocket.programs.*;
import hocket.schedulers.*;
import hocket.scopes.*;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory that a scheduler holds after training on batches of 1 and of 16 sizes, and after close: benchmarks/robustness.py sizes runs it. */
class BatchSizes {
    private static final int SIZES = 16;

    public static void main(String[] arguments) throws Exception {
        boolean isDense = arguments[0].equals("dense");
        Graph graph = new Graph();
        Shape row = isDense ? Shape.of(512) : Shape.of(3, 32, 32);
        Value h = graph.input("x", row);
        try (var module = graph.module("m")) {
            if (isDense) {
                for (int i = 0; i < 4; i++) {
                    h = tanh(dense("d" + i, h, 1024));
                }
            } else {
                h = relu(conv("c0", h, 64, kernel(4).stride(2).pad(1)));
                h = flatten(relu(conv("c1", h, 64, kernel(3).pad(1))));
            }
            h = dense("out", h, 512);
        }
        Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
        Turn.Descend turn = Turn.of("t", Program.compile("p", Mode.TRAIN, Loss.of(mean(square(h))))).updates("m/**", adam(1e-3));
        Scheduler scheduler = Scheduler.over(parameters, 1);
        print("opened");
        for (int i = 0; i < SIZES; i++) {
            int rows = (isDense ? 1024 : 256) - 8 * i;
            float[] zeros = new float[rows * row.size()];
            scheduler.step(turn, Session.Feeds.of("x", Tensor.of(row.prepend(rows), zeros)));
            if (i == 0) {
                print("1 size");
            }
        }
        print(SIZES + " sizes");
        scheduler.close();
        print("closed");
        parameters.close();
        print("store closed");
        if (scheduler.hashCode() + parameters.hashCode() + graph.hashCode() == 0) { // they are still referred to
            throw new AssertionError();
        }
    }

    private static void print(String when) throws Exception {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(100);
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        String resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .findFirst()
                .orElse("0");
        System.out.printf(
                "  %-12s heap %4d MB, direct %4d MB, resident %5d MB%n",
                when, heap >> 20, direct >> 20, Long.parseLong(resident) >> 10);
    }
}
