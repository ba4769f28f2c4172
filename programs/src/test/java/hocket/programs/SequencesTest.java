package hocket.programs;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argSort;
import static hocket.programs.Operators.gather;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.sort;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.topK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.checks.CheckGradients;
import hocket.programs.checks.GradientCheck;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Attention;
import hocket.programs.layers.Attention.Causal;
import hocket.programs.layers.MultiHeadAttention;
import hocket.programs.layers.Positions;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.Weights;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences: what golden data does not say. */
class SequencesTest {
    static Stream<Lowering> lowerings() {
        return Stream.of(new ReferenceLowering(), new JvmLowering(), new MxLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    private final Graph graph = new Graph();

    private static void assertPasses(Program program, Lowering lowering) {
        GradientCheck check =
                CheckGradients.of(program).by(lowering).elements(6).run();
        assertThat(check.passes()).as(check.toString()).isTrue();
    }

    /** Gradients, and those of gradients, through cells and attention. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void secondGradientsAreDifferences(Lowering lowering) {
        try (Scope<Value> scope = graph.module("m")) {
            Value x = graph.input("x", Shape.of(3, 4));
            Value text = graph.input("text", Shape.of(4), ElementType.INT64);
            Value h = add(x, embedding("table", slice(text, 0, 0, 3), 5, 4));
            h = Recurrence.lstm(4).layers(2).apply("lstm", h).outputs();
            h = Recurrence.gru(4).backward().apply("gru", h).outputs();
            h = MultiHeadAttention.of(2)
                    .causal()
                    .apply("attention", Positions.interleaved().rotary(h));
            Value loss = mean(square(tanh(h)));
            Value slope =
                    Gradients.of(loss, graph.value("m/gru/layer1/input/weight")).get(0);
            assertPasses(Program.compile("first", Mode.TRAIN, loss), lowering);
            assertPasses(Program.compile("second", Mode.TRAIN, add(loss, sum(square(slope)))), lowering);
        }
    }

    /** Slices that overlap, that leave gaps, that are equal, of two axes. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void gradientsThroughSlicesArePutTogether(Lowering lowering) {
        int[][][] all = {
            {{0, 0, 2}, {0, 2, 5}},
            {{0, 1, 2}, {0, 3, 4}},
            {{0, 0, 3}, {0, 2, 5}},
            {{0, 1, 3}, {0, 1, 3}, {0, 3, 5}},
            {{0, 0, 2}, {1, 0, 1}},
            {{1, 2, 3}}
        };
        for (int[][] slices : all) {
            Graph own = new Graph();
            try (Scope<Value> scope = own.module("m")) {
                Value x = Fixture.parameter(own, "x", 5, 3);
                Value loss = own.constant(0);
                for (int[] each : slices) {
                    loss = add(loss, sum(square(tanh(slice(x, each[0], each[1], each[2])))));
                }
                assertPasses(Program.compile("p", Mode.TRAIN, loss), lowering);
            }
        }
    }

    /** A gradient of full size for each step would take time in proportion to their number squared. */
    @Test
    void theStepsOfASequenceShareOneGradient() {
        try (Scope<Value> scope = graph.module("m")) {
            Value x = graph.input("x", Shape.of(20, 3));
            Value loss = mean(square(Recurrence.lstm(4).apply("lstm", x).outputs()));
            Program program = Program.compile("p", Mode.TRAIN, loss);
            Program compiled = CompiledProgram.of(program, program.reached(), 2, operator -> false)
                    .program();
            assertThat(count(compiled, Arrangement.Pad.class)).isZero();
            // Of the inputs, of the first step, whose state is the same for all rows, and of the others together.
            assertThat(count(compiled, Products.DenseWeight.class)).isEqualTo(3);
        }
    }

    private static long count(Program program, Class<? extends Operator> type) {
        return program.values().stream()
                .filter(value -> type.isInstance(value.operator()))
                .count();
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void sortsPutEqualsInTheirOrderAndNaNLast(Lowering lowering) {
        Value x = graph.input("x", Shape.of(6));
        float[] row = {2, -0f, Float.NaN, 0, Float.NEGATIVE_INFINITY, 2};
        Value[] orders = {argSort(x, 0, false), argSort(x, 0, true), topK(x, 0, 2), sort(x, 0, false)};
        Program program = Program.compile("p", Mode.EVAL, orders);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
            bound.feed("x", Tensor.of(Shape.of(1, 6), row));
            bound.run(1, 0, 0);
            assertThat(bound.target(0).longs()).containsExactly(4, 1, 3, 0, 5, 2);
            assertThat(bound.target(1).longs()).containsExactly(2, 0, 5, 1, 3, 4);
            assertThat(bound.target(2).longs()).containsExactly(2, 0);
            assertThat(bound.target(3).floats()).containsExactly(Float.NEGATIVE_INFINITY, -0f, 0f, 2f, 2f, Float.NaN);
        }
    }

    /** An index is checked when it is fed, however it is moved before it is used. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void movedIndicesKeepTheirBound(Lowering lowering) {
        Value loss;
        Value text = graph.input("text", Shape.of(4), ElementType.INT64);
        try (Scope<Value> scope = graph.module("m")) {
            Value logits = dense("logits", embedding("table", slice(text, 0, 0, 3), 7, 2), 5);
            loss = mean(pick(logits, slice(text, 0, 1, 4)));
        }
        Program program = Program.compile("p", Mode.TRAIN, loss);
        assertThat(program.indexBound(program.inputs().get(0))).isEqualTo(5);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
            bound.feed("text", Tensor.of(Shape.of(1, 4), 0L, 1L, 2L, 5L));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bound.run(1, 0, 0))
                    .withMessageContaining("input text: number 3 of a row must be 0 to 4, row 0 has 5");
            bound.feed("text", Tensor.of(Shape.of(1, 4), 0L, 1L, 2L, 4L));
            bound.run(1, 0, 0);
            assertThat(Fixture.gradients(bound, parameters)).hasSize(3);
        }
    }

    /** A NaN at a place that is not chosen stays there. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void whatIsNotGatheredDoesNotMatter(Lowering lowering) {
        Value x = graph.input("x", Shape.of(3));
        Value index = graph.input("index", Shape.of(2), ElementType.INT64);
        Program program = Program.compile("p", Mode.EVAL, gather(x, 0, index));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
            bound.feed("x", Tensor.of(Shape.of(1, 3), 1f, Float.NaN, 3f));
            bound.feed("index", Tensor.of(Shape.of(1, 2), 2L, 0L));
            bound.run(1, 0, 0);
            assertThat(bound.target(0).floats()).containsExactly(3, 1);
        }
    }

    /** As in PyTorch. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void indicesOfSmallerExtentsGatherFromTheBeginning(Lowering lowering) {
        Value x = graph.input("x", Shape.of(2, 3));
        Value index = graph.input("index", Shape.of(1, 2), ElementType.INT64);
        Program program = Program.compile("p", Mode.EVAL, gather(x, 0, index), gather(x, 1, index));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, Fixture.none())) {
            bound.feed("x", Tensor.of(Shape.of(1, 2, 3), 1f, 2f, 3f, 4f, 5f, 6f));
            bound.feed("index", Tensor.of(Shape.of(1, 1, 2), 1L, 0L));
            bound.run(1, 0, 0);
            assertThat(bound.target(0).floats()).containsExactly(4, 2);
            assertThat(bound.target(1).floats()).containsExactly(2, 1);
        }
    }

    @Test
    void whatDoesNotFitIsRefusedByName() {
        Value x = graph.input("x", Shape.of(3, 4));
        Value flat = graph.input("flat", Shape.of(4));
        try (Scope<Value> scope = graph.module("m")) {
            refuses(() -> Recurrence.lstm(4).apply("a", flat), "a: needs a sequence (T, features), got flat (batch,4)");
            refuses(
                    () -> Recurrence.lstm(4).apply("b", x, flat, null),
                    "b: needs a state (1,2,4) of FLOAT32, got flat");
            refuses(
                    () -> Recurrence.lstm(4).apply("c", x, null, flat),
                    "c: needs a mask of 3 steps of FLOAT32, got flat");
            refuses(() -> Recurrence.lstm(0), "at least one unit and one layer, got 0 and 1");
            refuses(() -> MultiHeadAttention.of(3).apply("d", x), "d: needs sequences (T, width) of a width that 3");
            refuses(() -> Positions.inHalves().sinusoidal(flat), "positions need a sequence (T, d), got flat");
            refuses(() -> Positions.interleaved().rotary(graph.input("odd", Shape.of(2, 3))), "need an even width");
            refuses(() -> Positions.learned("e", x, 2), "needs indices from 0 to 1");
            refuses(() -> embedding("f", x, 4, 2, Weights.standard(), 4), "from 0 to 3, was 4");
        }
        refuses(() -> Operators.matmul(x, flat), "needs matrices, of two axes or more");
        refuses(() -> Operators.matmul(x, x), "needs matrices (…, m, k) and (…, k, n), got");
        refuses(() -> Attention.full().of(x, x, x, null, flat), "needs a mask of 3 keys");
        Value whole = graph.input("whole", Shape.of(3), ElementType.INT64);
        refuses(() -> Attention.full().of(x, x, x, null, whole), "needs a mask of 3 keys of FLOAT32, got whole");
        refuses(() -> Attention.full().of(x, x, x, whole, null), "needs a bias (3,3) of FLOAT32, got whole");
        refuses(() -> Attention.full().scale(0), "must not be 0");
        refuses(() -> Attention.full().scale(Double.NaN), "must be finite, was NaN");
        try (Scope<Value> scope = graph.module("n")) {
            refuses(() -> Recurrence.gru(4).apply("a", x, null, whole), "a mask of 3 steps of FLOAT32, got whole");
        }
        refuses(() -> multiply(x, gather(x, 2, x)), "there is no axis 2");
    }

    @Test
    void headsThatAreMadeCausalKeepTheirAttention() {
        MultiHeadAttention heads =
                MultiHeadAttention.of(2).attention(Attention.full().scale(3)).causal();
        assertThat(heads.attention()).isEqualTo(Attention.toThePast().scale(3));
        Attention last = Attention.full().causal(Causal.TO_LAST);
        assertThat(MultiHeadAttention.of(2).attention(last).causal().attention())
                .isEqualTo(last);
    }

    /** Where a row's weights would be an array of more than 2³¹ elements. */
    @Test
    void theCostOfALongAttentionIsCounted() {
        Value x = graph.input("x", Shape.of(8, 65_536, 2));
        Value y = Attention.toThePast().of(x, x, x, null, null);
        long weights = 8L * 65_536 * 65_536;
        assertThat(y.operator().flops(y.inputs(), y.result()).perRow()).isEqualTo(weights * (2 * (2 + 2) + 7));
    }

    private static void refuses(ThrowingCallable made, String message) {
        assertThatIllegalArgumentException().isThrownBy(made).withMessageContaining(message);
    }

    /** Batches of several sizes share the array in which the gradient is handed out. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aTablesGradientHasTheRowsOfTheLastRunOnly(int times) {
        Value text = graph.input("text", Shape.of(3), ElementType.INT64);
        Program program;
        try (Scope<Value> net = graph.module("net")) {
            Value x = embedding("words", text, 9, 5);
            Value y = tanh(x);
            for (int i = 1; i < times; i++) {
                Value table = x.inputs().get(1);
                y = add(y, graph.numbered(new Products.Embedding(), slice(text, 0, i, i + 1), table));
            }
            program = Program.compile("learn", Mode.TRAIN, mean(square(y)));
        }
        try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(3));
                BoundProgram dense = Fixture.bind(new JvmLowering(), program, store, program.reached());
                BoundProgram plain = Fixture.bind(new ReferenceLowering(), program, store, program.reached())) {
            Device.Array same = null;
            long[][] batches = {{0, 1, 1, 8, 2, 2}, {8, 8, 3}, {4, 5, 6, 4, 4, 0}, {7, 7, 7}};
            for (long[] batch : batches) {
                Tensor rows = Tensor.of(Shape.of(batch.length / 3, 3), batch);
                for (BoundProgram each : List.of(dense, plain)) {
                    each.feed("text", rows);
                    each.run(batch.length / 3, 0, 0);
                }
                assertThat(same == null || dense.gradient(0) == same).isTrue();
                same = dense.gradient(0);
                float[] gradient = dense.gradient(0).read().floats();
                float[] expected = plain.gradient(0).read().floats();
                for (int i = 0; i < expected.length; i++) {
                    assertThat(gradient[i]).isCloseTo(expected[i], within(1e-6f));
                }
                store.set(
                        "net/words/table",
                        IntStream.range(0, 45).mapToDouble(Math::cos).toArray()); // is read where it is
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void tiedScoresAreAProductWithTheTableWhoseGradientIsOfBothUses(Lowering lowering) {
        assertThat(tied(lowering, true)).isEqualTo(tied(lowering, false));
    }

    private static List<Object> tied(Lowering lowering, boolean layer) {
        Graph graph = new Graph();
        Value text = graph.input("text", Shape.of(3), ElementType.INT64);
        Program program;
        try (Scope<Value> net = graph.module("net")) {
            Value x = embedding("words", text, 7, 4, Weights.standard(), 6);
            Value table = x.inputs().get(2).inputs().get(1);
            Value h = dense("hidden", tanh(x), 4);
            Value scores = layer ? Layers.tied("scores", h, x) : Operators.matmul(h, Operators.transpose(table, 1, 0));
            program = Program.compile("learn", Mode.TRAIN, mean(square(tanh(scores))), scores);
        }
        assertPasses(program, lowering);
        try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(3));
                BoundProgram bound = Fixture.bind(lowering, program, store, program.reached())) {
            assertThat(store.declarations().stream()
                            .map(declaration -> declaration.path().text()))
                    .containsExactly("net/hidden/bias", "net/hidden/weight", "net/words/rows/table");
            bound.feed("text", Tensor.of(Shape.of(2, 3), new long[] {0, 1, 1, 6, 2, 1}));
            bound.run(2, 0, 0);
            return List.of(rounded(bound.target(1)), rounded(bound.gradient(2).read()));
        }
    }

    private static List<Long> rounded(Tensor tensor) {
        return Arrays.stream(tensor.doubles())
                .mapToObj(number -> Math.round(number * 1e5))
                .toList();
    }

    @Test
    void scoresAreTiedToAnEmbeddingOfTheirWidth() {
        Value text = graph.input("text", Shape.of(3), ElementType.INT64);
        try (Scope<Value> net = graph.module("net")) {
            Value x = embedding("words", text, 7, 4);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Layers.tied("scores", x, tanh(x)))
                    .withMessageStartingWith("scores: needs what an embedding returned, got ");
            Value wide = dense("wide", x, 5);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Layers.tied("scores", wide, x))
                    .withMessageContaining("scores rows of 4, input is");
        }
    }
}
