package hocket.programs;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Operators.cumulativeSum;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Reduction.How;
import hocket.programs.operators.Reduction.Reduce;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FLOAT32 sums of many elements, beside sums of the same elements in FLOAT64. */
@Tag("engine")
class LongSumsTest {
    /** A few units in the last place: what PyTorch has for the mean of 0.1. */
    private static final double PRECISE = 3e-7;

    static Stream<Lowering> lowerings() {
        return Stream.of(new MxLowering(), new JvmLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    private static double[] of(
            Lowering lowering, UnaryOperator<Value> operator, int rows, Shape row, float... numbers) {
        Graph graph = new Graph();
        Program program = Program.compile("one", Mode.EVAL, operator.apply(graph.input("x", row)));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, new TreeSet<>())) {
            bound.feed("x", Tensor.of(row.prepend(rows), numbers));
            bound.run(rows, 0, 0);
            return bound.target(0).doubles();
        }
    }

    private static float[] tenths(int count) {
        float[] tenths = new float[count];
        Arrays.fill(tenths, 0.1f);
        return tenths;
    }

    private static void assertTenths(double... means) {
        for (double mean : means) {
            assertThat(mean).isCloseTo(0.1f, within(0.1 * PRECISE));
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void theMeanOfATenthIsATenthHoweverManyThereAre(Lowering lowering) {
        assertTenths(of(lowering, Operators::mean, 64, Shape.of(64), tenths(64 * 64)));
        assertTenths(of(lowering, Operators::mean, 1024, Shape.of(784), tenths(1024 * 784)));
        assertTenths(of(lowering, Operators::mean, 1023, Shape.of(300), tenths(1023 * 300)));
        assertTenths(of(lowering, Operators::mean, 1 << 18, Shape.of(1), tenths(1 << 18)));
        assertTenths(of(lowering, LongSumsTest::meanOfRows, 1 << 16, Shape.of(2), tenths(1 << 17)));
        assertTenths(of(lowering, x -> mean(x, 0), 16, Shape.of(12288), tenths(16 * 12288)));
        assertTenths(of(lowering, x -> mean(x, 0), 1, Shape.of(12288), tenths(12288)));
        assertTenths(of(lowering, x -> mean(x, 0), 16, Shape.of(3000, 3), tenths(16 * 9000)));
        assertTenths(of(lowering, x -> globalAveragePool(x), 4, Shape.of(2, 90, 90), tenths(4 * 2 * 8100)));
    }

    private static Value meanOfRows(Value x) {
        return x.graph().numbered(new Reduce(How.MEAN, Reduce.BATCH), x);
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void probabilitiesOfManyClassesAddUpToOne(Lowering lowering) {
        int classes = 20_000;
        float[] x = new float[classes];
        double all = 0;
        for (int i = 0; i < classes; i++) {
            x[i] = i % 97 / 97f;
            all += Math.exp(x[i] - 96 / 97f);
        }
        double[] p = of(lowering, v -> softmax(v, 0), 2, Shape.of(classes), twice(x));
        for (int i = 0; i < classes; i++) {
            double exact = Math.exp(x[i] - 96 / 97f) / all;
            // The exponential has a few units in the last place of its own.
            assertThat(p[i]).isCloseTo(exact, within(2 * PRECISE * exact));
        }
    }

    private static float[] twice(float[] x) {
        float[] twice = Arrays.copyOf(x, 2 * x.length);
        System.arraycopy(x, 0, twice, x.length, x.length);
        return twice;
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aCumulativeSumStaysPreciseToItsEnd(Lowering lowering) {
        int count = 50_000;
        double[] sums = of(lowering, x -> cumulativeSum(x, 0), 2, Shape.of(count), tenths(2 * count));
        for (int i = 0; i < 2 * count; i++) {
            double exact = (double) 0.1f * (i % count + 1);
            assertThat(sums[i]).isCloseTo(exact, within(PRECISE * exact));
        }
    }

    /** What a mean is rounded by is as large as the differences of close values are precise. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void aLayerNormOfCloseValuesIsAsPreciseAsTheyAre(Lowering lowering) {
        for (int width : new int[] {144, 3000}) {
            float[] x = new float[4 * width];
            for (int i = 0; i < x.length; i++) {
                x[i] = 100 + i * 37 % 101 / 101f;
            }
            double[] y = of(lowering, v -> inModule(v, h -> layerNorm("norm", h)), 4, Shape.of(width), x);
            for (int row = 0; row < 4; row++) {
                int from = row * width;
                double mean = IntStream.range(from, from + width)
                        .mapToDouble(i -> x[i])
                        .average()
                        .orElse(0);
                double variance = IntStream.range(from, from + width)
                        .mapToDouble(i -> (x[i] - mean) * (x[i] - mean))
                        .average()
                        .orElse(0);
                for (int i = from; i < from + width; i++) {
                    double exact = (x[i] - mean) / Math.sqrt(variance + 1e-5);
                    // Of numbers up to 2.
                    assertThat(y[i]).isCloseTo(exact, within(2 * PRECISE));
                }
            }
        }
    }

    private static Value inModule(Value x, UnaryOperator<Value> layer) {
        try (var module = x.graph().module("m")) {
            return layer.apply(x);
        }
    }

    /** The gradient by a bias is a sum over the batch, and over all positions of a row. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void aBiasOfManyRowsHasAPreciseGradient(Lowering lowering) {
        for (int each : List.of(1, 100)) {
            int rows = (1 << 16) / each;
            Graph graph = new Graph();
            Value x = graph.input("x", Shape.of(each, 3));
            Value y = inModule(x, h -> dense("d", h, 2));
            Program program = Program.compile("p", Mode.TRAIN, sum(Operators.scale(y, 0.1)));
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                bound.feed("x", Tensor.of(Shape.of(rows, each, 3), tenths(rows * each * 3)));
                bound.run(rows, 0, 0);
                double exact = (double) 0.1f * rows * each;
                // The engine sums by blocks of a product with ones.
                double tolerance = lowering instanceof MxLowering ? 1e-5 : 1e-6;
                for (double gradient :
                        Fixture.gradient(bound, parameters, "m/d/bias").doubles()) {
                    assertThat(gradient).isCloseTo(exact, within(tolerance * exact));
                }
                for (double gradient :
                        Fixture.gradient(bound, parameters, "m/d/weight").doubles()) {
                    assertThat(gradient).isCloseTo(exact * 0.1f, within(2e-5 * exact * 0.1f));
                }
            }
        }
    }
}
