package hocket.schedulers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Closed objects hold no memory, even while they are referred to. Memory is what is left right after the garbage collector
 * has run: other tests' may go meanwhile, and nothing else of this size comes.
 */
class ClosingTest {
    private static final double MEGABYTE = 1 << 20;

    /** What may come and go beside: classes, and what the test itself keeps. A program's own is ten times as much. */
    private static final double LITTLE = 4;

    /** The serial collector leaves some dead objects where they are, three times of four. */
    private static final int COLLECTIONS = 6;

    /** Without vectors these programs would run on the engine, whose memory is not the JVM's. */
    private static final String IN_JAVA = "jvm";

    /** In megabytes. */
    private record Memory(double heap, double direct) {
        static Memory used() throws InterruptedException {
            long heap = Long.MAX_VALUE;
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
                Thread.sleep(20); // for the thread that frees direct memory
                heap = Math.min(heap, leftInHeap());
            }
            double direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
            return new Memory(heap / MEGABYTE, direct / MEGABYTE);
        }

        private static long leftInHeap() {
            return ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .map(MemoryPoolMXBean::getCollectionUsage)
                    .filter(Objects::nonNull)
                    .mapToLong(MemoryUsage::getUsed)
                    .sum();
        }

        Memory since(Memory before) {
            return new Memory(heap - before.heap, direct - before.direct);
        }
    }

    private static Program wide(Graph graph) {
        Value x = graph.input("x", Shape.of(2048));
        Value y;
        try (var module = graph.module("m")) {
            y = dense("out", tanh(dense("in", x, 2048)), 2048);
        }
        return Program.compile("p", Mode.TRAIN, Loss.of(mean(square(y))));
    }

    private static Feeds feeds(int rows) {
        return Feeds.of("x", Tensor.of(Shape.of(rows, 2048), new float[rows * 2048]));
    }

    private static Parameters store(Graph graph) {
        return Parameters.initialise(graph.declarations(), Streams.seed(7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Tag("engine")
    void aClosedSchedulerHoldsNoMemory(int workers) throws InterruptedException {
        Lowered.by(IN_JAVA, () -> assertAClosedSchedulerHoldsNoMemory(workers));
    }

    private static void assertAClosedSchedulerHoldsNoMemory(int workers) throws InterruptedException {
        Graph graph = new Graph();
        Turn.Descend turn = Turn.of("t", wide(graph)).updates("m/**", adam(1e-3));
        Turn.Follow average = Turn.follow("a", "m/**", "ema/m/**", 0.9);
        try (Parameters parameters = store(graph).copy("m/**", "ema/m/**")) {
            Memory before = Memory.used();
            Scheduler scheduler = Scheduler.over(parameters, 1, DataParallelSplit.among(workers));
            scheduler.plan(Plan.sequence(turn, average)).audit(1);
            for (int rows = 64; rows <= 256; rows *= 2) {
                scheduler.step(turn, feeds(rows));
                scheduler.step(average);
            }
            Memory open = Memory.used().since(before);
            assertThat(open.heap).isGreaterThan(10 * LITTLE);
            assertThat(open.direct).isGreaterThan(10 * LITTLE);
            scheduler.close();
            Memory closed = Memory.used().since(before);
            assertThat(closed.heap).as("heap, %s before", open).isLessThan(LITTLE);
            assertThat(closed.direct).as("direct memory, %s before", open).isLessThan(LITTLE);
            assertThat(scheduler.count("t")).isEqualTo(3);
        }
    }

    @Test
    @Tag("engine")
    void aClosedProgramHoldsNoMemory() throws InterruptedException {
        Lowered.by(IN_JAVA, ClosingTest::assertAClosedProgramHoldsNoMemory);
    }

    private static void assertAClosedProgramHoldsNoMemory() throws InterruptedException {
        Graph graph = new Graph();
        Program program = wide(graph);
        try (Parameters parameters = store(graph)) {
            Memory before = Memory.used();
            BoundProgram bound = new BoundProgram(program, parameters, Lowering.of(program), 1, program.reached(), "");
            for (int rows = 256; rows <= 1024; rows *= 2) {
                bound.feed(feeds(rows).tensors());
                bound.run(rows, 0, 0);
            }
            Memory open = Memory.used().since(before);
            assertThat(open.heap).isGreaterThan(10 * LITTLE);
            assertThat(open.direct).isGreaterThan(4 * LITTLE);
            bound.close();
            Memory closed = Memory.used().since(before);
            assertThat(closed.heap).as("heap, %s before", open).isLessThan(LITTLE);
            assertThat(closed.direct).as("direct memory, %s before", open).isLessThan(LITTLE);
            assertThat(bound.program()).isSameAs(program);
        }
    }
}
