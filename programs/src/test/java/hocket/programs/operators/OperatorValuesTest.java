package hocket.programs.operators;

import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.errorRate;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.gather;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.logSumExp;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.min;
import static hocket.programs.Operators.minimum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.pixelShuffle;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.step;
import static hocket.programs.Operators.straightThrough;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upsampleNearest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Fixture;
import hocket.programs.Golden;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.layers.Cumulative;
import hocket.programs.layers.Distributions;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values worked out by hand, and gradients where a function has a kink. */
@Tag("engine")
class OperatorValuesTest {
    private static final double[] X = {-2, 0, 1, 3, 0.5, -1};
    private static final double[] B = {1, 0, 2, 3, -1, 5};

    private Graph graph = new Graph();
    private Value x = graph.input("x", Shape.of(3));
    private Value b = graph.input("b", Shape.of(3));
    private Value label = graph.input("label", Shape.scalar(), ElementType.INT64);

    private void start(ElementType type) {
        graph = new Graph(type);
        x = graph.input("x", Shape.of(3));
        b = graph.input("b", Shape.of(3));
        label = graph.input("label", Shape.scalar(), ElementType.INT64);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void functionsOfOneNumber(ElementType type) {
        start(type);
        assertThat(of(negate(x))).containsExactly(2, -0.0, -1, -3, -0.5, 1);
        assertThat(of(relu(x))).containsExactly(0, 0, 1, 3, 0.5, 0);
        assertThat(of(leakyRelu(x, 0.25))).containsExactly(-0.5, 0, 1, 3, 0.5, -0.25);
        assertThat(of(square(x))).containsExactly(4, 0, 1, 9, 0.25, 1);
        assertThat(of(abs(x))).containsExactly(2, 0, 1, 3, 0.5, 1);
        assertThat(of(scale(x, -2))).containsExactly(4, -0.0, -2, -6, -1, 2);
        assertThat(of(shift(x, 2))).containsExactly(0, 2, 3, 5, 2.5, 1);
        assertThat(of(sqrt(square(x)))).containsExactly(2, 0, 1, 3, 0.5, 1);
        near(of(exp(x)), Math::exp);
        near(of(log(exp(x))), v -> v);
        near(of(elu(x, 2)), v -> v > 0 ? v : 2 * Math.expm1(v));
    }

    private static void near(double[] actual, DoubleUnaryOperator function) {
        for (int i = 0; i < X.length; i++) {
            assertThat(actual[i]).isCloseTo(function.applyAsDouble(X[i]), within(1e-6));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void functionsOfTwoNumbers(ElementType type) {
        start(type);
        assertThat(of(add(x, b))).containsExactly(-1, 0, 3, 6, -0.5, 4);
        assertThat(of(subtract(x, b))).containsExactly(-3, 0, -1, 0, 1.5, -6);
        assertThat(of(multiply(x, b))).containsExactly(-2, 0, 2, 9, -0.5, -5);
        assertThat(of(divide(x, shift(b, 3)))).containsExactly(-0.5, 0, quotient(type, 1, 5), 0.5, 0.25, -0.125);
        assertThat(of(maximum(x, b))).containsExactly(1, 0, 2, 3, 0.5, 5);
        assertThat(of(minimum(x, b))).containsExactly(-2, 0, 1, 3, -1, -1);
        assertThat(of(equal(x, b))).containsExactly(0, 1, 0, 1, 0, 0);
        assertThat(of(greater(x, b))).containsExactly(0, 0, 0, 0, 1, 0);
    }

    private static double quotient(ElementType type, double a, double b) {
        return type == ElementType.FLOAT32 ? (float) a / (float) b : a / b;
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void rowsOfLowerRankAreAlignedAtTheEndOfEachRow(ElementType type) {
        start(type);
        // (batch,3) with (batch,2,3): each row of x meets its own row of the pair.
        Value pair = reshape(concat(0, x, b), 2, 3);
        assertThat(of(subtract(pair, x))).containsExactly(0, 0, 0, 3, 0, 1, 0, 0, 0, 0, -1.5, 6);
        // A number a row is not confused with a number for all.
        assertThat(of(subtract(x, sum(x, 0)))).containsExactly(-1, 1, 2, 0.5, -2, -3.5);
        assertThat(of(subtract(x, sum(x)))).containsExactly(-3.5, -1.5, -0.5, 1.5, -1, -2.5);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void arrangements(ElementType type) {
        start(type);
        assertThat(of(concat(0, x, b))).containsExactly(-2, 0, 1, 1, 0, 2, 3, 0.5, -1, 3, -1, 5);
        Value tall = reshape(x, 3, 1);
        assertThat(of(concat(1, tall, reshape(b, 3, 1)))).containsExactly(-2, 1, 0, 0, 1, 2, 3, 3, 0.5, -1, -1, 5);
        assertThat(of(slice(x, 0, 1, 3))).containsExactly(0, 1, 0.5, -1);
        assertThat(of(pick(x, label))).containsExactly(1, 3);
        assertThat(of(label)).containsExactly(2, 0);
        assertThat(of(equal(label, argMax(x)))).containsExactly(1, 1);
        assertThat(of(greater(label, argMax(b)))).containsExactly(0, 0);
        assertThat(of(Operators.stopGradient(x))).containsExactly(X);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void reductions(ElementType type) {
        start(type);
        assertThat(of(sum(x))).containsExactly(1.5);
        assertThat(of(mean(x))).containsExactly(0.25);
        assertThat(of(sum(x, 0))).containsExactly(-1, 2.5);
        assertThat(of(mean(multiply(x, b), 0))).containsExactly(0, quotient(type, 3.5, 3));
        assertThat(of(max(x, 0))).containsExactly(1, 3);
        assertThat(of(max(reshape(concat(0, x, b), 2, 3), 0))).containsExactly(1, 0, 2, 3, 0.5, 5);
        assertThat(of(argMax(x))).containsExactly(2, 0);
        assertThat(of(argMax(scale(x, 0)))).as("the first of equals").containsExactly(0, 0);
        assertThat(of(errorRate(x, label))).containsExactly(0);
        assertThat(of(errorRate(b, label)))
                .as("the second row is taken for class 2")
                .containsExactly(0.5);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void softplusAndLogSigmoidDoNotOverflow(ElementType type) {
        double accuracy = type == ElementType.FLOAT32 ? 1e-6 : 1e-10;
        for (double far : new double[] {-1000, -30, -12, -5, 0, 5, 12, 30, 1000}) {
            double exact = Math.log1p(Math.exp(-Math.abs(far))) + Math.max(far, 0);
            double sigmoid = far < 0 ? Math.exp(far) / (1 + Math.exp(far)) : 1 / (1 + Math.exp(-far));
            Point softplus = point(type, Operators::softplus, far);
            assertThat(softplus.value())
                    .as("softplus(%s)", far)
                    .isCloseTo(exact, within(accuracy * Math.max(1, exact)));
            assertThat(softplus.slope()).as("slope at %s", far).isCloseTo(sigmoid, within(accuracy * sigmoid));
            Point logSigmoid = point(type, Operators::logSigmoid, far);
            assertThat(logSigmoid.value()).isCloseTo(far - exact, within(accuracy * Math.max(1, exact - far)));
            assertThat(logSigmoid.slope()).isCloseTo(1 - sigmoid, within(accuracy));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void gradientsAtAKinkAreTheDocumentedOnes(ElementType type) {
        assertThat(slope(type, Operators::relu)).isEqualTo(0);
        assertThat(slope(type, x -> leakyRelu(x, 0.25))).isEqualTo(0.25);
        assertThat(slope(type, x -> elu(x, 2))).isEqualTo(2);
        assertThat(slope(type, Operators::abs)).isEqualTo(0);
        assertThat(slope(type, x -> maximum(x, scale(x, 3))))
                .as("the first of equals")
                .isEqualTo(1);
        assertThat(slope(type, x -> minimum(x, scale(x, 3))))
                .as("the first of equals")
                .isEqualTo(1);
        assertThat(slope(type, x -> max(concat(0, x, scale(x, 3)), 0)))
                .as("shared by equals")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void hardBoundsHaveNoGradient(ElementType type) {
        for (double bound : new double[] {-1, 1}) {
            assertThat(point(type, Operators::hardTanh, bound)).isEqualTo(new Point(bound, 0));
            assertThat(point(type, x -> clip(x, -1, 1), bound)).isEqualTo(new Point(bound, 1));
        }
        for (double bound : new double[] {0, 6}) {
            assertThat(point(type, Operators::relu6, bound)).isEqualTo(new Point(bound, 0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aStraightThroughEstimatorHasTheHardValueAndTheSoftGradient(ElementType type) {
        assertThat(point(type, x -> straightThrough(step(x), square(x)), 0.3).value())
                .isEqualTo(1);
        assertThat(point(type, x -> straightThrough(step(x), square(x)), 3)).isEqualTo(new Point(1, 6));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void logSumExpDoesNotOverflow(ElementType type) {
        assertThat(point(type, x -> logSumExp(concat(0, x, scale(x, 0.5)), 0), 2000))
                .isEqualTo(new Point(2000, 1));
        assertThat(point(type, x -> logSumExp(concat(0, x, scale(x, 2)), 0), -2000))
                .isEqualTo(new Point(-2000, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void logSumExpOfInfinitiesIsInfinite(ElementType type) {
        double infinity = Double.POSITIVE_INFINITY;
        UnaryOperator<Value> two = x -> logSumExp(concat(0, x, x), 0);
        assertThat(point(type, two, infinity).value()).isEqualTo(infinity);
        assertThat(point(type, two, -infinity).value()).isEqualTo(-infinity);
        assertThat(point(type, two, Double.NaN).value()).isNaN();
        double large = type.largest() / 4;
        assertThat(point(type, two, large).value()).isEqualTo(large);
        UnaryOperator<Value> last = x -> slice(Cumulative.logSumExp(concat(0, x, scale(x, 0), x), 0), 0, 2, 3);
        assertThat(point(type, last, -2000)).isEqualTo(new Point(0, 0));
        assertThat(point(type, x -> slice(Cumulative.logSumExp(concat(0, x, x), 0), 0, 1, 2), infinity)
                        .value())
                .isEqualTo(infinity);
    }

    /** A class may be impossible and forbidden at once, and the filler of a shorter choice is never drawn. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void aForbiddenClassMayBeImpossibleToo(ElementType type) {
        UnaryOperator<Value> masked = x -> {
            Value mask = x.graph().constant(Tensor.rounded(Shape.of(2), type, new double[] {0, 1}));
            return slice(Distributions.maskedLogits(concat(0, x, scale(x, 0)), mask), 0, 0, 1);
        };
        assertThat(point(type, masked, Double.NEGATIVE_INFINITY).value()).isEqualTo(-1e8);
        UnaryOperator<Value> choice = x -> {
            Value logits = concat(0, x, x, x);
            Value mask = x.graph().constant(Tensor.rounded(Shape.of(3), type, new double[] {0, 1, 1}));
            Distributions.MultiCategorical several = Distributions.MultiCategorical.masked(logits, mask, List.of(1, 2));
            return slice(reshape(softmax(several.choices().logits()), 4), 0, 1, 2); // behind the choice of one
        };
        assertThat(point(type, choice, 1).value()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT32", "FLOAT64"})
    void elementsAreGatheredAndPixelsRearranged(ElementType type) {
        start(type);
        assertThat(of(min(x, 0))).containsExactly(-2, -1);
        Value both = argMax(reshape(concat(0, x, b), 2, 3));
        assertThat(of(gather(x, both))).containsExactly(1, 1, 3, -1);
        Value image = reshape(concat(0, x, slice(b, 0, 0, 1)), 4, 1, 1);
        assertThat(of(pixelShuffle(image, 2))).containsExactly(-2, 0, 1, 1, 3, 0.5, -1, 3);
        assertThat(of(upsampleNearest(reshape(x, 1, 1, 3), 2)))
                .containsExactly(
                        -2, -2, 0, 0, 1, 1, -2, -2, 0, 0, 1, 1, 3, 3, 0.5, 0.5, -1, -1, 3, 3, 0.5, 0.5, -1, -1);
    }

    /** The engine's float32 kernels keep images in blocks, which another reader takes apart between the two passes. */
    @Test
    void aPoolWhoseImageIsReadElsewhereHasTheSameGradient() {
        double[] expected = gradientThroughPool(ElementType.FLOAT64);
        Golden.assertNearByMagnitude("gradient", gradientThroughPool(ElementType.FLOAT32), expected, 1e-5);
    }

    private static double[] gradientThroughPool(ElementType type) {
        Graph graph = new Graph(type);
        Value loss;
        try (var module = graph.module("m")) {
            Value image = conv("conv", graph.input("x", Shape.of(3, 3, 2)), 16, kernel(1));
            Value read = tanh(conv1d("read", reshape(image, 16, 6), 2, kernel(1)));
            Value pooled = conv("after", maxPool(image, kernel(2)), 16, kernel(1));
            loss = add(mean(square(pooled)), mean(square(read)));
        }
        Program program = Program.compile("p", Mode.TRAIN, loss);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(program, parameters)) {
            bound.feed("m/x", Fixture.random(Shape.of(6, 3, 3, 2), type, 1));
            bound.run(6, 0, 0);
            return Fixture.gradient(bound, parameters, "m/conv/weight").doubles();
        }
    }

    @Test
    void whatAnImageCannotBeMadeOfIsRefused() {
        start(ElementType.FLOAT32);
        Value image = reshape(x, 3, 1, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pixelShuffle(image, 2))
                .withMessageContaining("pixel shuffle by 2 needs channels that are a multiple of 4, input is reshape");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> upsampleNearest(x, 2))
                .withMessageContaining("upsample needs an image (channels, height, width)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> averagePool(image, kernel(3), true))
                .withMessageContaining("average pool: kernel spans 3 pixels, the padded input has 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> maxPool(image, kernel(1).dilation(2, 2)))
                .withMessageContaining("a pool's window has no dilation and no groups");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gather(x, label))
                .withMessageContaining("gather: needs values and INT64 indices of equal extents except along axis 0");
    }

    private static double slope(ElementType type, UnaryOperator<Value> function) {
        return point(type, function, 0).slope();
    }

    private record Point(double value, double slope) {}

    private static Point point(ElementType type, UnaryOperator<Value> function, double at) {
        Graph graph = new Graph(type);
        Value loss;
        try (var module = graph.module("m")) {
            loss = sum(function.apply(Fixture.parameter(graph, "x", 1)));
        }
        Program program = Program.compile("point", Mode.TRAIN, loss);
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(program, parameters)) {
            parameters.set("m/x", at);
            bound.run(1, 0, 0);
            return new Point(
                    bound.loss(), Fixture.gradient(bound, parameters, "m/x").scalar());
        }
    }

    private double[] of(Value value) {
        ElementType type = graph.floatType();
        Program program = Program.compile("value", Mode.EVAL, value);
        Map<String, Tensor> feeds = Map.of(
                "x", Golden.tensor(Shape.of(2, 3), type, X),
                "b", Golden.tensor(Shape.of(2, 3), type, B),
                "label", Tensor.of(Shape.of(2), 2L, 0L));
        try (Parameters parameters = Fixture.store(graph);
                BoundProgram bound = Fixture.bind(program, parameters, Fixture.none())) {
            Fixture.feed(bound, 2, feeds);
            bound.run(2, 0, 0);
            return bound.target(0).doubles();
        }
    }
}
