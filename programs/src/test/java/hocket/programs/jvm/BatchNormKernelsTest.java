package hocket.programs.jvm;

import static hocket.programs.Layers.batchNorm;
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
import hocket.programs.jvm.kernels.RunSums;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
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
    @EnumSource(names = {"IMAGES", "TWO_OF_AN_INPUT"})
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
    @ValueSource(strings = {"scale", "shift", "scale|shift", "first|scale|shift"})
    void aChannelIsReadOnceForItsMeanAndOnceForItsVarianceAndAllGradients(String wanted) {
        Map<RunSums, Integer> calls = new EnumMap<>(RunSums.class);
        DenseKernels kernels = DenseKernels.plain();
        DenseKernels counting = (DenseKernels) Proxy.newProxyInstance(
                DenseKernels.class.getClassLoader(), new Class<?>[] {DenseKernels.class}, (proxy, method, args) -> {
                    if (method.getName().equals("runSums")) {
                        calls.merge((RunSums) args[0], 1, Integer::sum);
                    }
                    try {
                        return method.invoke(kernels, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        Program program = Norms.MEAN.program(ElementType.FLOAT32, Mode.TRAIN);
        Outcome.byThreads(
                new JvmLowering(counting), program, 17, 1, path -> path.text().matches(".*(" + wanted + ").*"));
        assertThat(calls.getOrDefault(RunSums.INPUT, 0)).isEqualTo(6);
        assertThat(calls.getOrDefault(RunSums.CENTRED, 0)).isEqualTo(6);
        assertThat(calls.getOrDefault(RunSums.GRADIENT, 0)).isEqualTo(wanted.equals("shift") ? 0 : 6);
    }
}
