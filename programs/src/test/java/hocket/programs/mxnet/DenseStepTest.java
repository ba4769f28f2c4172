package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One dense layer with tanh and mean square error, against the same step worked out by hand. */
@Tag("engine")
class DenseStepTest {
    private static final double[] X = {0.5, -1, 2, 1, 0.25, -0.75};
    private static final double[] W = {0.1, -0.2, 0.3, 0.4, 0.5, -0.6};
    private static final double[] B = {0.05, -0.1};
    private static final double[] Y = {1, 0, -1, 0.5};

    private static String program() {
        Symbols symbols = new Symbols();
        Ref output =
                symbols.tanh(symbols.dense(symbols.variable("x"), symbols.variable("w"), symbols.variable("b"), 2));
        Ref loss = symbols.meanSquareError(output, symbols.variable("y"));
        return symbols.loss(loss).observe(output).json();
    }

    /** Loss, outputs (2,2), gradient by w (2,3), gradient by b (2). */
    private static double[][] byHand() {
        double[] outputs = new double[4];
        double[] weights = new double[6];
        double[] biases = new double[2];
        double loss = 0;
        for (int row = 0; row < 2; row++) {
            for (int unit = 0; unit < 2; unit++) {
                double sum = B[unit];
                for (int k = 0; k < 3; k++) {
                    sum += X[row * 3 + k] * W[unit * 3 + k];
                }
                double out = Math.tanh(sum);
                double error = out - Y[row * 2 + unit];
                outputs[row * 2 + unit] = out;
                loss += error * error / 4;
                double slope = 2 * error / 4 * (1 - out * out);
                for (int k = 0; k < 3; k++) {
                    weights[unit * 3 + k] += slope * X[row * 3 + k];
                }
                biases[unit] += slope;
            }
        }
        return new double[][] {{loss}, outputs, weights, biases};
    }

    @Test
    void aDenseTrainStepEqualsTheHandComputation() {
        MxArray weightGradient = Arrays.zeros(Shape.of(2, 3));
        MxArray biasGradient = Arrays.zeros(Shape.of(2));
        try (MxExecutor executor = MxExecutor.bind(
                program(),
                Map.of(
                        "x", Arrays.floats(Shape.of(2, 3), floats(X)),
                        "w", Arrays.floats(Shape.of(2, 3), floats(W)),
                        "b", Arrays.floats(Shape.of(2), floats(B)),
                        "y", Arrays.floats(Shape.of(2, 2), floats(Y))),
                Map.of("w", GradientRequest.write(weightGradient), "b", GradientRequest.write(biasGradient)),
                Map.of(),
                null)) {
            executor.forward(true);
            executor.backward();

            double[][] expected = byHand();
            List<MxArray> computed = List.of(executor.output(0), executor.output(1), weightGradient, biasGradient);
            for (int i = 0; i < expected.length; i++) {
                assertThat(Arrays.read(computed.get(i))).containsExactly(floats(expected[i]), within(1e-6f));
            }
            assertThat(executor.output(0).shape()).isEqualTo(Shape.of(1));
            assertThat(executor.output(1).shape()).isEqualTo(Shape.of(2, 2));
        }
    }

    @Test
    void inFloat64ItEqualsTheHandComputationToTheLastDigits() {
        MxArray weightGradient = MxArray.create(Shape.of(2, 3), ElementType.FLOAT64);
        MxArray biasGradient = MxArray.create(Shape.of(2), ElementType.FLOAT64);
        try (MxExecutor executor = MxExecutor.bind(
                program(),
                Map.of(
                        "x", Arrays.doubles(Shape.of(2, 3), X),
                        "w", Arrays.doubles(Shape.of(2, 3), W),
                        "b", Arrays.doubles(Shape.of(2), B),
                        "y", Arrays.doubles(Shape.of(2, 2), Y)),
                Map.of("w", GradientRequest.write(weightGradient), "b", GradientRequest.write(biasGradient)),
                Map.of(),
                null)) {
            executor.forward(true);
            executor.backward();

            double[][] expected = byHand();
            List<MxArray> computed = List.of(executor.output(0), executor.output(1), weightGradient, biasGradient);
            for (int i = 0; i < expected.length; i++) {
                assertThat(computed.get(i).type()).isEqualTo(ElementType.FLOAT64);
                assertThat(Arrays.readDoubles(computed.get(i))).containsExactly(expected[i], within(1e-14));
            }
        }
    }

    private static float[] floats(double[] values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }
}
