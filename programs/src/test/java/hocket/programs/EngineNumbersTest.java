package hocket.programs;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sin;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.checks.CheckGradients;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the engine's own operators give wrong numbers: what is run in their place gives right ones. */
@Tag("engine")
class EngineNumbersTest {
    static Stream<Lowering> lowerings() {
        return Stream.of(new MxLowering(), new JvmLowering(), new ReferenceLowering())
                .filter(lowering -> lowering.unavailable().isEmpty());
    }

    /** What an operator makes of numbers in FLOAT32, as a batch of rows. */
    private static double[] of(Lowering lowering, UnaryOperator<Value> operator, Shape row, float... numbers) {
        Graph graph = new Graph();
        Program program = Program.compile("one", Mode.EVAL, operator.apply(graph.input("x", row)));
        int rows = numbers.length / row.size();
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(lowering, program, parameters, new TreeSet<>())) {
            bound.feed("x", Tensor.of(row.prepend(rows), numbers));
            bound.run(rows, 0, 0);
            return bound.target(0).doubles();
        }
    }

    /** The engine's own way to add gradients up, in place, is another from 8 on, and wrong. */
    @ParameterizedTest
    @CsvSource({"tanh, 7", "tanh, 8", "tanh, 9", "tanh, 50", "multiply, 8", "sigmoid, 20", "weight, 8", "weight, 30"})
    void theGradientOfWhatIsUsedOftenIsTheSumOfAll(String operator, int uses) {
        for (ElementType type : List.of(ElementType.FLOAT64, ElementType.FLOAT32)) {
            Graph graph = new Graph(type);
            Value x = graph.input("x", Shape.of(8));
            Value weight;
            try (var module = graph.module("m")) {
                weight = Fixture.parameter(graph, "w", 8);
            }
            Value product = multiply(x, weight);
            Value often = switch (operator) {
                case "tanh" -> tanh(product);
                case "multiply" -> multiply(product, product);
                case "sigmoid" -> sigmoid(product);
                default -> weight;
            };
            Value loss = mean(often);
            for (int i = 1; i < uses; i++) {
                loss = add(loss, mean(sin(scale(often, 0.37 * i))));
            }
            Program program = Program.compile("often", Mode.TRAIN, loss);
            Outcome exact = Outcome.of(new ReferenceLowering(), program, 6, 6);
            // Many float32 or float64 sums of 6 rows by other orders.
            double tolerance = type == ElementType.FLOAT64 ? 1e-12 : 2e-5;
            for (Lowering lowering : List.of(new MxLowering(), new JvmLowering())) {
                if (lowering.refuses(program, program.reached()).isEmpty()) {
                    Outcome.of(lowering, program, 6, 6).assertNear(exact, tolerance);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void softplusKeepsTheSmallestOfItsResults(Lowering lowering) {
        float[] x = {
            -200, -103.5f, -86.9f, -50, -20, -17.3f, -8, -1, 0, 1, 8, 17.3f, 50, 90, 3e38f, Float.NEGATIVE_INFINITY
        };
        double[] y = of(lowering, Operators::softplus, Shape.scalar(), x);
        for (int i = 0; i < x.length; i++) {
            double exact = Math.max(x[i], 0) + Math.log1p(Math.exp(-Math.abs(x[i])));
            // A few units in the last place, subnormal numbers included.
            assertThat(y[i]).as("softplus(%s)", x[i]).isCloseTo(exact, within(1e-6 * exact + 2e-45));
        }
        assertThat(of(lowering, Operators::softplus, Shape.scalar(), Float.POSITIVE_INFINITY))
                .containsExactly(Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void mishKeepsTheSmallestOfItsResults(Lowering lowering) {
        float[] x = {-100, -86.9f, -50, -20, -8, -1, 0, 1, 8, 50, 3e38f};
        double[] y = of(lowering, Operators::mish, Shape.scalar(), x);
        for (int i = 0; i < x.length; i++) {
            double exact = x[i] * Math.tanh(Math.max(x[i], 0) + Math.log1p(Math.exp(-Math.abs(x[i]))));
            // A few units in the last place, and 100 times some of the smallest number that there is: softplus(-100) is
            // subnormal.
            assertThat(y[i]).as("mish(%s)", x[i]).isCloseTo(exact, within(2e-6 * Math.abs(exact) + 5e-43));
        }
    }

    @ParameterizedTest
    @MethodSource("lowerings")
    void aLogarithmOfAProbabilityIsNeverAboveZero(Lowering lowering) {
        float[] x = new float[300];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) (40 * Math.sin(i * 0.37));
        }
        double[] y = of(lowering, Operators::logSoftmax, Shape.of(3), x);
        for (int i = 0; i < x.length; i += 3) {
            double largest = Math.max(x[i], Math.max(x[i + 1], x[i + 2]));
            double sum = 0;
            for (int k = i; k < i + 3; k++) {
                sum += Math.exp(x[k] - largest);
            }
            for (int k = i; k < i + 3; k++) {
                double exact = x[k] - largest - Math.log(sum);
                // Rounding of a difference of numbers up to 80 and of a logarithm up to 1.1, in float32.
                assertThat(y[k]).isLessThanOrEqualTo(0).isCloseTo(exact, within(2e-7 * (1 + Math.abs(exact))));
            }
        }
    }

    @Test
    void transposedConvolutionsWithStrideAndDilationAreRightInFloat64() {
        assertAlike(kernel(3).stride(2).dilation(2, 2));
        assertAlike(kernel(3).stride(2, 3).dilation(3, 2).pad(1));
    }

    @Test
    void anOutputPaddingBelowTheDilationAloneIsRight() {
        assertAlike(kernel(3).stride(1).dilation(2, 3).outputPad(1, 2));
        assertAlike(kernel(2).stride(2, 1).dilation(1, 3).outputPad(1, 2).pad(1));
    }

    private static void assertAlike(Window window) {
        for (ElementType type : new ElementType[] {ElementType.FLOAT64, ElementType.FLOAT32}) {
            Graph graph = new Graph(type);
            Value y;
            try (var module = graph.module("m")) {
                y = convTranspose("t", graph.input("x", Shape.of(2, 7, 7)), 2, window);
            }
            Program program = Program.compile("p", Mode.TRAIN, mean(square(y)));
            Outcome exact = Outcome.of(new ReferenceLowering(), program, 3, 2);
            Outcome.of(new MxLowering(), program, 3, 2).assertNear(exact, type == ElementType.FLOAT64 ? 1e-12 : 1e-5);
        }
    }

    /** As in a penalty: the gradient of a convolution is a transposed one. */
    @Test
    void gradientsOfConvolutionsWithStrideAndDilationAreRightInFloat64() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value x = graph.input("x", Shape.of(1, 7, 7));
        Value y;
        try (var module = graph.module("m")) {
            y = conv("c", x, 2, kernel(3).stride(2).dilation(2, 2));
        }
        Value penalty = mean(square(Gradients.of(mean(square(y)), x).get(0)));
        Program program = Program.compile("p", Mode.TRAIN, penalty);
        Outcome exact = Outcome.of(new ReferenceLowering(), program, 3, 2);
        Outcome.of(new MxLowering(), program, 3, 2).assertNear(exact, 1e-12);
    }

    @Test
    void gradientsAreCheckedOnWhatWouldRun() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value y;
        try (var module = graph.module("m")) {
            y = convTranspose("t", graph.input("x", Shape.of(1, 3, 3)), 1, kernel(3));
        }
        CheckGradients check = CheckGradients.of(Program.compile("p", Mode.TRAIN, mean(square(y))));
        assertThat(check.lowering().name()).isEqualTo("mxnet");
        assertThat(check.run().passes()).isTrue();
    }

    /** The largest of equals share the gradient, as in PyTorch's {@code amax}. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void equalsShareTheGradientOfTheLargest(Lowering lowering) {
        Graph graph = new Graph();
        Value w;
        try (var module = graph.module("m")) {
            w = Fixture.parameter(graph, "w", 2, 4);
        }
        for (Map.Entry<UnaryOperator<Value>, double[]> by : Map.<UnaryOperator<Value>, double[]>of(
                        x -> Operators.max(x, 1), new double[] {0, 0.5, 0, 0.5, 0.25, 0.25, 0.25, 0.25},
                        x -> Operators.min(x, 1), new double[] {1, 0, 0, 0, 0.25, 0.25, 0.25, 0.25},
                        x -> x.graph().numbered(new Reduction.Reduce(Reduction.How.MAX, Reduction.Reduce.ALL), x),
                                new double[] {0, 0.5, 0, 0.5, 0, 0, 0, 0})
                .entrySet()) {
            Program program =
                    Program.compile("p", Mode.TRAIN, Operators.sum(by.getKey().apply(w)));
            try (Parameters parameters = Fixture.store(graph);
                    BoundProgram bound = Fixture.bind(lowering, program, parameters, program.reached())) {
                parameters.set("m/w", new double[] {-1, 3, 2, 3, 1, 1, 1, 1});
                bound.run(1, 0, 0);
                assertThat(Fixture.gradient(bound, parameters, "m/w").doubles())
                        .containsExactly(by.getValue(), within(0.0));
            }
        }
    }

    /** Five equals whose sum rounds: a mean of them would be beside them, and equal to none. */
    @ParameterizedTest
    @MethodSource("lowerings")
    void theLargestOfEqualsIsEachOfThemToTheBit(Lowering lowering) {
        float third = (float) Math.log(0.2);
        assertThat(of(lowering, x -> Operators.max(x, 0), Shape.of(5), third, third, third, third, third))
                .containsExactly(third);
        assertThat(of(lowering, x -> Operators.min(x, 0), Shape.of(5), third, third, third, third, third))
                .containsExactly(third);
        float infinite = Float.NEGATIVE_INFINITY;
        assertThat(of(lowering, x -> Operators.max(x, 0), Shape.of(3), infinite, 2, infinite))
                .containsExactly(2);
        assertThat(of(lowering, x -> Operators.min(x, 0), Shape.of(3), infinite, 2, infinite))
                .containsExactly(infinite);
    }
}
