package hocket.programs.jvm;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.tanh;
import static hocket.programs.jvm.Both.assertAgree;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Graph.Opening;
import hocket.programs.Mode;
import hocket.programs.Outcome;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.layers.Weights;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batch norms on Java kernels, with their gradients, which are computed together. */
class BatchNormKernelsTest {
    /** The most rows that the slow reference computes too. */
    private static final int SLOW = 17;

    /** A loss of a batch norm, or of two. */
    enum Norms {
        IMAGES(graph -> {
            Value h = leakyRelu(
                    batchNorm("norm", conv("first", images(graph), 6, kernel(3).pad(1))), 0.2);
            return mean(square(relu(batchNorm("last", conv("second", h, 5, kernel(2))))));
        }),
        FEATURES(graph -> mean(square(tanh(batchNorm("norm", dense("layer", graph.input("x", Shape.of(4)), 9)))))),
        /** The upstream gradient is the same for all rows. */
        MEAN(graph -> mean(batchNorm("norm", conv("first", images(graph), 6, kernel(1))))),
        TWO_OF_AN_INPUT(graph -> {
            Value h = conv("first", images(graph), 6, kernel(1));
            Value other = batchNorm("other", h, normalisation().epsilon(0.5));
            return mean(square(add(batchNorm("norm", h), other)));
        }),
        TWICE(graph -> mean(multiply(
                critic(graph, "x", graph.scope("critic")),
                critic(graph, "fake", graph.scope("critic", Opening.REUSE))))),
        FROZEN(graph -> mean(square(batchNorm(
                "norm",
                conv("first", images(graph), 6, kernel(1)),
                normalisation().frozenStatistics())))),
        PENALTY(graph -> {
            Value x = images(graph);
            Value y = mean(tanh(batchNorm("norm", conv("first", x, 6, kernel(2)))));
            return add(y, mean(square(Gradients.of(y, x).get(0))));
        }),
        BARE(graph -> mean(square(relu(batchNorm(
                "norm",
                conv("first", images(graph), 6, kernel(2)),
                normalisation().affine(false)))))),
        CONDITIONAL(graph -> {
            Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
            Value h = conditional(
                    "norm", conv("first", images(graph), 6, kernel(3).pad(1)), label);
            return mean(square(tanh(conditional("last", conv("second", leakyRelu(h, 0.2), 5, kernel(2)), label))));
        }),
        /** A row has more numbers of a channel than a chain of sums. */
        CONDITIONAL_LARGE(graph -> {
            Value h = conv("first", graph.input("x", Shape.of(1, 24, 24)), 2, kernel(1));
            return mean(square(relu(byRows("norm", h, graph.input("condition", Shape.of(3))))));
        }),
        CONDITIONAL_FEATURES(graph -> {
            Value h = dense("layer", graph.input("x", Shape.of(4)), 9);
            return mean(square(tanh(byRows("norm", h, graph.input("condition", Shape.of(3))))));
        }),
        /** The rows have the same condition. */
        CONDITIONAL_OF_ALL(graph -> {
            Value one = graph.constant(Tensor.rounded(Shape.of(2), graph.floatType(), 0.5, -1.5));
            return mean(square(byRows("norm", conv("first", images(graph), 6, kernel(2)), one)));
        }),
        CONDITIONAL_PENALTY(graph -> {
            Value x = images(graph);
            Value condition = graph.input("condition", Shape.of(3));
            Value y = mean(tanh(byRows("norm", conv("first", x, 6, kernel(2)), condition)));
            List<Value> gradients = Gradients.of(y, x, condition);
            return add(y, add(mean(square(gradients.get(0))), mean(square(gradients.get(1)))));
        }),
        /** No step computes the norm itself. */
        GRADIENT_ALONE(graph -> {
            Value x = images(graph);
            Value factor = graph.input("factor", Shape.of(3, 5, 4));
            return mean(square(Gradients.of(mean(multiply(batchNorm("norm", x), factor)), x)
                    .get(0)));
        });

        private final Function<Graph, Value> loss;

        Norms(Function<Graph, Value> loss) {
            this.loss = loss;
        }

        Program program(ElementType type, Mode mode) {
            Graph graph = new Graph(type);
            try (var module = graph.module("m")) {
                return Program.compile("p", mode, loss.apply(graph));
            }
        }
    }

    private static Value critic(Graph graph, String input, Scope<Value> critic) {
        try (critic) {
            return sigmoid(batchNorm("norm", dense("layer", graph.input(input, Shape.of(4)), 5)));
        }
    }

    private static Value conditional(String name, Value x, Value label) {
        return conditionalBatchNorm(name, x, label, 3, Weights.standard(), normalisation());
    }

    private static Value byRows(String name, Value x, Value condition) {
        return conditionalBatchNorm(name, x, condition, Weights.standard(), normalisation());
    }

    private static Value images(Graph graph) {
        return graph.input("x", Shape.of(3, 5, 4));
    }

    @ParameterizedTest
    @EnumSource
    void haveTheSameBitsByAllKernelsAndThreadsAndAreNearTheReference(Norms norms) {
        for (int rows : new int[] {5, 17, 300}) {
            assertAgree(type -> norms.program(type, Mode.TRAIN), rows, SLOW);
        }
    }

    @ParameterizedTest
    @EnumSource
    void normalisedByRunningStatisticsToo(Norms norms) {
        for (int rows : new int[] {1, 17}) {
            assertAgree(type -> norms.program(type, Mode.EVAL), rows, SLOW);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"IMAGES", "TWO_OF_AN_INPUT", "CONDITIONAL", "CONDITIONAL_LARGE"})
    void ofARowToo(Norms norms) {
        assertAgree(type -> norms.program(type, Mode.TRAIN), 1, SLOW);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "scale", "shift", "first|scale", "first|shift", "scale|shift"})
    void someOfTheGradientsAloneToo(String wanted) {
        for (Norms norms : new Norms[] {Norms.IMAGES, Norms.TWO_OF_AN_INPUT}) {
            assertAgree(
                    type -> norms.program(type, Mode.TRAIN),
                    17,
                    SLOW,
                    path -> path.text().matches(".*(" + wanted + ").*"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"first", "gain", "norm/bias", "first|gain", "gain|norm/bias", "first|norm/bias"})
    void someOfTheGradientsOfAConditionalNormAloneToo(String wanted) {
        assertAgree(
                type -> Norms.CONDITIONAL.program(type, Mode.TRAIN),
                17,
                SLOW,
                path -> path.text().matches(".*(" + wanted + ").*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"scale", "shift", "scale|shift", "first|scale|shift"})
    void aChannelIsReadOnceForItsMeanAndOnceForItsVarianceAndAllGradients(String wanted) {
        Map<String, Integer> calls = calls(Norms.MEAN, wanted);
        assertThat(calls.getOrDefault("INPUT", 0)).isEqualTo(6);
        assertThat(calls.getOrDefault("CENTRED", 0)).isEqualTo(6);
        assertThat(calls.getOrDefault("GRADIENT", 0)).isEqualTo(wanted.equals("shift") ? 0 : 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gain", "norm/bias", "gain|norm/bias", "first|gain|norm/bias"})
    void soIsOneOfAConditionalNorm(String wanted) {
        Map<String, Integer> calls = calls(Norms.CONDITIONAL_LARGE, wanted);
        assertThat(calls.getOrDefault("INPUT", 0)).isEqualTo(2);
        assertThat(calls.getOrDefault("CENTRED", 0)).isEqualTo(2);
        assertThat(calls.getOrDefault("GRADIENT", 0)).isZero();
        assertThat(calls.getOrDefault("rowSums", 0)).isEqualTo(wanted.equals("norm/bias") ? 0 : 2);
    }

    /** Counts the calls of kernels that sum, in a training step with some gradients. */
    private static Map<String, Integer> calls(Norms norms, String wanted) {
        Map<String, Integer> calls = new HashMap<>();
        DenseKernels kernels = DenseKernels.plain();
        DenseKernels counting = (DenseKernels) Proxy.newProxyInstance(
                DenseKernels.class.getClassLoader(), new Class<?>[] {DenseKernels.class}, (proxy, method, args) -> {
                    if (method.getName().equals("runSums")) {
                        calls.merge(args[0].toString(), 1, Integer::sum);
                    }
                    calls.merge(method.getName(), 1, Integer::sum);
                    try {
                        return method.invoke(kernels, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Program program = norms.program(ElementType.FLOAT32, Mode.TRAIN);
        Outcome.byThreads(
                new JvmLowering(counting), program, 17, 1, path -> path.text().matches(".*(" + wanted + ").*"));
        return calls;
    }
}
