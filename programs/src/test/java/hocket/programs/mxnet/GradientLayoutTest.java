package hocket.programs.mxnet;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.layers.Window;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Gradients that come back from a convolution through a change of shape, or into several values that were joined: the engine's float32 kernels, which use layouts
 * of their own, against its float64 ones, which do not. Without the lowering's care some of these end the process.
 */
@Tag("engine")
class GradientLayoutTest {
    private static final Window DOUBLE = kernel(4).stride(2).pad(1);
    private static final Window SAME = kernel(3).pad(1);

    static Stream<Arguments> chains() {
        return Stream.of(
                chain("dense, reshape", z -> reshape(dense("p", z, 512), 128, 2, 2)),
                chain("dense, tanh, reshape", z -> reshape(tanh(dense("p", z, 512)), 128, 2, 2)),
                chain("dense, leaky, reshape", z -> reshape(leakyRelu(dense("p", z, 512), 0.2), 128, 2, 2)),
                chain("dense, norm, reshape", z -> reshape(batchNorm("b", dense("p", z, 512)), 128, 2, 2)),
                chain("dense, norm, relu, reshape", z -> reshape(relu(batchNorm("b", dense("p", z, 512))), 128, 2, 2)),
                chain("dense, norm, reshape, relu", z -> relu(reshape(batchNorm("b", dense("p", z, 512)), 128, 2, 2))),
                chain(
                        "dense, reshape, norm, reshape",
                        z -> reshape(batchNorm("b", reshape(dense("p", z, 512), 128, 2, 2)), 32, 4, 4)),
                chain(
                        "dense, reshape, norm, relu, reshape, reshape",
                        z -> reshape(
                                reshape(relu(batchNorm("b", reshape(dense("p", z, 512), 128, 2, 2))), 512), 32, 4, 4)),
                chain(
                        "conv, norm, relu, reshape",
                        z -> reshape(relu(batchNorm("b", conv("c", reshape(z, 16, 2, 2), 128, SAME))), 32, 4, 4)),
                chain(
                        "conv, leaky, reshape",
                        z -> reshape(leakyRelu(conv("c", reshape(z, 16, 2, 2), 128, SAME), 0.2), 32, 4, 4)),
                chain("conv, reshape", z -> reshape(conv("c", reshape(z, 16, 2, 2), 128, SAME), 32, 4, 4)),
                chain("norm, concat", z -> joined(z, x -> batchNorm("b", x))),
                chain("conv, concat", z -> joined(z, x -> conv("c", x, 8, SAME))),
                chain("conv, relu, concat, relu", z -> relu(joined(z, x -> relu(conv("c", x, 8, SAME))))),
                chain("conv of 3, norm, concat", z -> joined(z, x -> batchNorm("b", conv("c", x, 3, SAME)))));
    }

    /** An image and what is made of it, one after the other along the channels, as skip connections are. */
    private static Value joined(Value z, UnaryOperator<Value> layer) {
        Value x = conv("start", reshape(z, 16, 2, 2), 8, SAME);
        return concat(0, x, layer.apply(x));
    }

    private static Arguments chain(String name, UnaryOperator<Value> chain) {
        return Arguments.of(name, chain);
    }

    @ParameterizedTest(name = "{0}, transposed convolution")
    @MethodSource("chains")
    void floatGradientsThroughATransposedConvolutionAreThoseInDouble(String name, UnaryOperator<Value> chain) {
        compare(z -> convTranspose("end", chain.apply(z), 64, DOUBLE));
    }

    @ParameterizedTest(name = "{0}, convolution")
    @MethodSource("chains")
    void floatGradientsThroughAConvolutionAreThoseInDouble(String name, UnaryOperator<Value> chain) {
        compare(z -> conv("end", chain.apply(z), 64, SAME));
    }

    private static void compare(UnaryOperator<Value> network) {
        Map<Path, double[]> exact = gradients(ElementType.FLOAT64, network);
        gradients(ElementType.FLOAT32, network).forEach((path, gradient) -> {
            double[] wanted = exact.get(path);
            assertThat(wanted).isNotNull();
            double scale = Arrays.stream(wanted).map(Math::abs).max().orElse(0);
            for (int i = 0; i < gradient.length; i++) {
                // 1e-4 of the tensor's magnitude, for float32 sums over a batch norm's rows. A bias before a batch norm
                // has a gradient of zero, where rounding is all there is.
                assertThat(gradient[i]).as("%s[%d]", path, i).isCloseTo(wanted[i], within(1e-4 * scale + 1e-7));
            }
        });
    }

    private static Tensor noise(ElementType type) {
        double[] values = new double[16 * 64];
        Streams.seed(2).at("rows").normal(0, values);
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
            values[i] = floats[i];
        }
        Shape shape = Shape.of(16, 64);
        return type == ElementType.FLOAT32 ? Tensor.of(shape, floats) : Tensor.of(shape, values);
    }

    private static Map<Path, double[]> gradients(ElementType type, UnaryOperator<Value> network) {
        Graph graph = new Graph(type);
        Value z = graph.noise("noise", Shape.of(64));
        Value out;
        try (Scope<Value> module = graph.module("m")) {
            out = network.apply(z);
        }
        Program program = Program.compile("p", Mode.TRAIN, Loss.of(mean(square(out))));
        Map<Path, double[]> gradients = new TreeMap<>();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                BoundProgram bound =
                        new BoundProgram(program, parameters, new MxLowering(), 2, program.reached(), "")) {
            bound.feed("noise", noise(type));
            bound.run(16, 0, 0);
            int index = 0;
            for (Path path : bound.gradients()) {
                ByteBuffer buffer = bound.gradient(index++).buffer();
                double[] values =
                        new double[parameters.declaration(path).shape().size()];
                for (int i = 0; i < values.length; i++) {
                    values[i] = type == ElementType.FLOAT32 ? buffer.getFloat(4 * i) : buffer.getDouble(8 * i);
                }
                gradients.put(path, values);
            }
        }
        return gradients;
    }
}
