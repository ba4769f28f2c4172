package hocket.programs.jvm;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.programs.jvm.Both.assertAgree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Lowering;
import hocket.programs.layers.Window;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Convolutions, transposed ones and pools on Java kernels, with their gradients. */
class ConvolutionKernelsTest {
    /** A convolution of some channels to some filters. */
    private record Layer(int channels, int filters, Window window, int height, int width) {
        Layer(int channels, int filters, Window window) {
            this(channels, filters, window, 7, 6);
        }
    }

    static Stream<Layer> layers() {
        return Stream.of(
                new Layer(1, 20, kernel(4).stride(2).pad(1)),
                new Layer(20, 1, kernel(4).stride(2).pad(1)),
                new Layer(40, 36, kernel(3).pad(1)),
                new Layer(16, 19, kernel(3)),
                new Layer(17, 16, kernel(3).pad(2, 0)),
                new Layer(3, 5, kernel(5).stride(2).pad(2)),
                new Layer(6, 4, kernel(3).stride(2, 1).pad(1, 0).dilation(1, 2)),
                new Layer(8, 8, kernel(3).stride(2).pad(1).groups(4)),
                new Layer(16, 16, kernel(3).pad(1).groups(16)),
                new Layer(17, 33, kernel(1)),
                new Layer(16, 3, kernel(3).pad(1)),
                new Layer(4, 18, kernel(4).stride(2).pad(1)),
                new Layer(8, 40, kernel(3).groups(2)),
                new Layer(32, 34, kernel(4).stride(2).pad(1), 11, 10),
                new Layer(33, 32, kernel(4).stride(2).pad(0, 2), 12, 9),
                new Layer(35, 33, kernel(4).stride(2).pad(3, 1), 9, 9),
                new Layer(24, 18, kernel(3).pad(1), 8, 8), // channels that displace one another from caches
                new Layer(130, 35, kernel(3).pad(1), 4, 5)); // deeper than a block of a product
    }

    /** One row, rows with padding, and rows without; more of a panel's columns where there is little to compute. */
    private static int[] rows(int channels) {
        return switch (channels) {
            case 1, 3 -> new int[] {1, 5, 64, 70};
            case 4, 16, 32 -> new int[] {5, 70};
            default -> new int[] {1, 5, 16};
        };
    }

    /** The most rows that the slow reference computes too, and the most where there is little to compute. */
    private static final int SLOW = 5, SLOWEST = 64;

    private static Program program(ElementType type, Layer layer, boolean transposed, int rows) {
        Graph graph = new Graph(type);
        Value x = graph.input("x", Shape.of(layer.channels(), layer.height(), layer.width()), type);
        try (var module = graph.module("m")) {
            // a convolution before it, so that the gradient by its image is computed too
            Value h = tanh(conv("first", x, layer.channels(), kernel(1).groups(layer.channels())));
            Window window = layer.window();
            Value y = transposed
                    ? convTranspose("up", h, layer.filters(), wider(window))
                    : conv("down", h, layer.filters(), window);
            return Program.compile("p", Mode.TRAIN, mean(square(tanh(y))), flatten(y));
        }
    }

    /** With an output padding where there is a stride. */
    private static Window wider(Window window) {
        return window.outputPad(window.stride().get(0) - 1, window.stride().get(1) - 1);
    }

    @ParameterizedTest
    @MethodSource("layers")
    void convolutionsHaveTheSameBitsByAllKernelsAndThreadsAndAreNearTheReference(Layer layer) {
        for (int rows : rows(layer.channels())) {
            assertAgree(type -> program(type, layer, false, rows), rows, layer.channels() <= 3 ? SLOWEST : SLOW);
        }
    }

    static Stream<Layer> transformed() {
        return Stream.of(
                new Layer(64, 32, kernel(3).pad(1)),
                new Layer(64, 32, kernel(4).stride(2).pad(1), 14, 14));
    }

    @Test
    void anEngineIsPreferredOnlyForLargeConvolutionsThatAreMostlyComputedByTheirDefinition() {
        JvmLowering lowering = new JvmLowering();
        Graph graph = new Graph();
        Value image = graph.input("image", Shape.of(64, 32, 32));
        Value wide;
        Value residual;
        try (var module = graph.module("m")) {
            wide = conv("wide", image, 64, kernel(5).pad(2));
            residual = add(
                    conv("shortcut", image, 80, kernel(1)),
                    conv("main", image, 80, kernel(3).pad(1)));
        }
        assertThat(lowering.preference(Program.compile("p", Mode.EVAL, wide))).isEqualTo(50);
        assertThat(lowering.preference(Program.compile("p", Mode.EVAL, residual)))
                .isEqualTo(lowering.version().equals("vector") ? 200 : 50);
    }

    /** The bound that the documentation states, of 576 or 1,024 products a number. */
    @ParameterizedTest
    @MethodSource("transformed")
    void winogradsErrorIsASmallShareOfTheLargestResult(Layer layer) {
        double[] exact = second(new ReferenceLowering(), ElementType.FLOAT64, layer);
        double largest = Arrays.stream(exact).map(Math::abs).max().orElseThrow();
        assertThat(second(new JvmLowering(), ElementType.FLOAT32, layer))
                .containsExactly(exact, within(1e-6 * largest));
    }

    /** Returns the second target, what the convolution gives. */
    private static double[] second(Lowering lowering, ElementType type, Layer layer) {
        Program program = program(type, layer, false, 16);
        List<double[]> numbers = new ArrayList<>(
                Outcome.byThreads(lowering, program, 16, 2).numbers().values());
        return numbers.get(1);
    }

    @ParameterizedTest
    @MethodSource("layers")
    void transposedConvolutionsToo(Layer layer) {
        for (int rows : rows(layer.channels())) {
            assertAgree(type -> program(type, layer, true, rows), rows, layer.channels() == 3 ? SLOWEST : SLOW);
        }
    }

    @ParameterizedTest
    @MethodSource("windows")
    void poolsToo(Window window) {
        for (int rows : rows(3)) {
            assertAgree(
                    type -> {
                        Graph graph = new Graph(type);
                        Value x = graph.input("x", Shape.of(3, 7, 6), type);
                        try (var module = graph.module("m")) {
                            Value y = maxPool(conv("first", x, 4, kernel(1)), window);
                            return Program.compile("p", Mode.TRAIN, mean(square(y)), flatten(y));
                        }
                    },
                    rows,
                    SLOW);
        }
    }

    /** With 70 rows, their channels are long enough to be shared by threads. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 70})
    void batchNormsAndActivationsToo(int rows) {
        assertAgree(
                type -> {
                    Graph graph = new Graph(type);
                    Value x = graph.input("x", Shape.of(2, 10, 10), type);
                    try (var module = graph.module("m")) {
                        Value h = leakyRelu(
                                batchNorm("norm", conv("first", x, 16, kernel(3).pad(1))), 0.2);
                        Value up = relu(
                                convTranspose("up", h, 4, kernel(4).stride(2).pad(1)));
                        Value y =
                                batchNorm("last", conv("down", up, 3, kernel(2).stride(2)));
                        return Program.compile("p", Mode.TRAIN, mean(square(tanh(y))), flatten(y));
                    }
                },
                rows,
                SLOW);
    }

    static Stream<Window> windows() {
        return Stream.of(kernel(2).stride(2), kernel(3).stride(2).pad(1), kernel(3, 2));
    }
}
