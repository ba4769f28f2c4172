package hocket.programs;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.spread;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Session.Feeds;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Padding;
import hocket.programs.operators.Composed;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An array has at most 2147483647 bytes. What needs more is refused by name, before anything is allocated. */
class ArrayLimitsTest {
    private static final String LIMIT = "; an array may have at most 2147483647";

    static Stream<Lowering> lowerings() {
        return Stream.concat(Fixture.lowerings(), Stream.of(new JvmLowering()));
    }

    private static void refused(ThrowingCallable use, String... parts) {
        assertThatThrownBy(use).isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(parts);
    }

    @Test
    void whatIsDeclaredTooLargeIsRefusedByItsPathAndTheGraphStaysAsItWas() {
        Graph graph = new Graph();
        Shape wide = Shape.of(600_000_000);
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(10_000));
            refused(() -> graph.input("y", wide), "m/y: (600000000) of FLOAT32 has 2400000000 bytes" + LIMIT);
            refused(() -> graph.noise("z", wide), "m/z: (600000000) of FLOAT32 has 2400000000 bytes" + LIMIT);
            refused(
                    () -> graph.input("label", Shape.of(300_000_000), ElementType.INT64),
                    "m/label: (300000000) of INT64 has 2400000000 bytes" + LIMIT);
            refused(
                    () -> dense("project", x, 60_000),
                    "m/project/weight: (60000,10000) of FLOAT32 has 2400000000 bytes" + LIMIT);
            refused(
                    () -> dense("project", x, 600_000),
                    "m/project: (600000,10000) has 6000000000 elements; a shape may have at most 2147483647",
                    "ArrayLimitsTest.java");
            assertThat(graph.declarations()).isEmpty();
            Value y = graph.input("y", Shape.of(10_000));
            dense("project", y, 6);
        }
        assertThat(graph.declarations())
                .extracting(d -> d.path() + " " + d.shape())
                .containsExactly("m/project/bias (6)", "m/project/weight (6,10000)");
    }

    @Test
    void anOperatorWhoseResultIsTooLargeIsRefusedAndItsLayerDeclaresNothing() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(30_000, 1));
            Value image = graph.input("image", Shape.of(1, 8000, 8000));
            Value line = graph.input("line", Shape.of(1, 10_000_000));
            Value index = graph.input("index", Shape.of(30_000), ElementType.INT64);
            refused(() -> spread(x, 30_000, 30_000), "m/spread: (30000,30000) of FLOAT32 has 3600000000 bytes" + LIMIT);
            refused(
                    () -> spread(x, 30_000, 100_000),
                    "m/spread: (30000,100000) has 3000000000 elements; a shape may have at most 2147483647",
                    "ArrayLimitsTest.java");
            refused(
                    () -> Operators.reshape(x, 60_000, 60_000),
                    "m/reshape: (60000,60000) has 3600000000 elements; a shape may have at most 2147483647",
                    "ArrayLimitsTest.java");
            String images = "(10,8000,8000) of FLOAT32 has 2560000000 bytes" + LIMIT;
            refused(() -> conv("a", image, 10, kernel(1)), "m/a: " + images);
            refused(() -> conv("a", image, 10, kernel(3).pad(1), Padding.REFLECT), "m/a: ", "of FLOAT32", LIMIT);
            refused(() -> convTranspose("b", image, 10, kernel(1)), "m/b: " + images);
            String lines = "(60,1,10000000) of FLOAT32 has 2400000000 bytes" + LIMIT;
            refused(() -> Layers.conv1d("c", line, 60, kernel(1)), "m/c: " + lines);
            refused(() -> Layers.convTranspose1d("d", line, 60, kernel(1)), "m/d: " + lines);
            String rows = "(30000,20000) of FLOAT32 has 2400000000 bytes" + LIMIT;
            refused(() -> dense("e", x, 20_000), "m/e: " + rows);
            refused(() -> embedding("f", index, 10, 20_000), "m/f: " + rows);
            assertThat(graph.declarations()).isEmpty();
            dense("e", x, 2);
        }
    }

    /** A batched input, and a value in between that is much larger than what is fed and read. */
    private static Program spreading() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value h = dense("layer", graph.input("x", Shape.of(4)), 1);
            return Program.compile("wide", Mode.TRAIN, mean(square(spread(tanh(h), 40_000))));
        }
    }

    private static double run(BoundProgram bound) {
        Fixture.feed(bound, 3, Map.of("m/x", Fixture.random(Shape.of(3, 4), ElementType.FLOAT32, 1)));
        bound.run(3, 0, 0);
        return bound.loss();
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void moreRowsThanArraysHoldAreRefusedByPathAndTheProgramRunsAsBefore(Lowering lowering) {
        Program program = spreading();
        try (Parameters parameters = Fixture.store(program.graph());
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            double before = run(bound);
            refused(
                    () -> bound.feed(0, 400_000_000),
                    "program wide: m/x (batch,4) of 400000000 rows has 6400000000 bytes" + LIMIT);
            refused(
                    () -> bound.feed(0, Integer.MAX_VALUE),
                    "program wide: m/x (batch,4) of 2147483647 rows has 34359738352 bytes" + LIMIT);
            refused(
                    () -> bound.feed(0, 60_000),
                    "program wide: m/spread (batch,40000) of 60000 rows has 2400000000 elements" + LIMIT);
            bound.run(3, 0, 0);
            assertThat(bound.loss()).isEqualTo(before);
            assertThat(run(bound)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aTargetOfMoreRowsThanItsBufferHoldsIsRefused(Lowering lowering) {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(1));
        Program program = Program.compile("wide", Mode.EVAL, graph.name("y", spread(x, 40_000)));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
            refused(
                    () -> bound.feed(0, 15_000),
                    "program wide: y (batch,40000) of 15000 rows has 2400000000 bytes" + LIMIT);
            bound.feed(0, 1).putFloat(0, 2);
            bound.run(1, 0, 0);
            assertThat(bound.target(0).get(39_999)).isEqualTo(2);
        }
    }

    /** These kernels keep rows in blocks of sixteen. */
    @Test
    void rowsThatDoNotFitWithTheKernelsPaddingAreRefusedToo() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = graph.input("x", Shape.of(1));
            Value large = spread(dense("layer", x, 1), 140_000_000);
            Program program = Program.compile("padded", Mode.EVAL, mean(tanh(large)));
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram bound = Fixture.bind(new JvmLowering(), program, parameters, Fixture.none())) {
                refused(
                        () -> bound.feed(0, 3),
                        "program padded: m/spread (batch,140000000) of 3 rows has 2240000016 elements" + LIMIT);
            }
        }
    }

    /** Multiplies by 1, and makes 40,000 numbers of each row on the way back. */
    record WideOnTheWayBack() implements Composed {
        @Override
        public Value composed(List<Value> inputs) {
            return multiply(inputs.get(0), inputs.get(0).graph().constant(1));
        }

        @Override
        public Map<Integer, Value> gradients(Value result, Value upstream, SortedSet<Integer> wanted) {
            return Map.of(0, reshape(mean(spread(upstream, 40_000), 0), 1));
        }
    }

    /** Only the compiled program has the values of gradients. */
    @Test
    void rowsThatGradientsDoNotFitAreRefusedWhereJavaKernelsComputeThem() {
        Graph graph = new Graph();
        try (var module = graph.module("m")) {
            Value x = dense("layer", graph.input("x", Shape.of(1)), 1);
            Program program = Program.compile("wide", Mode.TRAIN, mean(new WideOnTheWayBack().of(x)));
            for (Lowering lowering : List.of(new JvmLowering(), new ReferenceLowering())) {
                try (Parameters parameters = Fixture.store(graph);
                        BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                    refused(
                            () -> bound.feed(0, 60_000),
                            "program wide: gradients#1/spread_2 (batch,40000) of 60000 rows has 24000000",
                            " elements" + LIMIT);
                    bound.feed(0, 1).putFloat(0, 1);
                    bound.run(1, 0, 0);
                    assertThat(Fixture.gradient(bound, parameters, "m/layer/weight")
                                    .get(0))
                            .isEqualTo(1);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aSessionRunsOnAfterARefusal(Lowering lowering) {
        Graph graph = new Graph();
        Value z = graph.noise("z", Shape.of(2));
        graph.name("y", tanh(z));
        System.setProperty(Lowering.PROPERTY, lowering.name());
        try (Parameters parameters = Fixture.store(graph);
                Session session = Session.over(graph, parameters)) {
            refused(() -> session.run(List.of("y"), Feeds.rows(300_000_000)), "has 2400000000 bytes" + LIMIT);
            assertThat(session.run("y", Feeds.rows(2)).shape()).isEqualTo(Shape.of(2, 2));
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
    }
}
