package hocket.programs.jvm;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.transpose;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import hocket.programs.Fixture;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.layers.Attention;
import hocket.programs.layers.Attention.Causal;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.lang.management.ManagementFactory;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Attention on the Java kernels, which compute it block by block. */
class AttentionTest {
    private static final int WIDTH = 8;

    /** Rows, queries, keys: one row and several, blocks of one size and with a rest. */
    static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of(1, 5, 5),
                Arguments.of(1, 40, 37),
                Arguments.of(3, 21, 21),
                Arguments.of(20, 18, 7),
                Arguments.of(2, 6, 330),
                Arguments.of(1, 40, 8), // of the last queries, the first 32 see no key
                Arguments.of(3, 40, 8),
                Arguments.of(17, 40, 8));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void itHasTheSameBitsByAllKernelsAndThreadsAndAgreesWithTheReference(int rows, int queries, int keys) {
        for (Causal causal : Causal.values()) {
            for (boolean masked : new boolean[] {false, true}) {
                Both.assertAgree(
                        type -> attention(type, Attention.full().causal(causal), queries, keys, masked), rows, 20);
            }
        }
    }

    private static Program attention(ElementType type, Attention attention, int queries, int keys, boolean masked) {
        Graph graph = new Graph(type);
        Value mask = masked ? graph.input("mask", Shape.of(keys)) : null;
        try (var module = graph.module("m")) {
            Value q = heads("q", graph.input("a", Shape.of(queries, 3)));
            Value b = graph.input("b", Shape.of(keys, 3));
            Value y = attention.of(q, heads("k", b), heads("v", b), null, mask == null ? null : step(mask));
            return Program.compile("p", Mode.TRAIN, mean(square(y)), y);
        }
    }

    /** (T, 3) as (2, T, width / 2). */
    private static Value heads(String name, Value x) {
        return transpose(reshape(dense(name, x, WIDTH), x.shape().get(0), 2, WIDTH / 2), 1, 0, 2);
    }

    /** Memory that grows with the square of T would be four times as large, and 4 MB at least; linear growth doubles it. */
    @Test
    void memoryGrowsWithTheNumberOfStepsAndNotWithItsSquare() {
        allocated(64);
        long some = allocated(512);
        long many = allocated(1024);
        assertThat(many).as("bytes for 1,024 steps, beside %s for 512", some).isLessThan(3 * some);
        assertThat(many).isLessThan(4 * 1024 * 1024);
    }

    private static long allocated(int steps) {
        Graph graph = new Graph();
        Value y;
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(steps, 2));
            y = Attention.toThePast().of(dense("q", x, 2), dense("k", x, 2), dense("v", x, 2), null, null);
        }
        try (Parameters parameters = Fixture.store(graph)) {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            Program program = Program.compile("p", Mode.TRAIN, mean(square(y)));
            try (BoundProgram bound = Fixture.bind(
                    new JvmLowering(DenseKernels.plain()), program, parameters, new TreeSet<>(program.reached()))) {
                bound.feed("m/x", Fixture.random(Shape.of(1, steps, 2), ElementType.FLOAT32, 1));
                bound.run(1, 0, 0);
            }
            return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
    }
}
