package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class MxExecutorTest {
    /** Loss = mean of w * x over two elements, so that the gradient by w is x / 2. */
    private static String product() {
        Symbols symbols = new Symbols();
        Ref product = symbols.operator("elemwise_mul", symbols.variable("w"), symbols.variable("x"));
        return symbols.loss(symbols.operator("mean", product)).observe(product).json();
    }

    private static MxExecutor product(MxArray w, MxArray x, Map<String, GradientRequest> gradients) {
        return MxExecutor.bind(product(), Map.of("w", w, "x", x), gradients, Map.of(), null);
    }

    private static MxArray pair(float first, float second) {
        return Arrays.floats(Shape.of(2), first, second);
    }

    @Test
    void twoProgramsOnOneArraySeeEachOthersWrites() {
        MxArray shared = pair(1, 2);
        try (MxExecutor first = product(shared, pair(3, 4), Map.of());
                MxExecutor second = product(shared, pair(5, 6), Map.of())) {
            first.forward(false);
            second.forward(false);
            assertThat(Arrays.read(first.output(1))).containsExactly(3, 8);
            assertThat(Arrays.read(second.output(1))).containsExactly(5, 12);

            Arrays.write(shared, 10, 20);
            first.forward(false);
            second.forward(false);
            assertThat(Arrays.read(first.output(1))).containsExactly(30, 80);
            assertThat(Arrays.read(second.output(1))).containsExactly(50, 120);
        }
    }

    @Test
    void writeReplacesTheGradientAndAddAddsToIt() {
        MxArray w = pair(1, 2);
        MxArray x = pair(3, 4);
        MxArray written = pair(100, 100);
        MxArray added = pair(100, 100);
        try (MxExecutor executor =
                product(w, x, Map.of("w", GradientRequest.write(written), "x", GradientRequest.add(added)))) {
            for (int pass = 0; pass < 2; pass++) {
                executor.forward(true);
                executor.backward();
            }
            assertThat(Arrays.read(written)).containsExactly(1.5f, 2);
            assertThat(Arrays.read(added)).containsExactly(101, 102);
        }
    }

    @Test
    void oneArrayUnderTwoNamesGathersBothGradientsByAdding() {
        MxArray both = pair(3, 4);
        MxArray gradient = Arrays.zeros(Shape.of(2));
        try (MxExecutor square =
                product(both, both, Map.of("w", GradientRequest.add(gradient), "x", GradientRequest.add(gradient)))) {
            square.forward(true);
            square.backward();
            assertThat(Arrays.read(square.output(1))).containsExactly(9, 16);
            assertThat(Arrays.read(gradient)).containsExactly(3, 4);
        }
    }

    @Test
    void twoGradientsMayNotBeWrittenToOneArray() {
        MxArray gradient = Arrays.zeros(Shape.of(2));
        for (GradientRequest other : List.of(GradientRequest.write(gradient), GradientRequest.add(gradient))) {
            assertThatThrownBy(() ->
                            product(pair(1, 2), pair(3, 4), Map.of("w", GradientRequest.write(gradient), "x", other)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'w'")
                    .hasMessageContaining("'x'")
                    .hasMessageContaining("both must be added");
        }
    }

    @Test
    void aGradientMustHaveTheShapeAndTypeOfItsArgument() {
        assertThatThrownBy(() ->
                        product(pair(1, 2), pair(3, 4), Map.of("w", GradientRequest.write(Arrays.zeros(Shape.of(3))))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the gradient by 'w' goes to array (3) of FLOAT32, which must be as the argument, "
                        + "array (2) of FLOAT32");
        assertThatThrownBy(() -> product(
                        pair(1, 2),
                        pair(3, 4),
                        Map.of("w", GradientRequest.write(MxArray.create(Shape.of(2), ElementType.FLOAT64)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("array (2) of FLOAT64");
    }

    @Test
    void aGradientOfAVariableThatTheProgramDoesNotReadIsRefused() {
        assertThatThrownBy(() -> product(pair(1, 2), pair(3, 4), Map.of("v", GradientRequest.write(pair(0, 0)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'v'")
                .hasMessageContaining("[w, x]");
    }

    @Test
    void programsWithoutGradientsReadWeightsAsTheyAre() {
        // The engine's default for such programs is to fuse layers and to keep a copy of their weights.
        Symbols symbols = new Symbols();
        Ref hidden = symbols.operator(
                "Activation",
                List.of("act_type", "relu"),
                symbols.convolution(symbols.variable("x"), symbols.variable("kernel"), 4, 3));
        Ref output = symbols.operator(
                "Activation",
                List.of("act_type", "relu"),
                symbols.dense(hidden, symbols.variable("w"), symbols.variable("b"), 3));
        MxArray kernel = Arrays.normal(1, 1, Shape.of(4, 2, 3, 3));
        MxArray weight = Arrays.normal(2, 1, Shape.of(3, 4 * 64));
        MxArray bias = Arrays.floats(Shape.of(3), 1, 2, 3);
        try (MxExecutor executor = MxExecutor.bind(
                symbols.observe(hidden).observe(output).json(),
                Map.of("x", Arrays.normal(3, 1, Shape.of(1, 2, 8, 8)), "kernel", kernel, "w", weight, "b", bias),
                Map.of(),
                Map.of(),
                null)) {
            executor.forward(false);
            Arrays.write(weight, new float[weight.shape().size()]);
            executor.forward(false);
            assertThat(Arrays.read(executor.output(1))).containsExactly(1, 2, 3);

            Arrays.write(kernel, new float[kernel.shape().size()]);
            executor.forward(false);
            assertThat(Arrays.read(executor.output(0))).containsOnly(0);
        }
    }

    @Test
    void convolutionWeightsReadAndWritePlainlyAfterAnEvaluationPass() {
        // An evaluation pass leaves the weights in the kernel's own blocked layout.
        int filters = 32;
        Symbols symbols = new Symbols();
        symbols.observe(symbols.convolution(symbols.variable("x"), symbols.variable("w"), filters, 3));
        MxArray weight = Arrays.normal(1, 1, Shape.of(filters, 32, 3, 3));
        float[] before = Arrays.read(weight);
        MxArray input = Arrays.normal(2, 1, Shape.of(2, 32, 8, 8));
        try (MxExecutor executor =
                MxExecutor.bind(symbols.json(), Map.of("x", input, "w", weight), Map.of(), Map.of(), null)) {
            executor.forward(false);
            float[] output = Arrays.read(executor.output(0));
            assertThat(Arrays.read(weight)).containsExactly(before);

            executor.forward(false);
            Arrays.write(weight, before);
            executor.forward(false);
            assertThat(Arrays.read(executor.output(0))).containsExactly(output);
            assertThat(output[8 * 3 + 4]).isCloseTo(convolved(input, before, 3, 4), within(1e-4f));
        }
    }

    /** Filter 0 of a 3x3 convolution with padding 1 at one place of the first of (n,32,8,8). */
    private static float convolved(MxArray input, float[] weight, int y, int x) {
        float[] values = Arrays.read(input);
        double sum = 0;
        for (int channel = 0; channel < 32; channel++) {
            for (int dy = 0; dy < 3; dy++) {
                for (int dx = 0; dx < 3; dx++) {
                    sum += values[channel * 64 + (y + dy - 1) * 8 + x + dx - 1] * weight[channel * 9 + dy * 3 + dx];
                }
            }
        }
        return (float) sum;
    }

    @Test
    void batchNormGivesItsStatisticsAsHeadsAndMovesOnlyScratchArrays() {
        Symbols symbols = new Symbols();
        Ref norm = symbols.operator(
                "BatchNorm",
                3,
                List.of("eps", "1e-5", "momentum", "0.9", "fix_gamma", "False", "output_mean_var", "True"),
                symbols.variable("x"),
                symbols.variable("gamma"),
                symbols.variable("beta"),
                symbols.variable("mean"),
                symbols.variable("variance"));
        String json = symbols.loss(symbols.operator("mean", symbols.operator("square", norm)))
                .observe(new Ref(norm.node(), 1))
                .observe(new Ref(norm.node(), 2))
                .json();
        MxArray x = Arrays.floats(Shape.of(4, 2), 1, 10, 2, 20, 3, 30, 6, 60);
        MxArray mean = Arrays.zeros(Shape.of(2));
        MxArray variance = Arrays.floats(Shape.of(2), 1, 1);
        MxArray gamma = Arrays.floats(Shape.of(2), 1, 1);
        MxArray gradient = Arrays.zeros(Shape.of(2));
        try (MxExecutor executor = MxExecutor.bind(
                json,
                Map.of("x", x, "gamma", gamma, "beta", Arrays.zeros(Shape.of(2))),
                Map.of("gamma", GradientRequest.write(gradient)),
                Map.of("mean", mean, "variance", variance),
                null)) {
            executor.forward(true);
            assertThat(Arrays.read(executor.output(1))).containsExactly(3, 30);
            assertThat(variances(executor.output(2))).containsExactly(new double[] {3.5, 350}, within(1e-3));
            assertThat(Arrays.read(mean)).as("before the backward pass").containsExactly(0, 0);

            executor.backward();
            assertThat(Arrays.read(mean))
                    .as("scratch, moved by the engine")
                    .containsExactly(new float[] {0.3f, 3}, within(1e-5f));
        }
    }

    /** The engine's third output is 1 / sqrt(variance + eps). */
    private static double[] variances(MxArray inverseDeviation) {
        float[] values = Arrays.read(inverseDeviation);
        double[] variances = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            variances[i] = 1 / ((double) values[i] * values[i]) - 1e-5;
        }
        return variances;
    }

    @Test
    void aHeadThatIsNoLossMakesTheBackwardPassFail() {
        SymbolJson json = new SymbolJson();
        int x = json.variable("x");
        int square = json.operator("square", "square", Map.of(), 1, Ref.of(x));
        try (MxExecutor executor = MxExecutor.bind(
                json.json(Ref.of(square)),
                Map.of("x", pair(1, 2)),
                Map.of("x", GradientRequest.write(pair(0, 0))),
                Map.of(),
                null)) {
            executor.forward(true);
            assertThatThrownBy(executor::backward)
                    .isInstanceOf(EngineException.class)
                    .hasMessageStartingWith("engine: backward pass: ")
                    .hasMessageContaining("head_gradient is required");
        }
    }

    @Test
    void convolutionInFloat64EqualsFiniteDifferences() {
        Symbols symbols = new Symbols();
        Ref output = symbols.convolution(symbols.variable("x"), symbols.variable("w"), 1, 3);
        String json = symbols.loss(symbols.operator("mean", symbols.operator("square", output)))
                .json();
        double[] weights = {0.5, -1, 0.25, 2, 0.125, -0.5, 1, -0.75, 0.3};
        MxArray weight = Arrays.doubles(Shape.of(1, 1, 3, 3), weights);
        MxArray input = Arrays.doubles(Shape.of(1, 1, 3, 3), 1, 2, -1, 0.5, -2, 3, 0.1, 0.7, -0.4);
        MxArray gradient = MxArray.create(Shape.of(1, 1, 3, 3), ElementType.FLOAT64);
        try (MxExecutor executor = MxExecutor.bind(
                json, Map.of("x", input, "w", weight), Map.of("w", GradientRequest.write(gradient)), Map.of(), null)) {
            executor.forward(true);
            executor.backward();
            double[] computed = Arrays.readDoubles(gradient);
            for (int i = 0; i < weights.length; i++) {
                double step = 1e-5;
                weight.buffer().asDoubleBuffer().put(i, weights[i] + step);
                executor.forward(false);
                double above = Arrays.readDoubles(executor.output(0))[0];
                weight.buffer().asDoubleBuffer().put(i, weights[i] - step);
                executor.forward(false);
                double below = Arrays.readDoubles(executor.output(0))[0];
                weight.buffer().asDoubleBuffer().put(i, weights[i]);
                assertThat(computed[i]).isCloseTo((above - below) / (2 * step), within(1e-9));
            }
        }
    }

    @Test
    void aBackwardPassNeedsItsOwnForwardPassInTraining() {
        MxArray gradient = Arrays.zeros(Shape.of(2));
        try (MxExecutor executor = product(pair(1, 2), pair(3, 4), Map.of("w", GradientRequest.write(gradient)))) {
            assertThatThrownBy(executor::backward).isInstanceOf(IllegalStateException.class);
            executor.forward(false);
            assertThatThrownBy(executor::backward)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("forward(true)");
            executor.forward(true);
            executor.backward();
            assertThatThrownBy(executor::backward).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aClosedExecutorRefusesEverythingButBeingClosed() {
        MxArray kept = pair(1, 2);
        MxExecutor executor = product(kept, pair(3, 4), Map.of());
        executor.forward(false);
        MxArray output = executor.output(1);
        executor.close();
        executor.close();

        assertThatThrownBy(() -> executor.forward(true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the program with outputs (1), (2) is closed");
        assertThatThrownBy(executor::backward).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> executor.output(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(output::buffer)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("array (2) of FLOAT32 is closed");
        assertThat(Arrays.read(kept)).containsExactly(1, 2);
        assertThatThrownBy(() ->
                        MxExecutor.bind(product(), Map.of("w", kept, "x", pair(3, 4)), Map.of(), Map.of(), executor))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anArrayMayBeClosedWhileAProgramIsBoundToIt() {
        MxArray w = pair(1, 2);
        try (MxExecutor executor = product(w, pair(3, 4), Map.of())) {
            w.close();
            executor.forward(false);
            assertThat(Arrays.read(executor.output(1))).containsExactly(3, 8);
        }
        assertThatThrownBy(() -> product(w, pair(3, 4), Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("array (2) of FLOAT32 is closed");
    }

    @Test
    void anOutputCanBeAnotherProgramsArgument() {
        try (MxExecutor first = product(pair(1, 2), pair(3, 4), Map.of());
                MxExecutor second = product(first.output(1), pair(10, 10), Map.of())) {
            first.forward(false);
            second.forward(false);
            assertThat(Arrays.read(second.output(1))).containsExactly(30, 80);
        }
    }

    @Test
    void indicesAreInt64AndScalarsAreHeldAsOneElement() {
        Symbols symbols = new Symbols();
        Ref taken = symbols.operator("take", symbols.variable("table"), symbols.variable("index"));
        Ref scaled = symbols.operator("broadcast_mul", taken, symbols.variable("factor"));
        MxArray index = MxArray.create(Shape.of(2), ElementType.INT64);
        index.buffer().asLongBuffer().put(new long[] {2, 0});
        try (MxExecutor executor = MxExecutor.bind(
                symbols.observe(scaled).json(),
                Map.of(
                        "table", Arrays.floats(Shape.of(3, 1), 5, 6, 7),
                        "index", index,
                        "factor", Arrays.floats(Shape.scalar(), 10)),
                Map.of(),
                Map.of(),
                null)) {
            executor.forward(false);
            assertThat(executor.output(0).shape()).isEqualTo(Shape.of(2, 1));
            assertThat(Arrays.read(executor.output(0))).containsExactly(70, 50);
        }
    }
}
