package hocket.programs.layers;

import static hocket.programs.Fixture.batch;
import static hocket.programs.Fixture.bind;
import static hocket.programs.Fixture.parameter;
import static hocket.programs.Fixture.store;
import static hocket.programs.Operators.equal;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Fixture;
import hocket.programs.Golden;
import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.layers.Distributions.Bernoulli;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.TanhGaussian;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Distributions against Stable-Baselines3 and PyTorch, and where these have nothing against what they are by definition. */
@Tag("golden")
@Tag("engine")
class DistributionsTest {
    private static final int MANY = 20_000;

    /** A golden section's values under way: inputs and parameters of a graph, and what is expected under which name. */
    private static final class Case {
        final JsonNode golden;
        final ElementType type;
        final Graph graph;
        final Map<String, Tensor> feeds = new TreeMap<>();
        final Map<String, double[]> values = new TreeMap<>();
        final Map<String, Value> expected = new LinkedHashMap<>();
        final Map<String, String> gradients = new TreeMap<>();

        Case(String section, ElementType type) {
            golden = Golden.read("losses/rl.json").get(section);
            this.type = type;
            graph = new Graph(type);
        }

        Value parameter(String name) {
            Shape shape = Golden.shape(golden.get(name));
            values.put("m/" + name + "/table", Golden.numbers(golden.get(name)));
            return batch(graph, name, shape.get(0), shape.get(1));
        }

        Value input(String name) {
            Tensor tensor = Golden.tensor(golden.get(name), type);
            feeds.put("m/" + name, tensor);
            Shape row = tensor.shape().rank() == 1
                    ? Shape.scalar()
                    : Shape.of(tensor.shape().get(1));
            return graph.input(name, row, tensor.type());
        }

        Case expects(String name, Value value) {
            expected.put(name, value);
            return this;
        }

        Case gradient(String parameter, String name) {
            gradients.put("m/" + parameter + "/table", name);
            return this;
        }

        /** Runs with the sum of a value as the loss. */
        void check(Lowering lowering, Value descended) {
            List<Value> targets = new ArrayList<>(List.of(sum(descended)));
            targets.addAll(expected.values());
            Program program = Program.compile("p", Mode.TRAIN, targets.toArray(Value[]::new));
            int rows = golden.get(golden.has("mean") ? "mean" : "logits")
                    .get("shape")
                    .get(0)
                    .asInt();
            try (Parameters parameters = store(graph);
                    BoundProgram bound = bind(lowering, program, parameters, program.reached())) {
                values.forEach(parameters::set);
                Fixture.feed(bound, rows, feeds);
                bound.run(rows, 0, 0);
                int target = 1;
                for (String name : expected.keySet()) {
                    near(name, bound.target(target).doubles());
                    target++;
                }
                gradients.forEach((path, name) ->
                        near(name, Fixture.gradient(bound, parameters, path).doubles()));
            }
        }

        private void near(String name, double[] actual) {
            double[] numbers = Golden.numbers(golden.get(name));
            if (type == ElementType.FLOAT64) {
                Golden.assertNear(name, actual, numbers, 1e-10);
            } else {
                Golden.assertNearByMagnitude(name, actual, numbers, 1e-5);
            }
        }
    }

    private interface Check {
        void of(Lowering lowering, ElementType type);
    }

    private static Stream<DynamicTest> each(Check check) {
        return Fixture.lowerings()
                .flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(
                                type + " by " + lowering.name(), () -> check.of(lowering, type))));
    }

    @TestFactory
    Stream<DynamicTest> diagonalGaussians() {
        return each((lowering, type) -> {
            Case c = new Case("diag_gaussian", type);
            try (var module = c.graph.module("m")) {
                DiagonalGaussian normal = new DiagonalGaussian(c.parameter("mean"), c.parameter("log_std"));
                Value action = c.input("action");
                DiagonalGaussian unit = new DiagonalGaussian(action, Operators.scale(action, 0));
                Value probability = normal.logProbability(action);
                c.expects("log_prob", probability)
                        .expects("entropy", normal.entropy())
                        .expects("kl_to_normal_mean_action_std_1", normal.kullbackLeibler(unit))
                        .gradient("mean", "grad_sum_log_prob_mean")
                        .gradient("log_std", "grad_sum_log_prob_log_std")
                        .check(lowering, probability);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> categoricals() {
        return each((lowering, type) -> {
            Case c = new Case("categorical", type);
            try (var module = c.graph.module("m")) {
                Categorical classes = new Categorical(c.parameter("logits"));
                Value probability = classes.logProbability(c.input("actions"));
                Value entropy = classes.entropy();
                c.expects("log_prob", probability).expects("entropy", entropy);
                c.gradient("logits", "grad_sum_log_prob_logits").check(lowering, probability);
                c.gradient("logits", "grad_sum_entropy_logits").check(lowering, entropy);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> tanhGaussians() {
        return Stream.of("exact", "sb3")
                .flatMap(form -> each((lowering, type) -> {
                    Case c = new Case("tanh_gaussian", type);
                    try (var module = c.graph.module("m")) {
                        TanhGaussian squashed = new TanhGaussian(c.parameter("mean"), c.parameter("log_std"))
                                .epsilon(form.equals("exact") ? 0 : 1e-6);
                        Value noise = c.input("noise");
                        Value u = squashed.normal().sample(noise);
                        Value probability = squashed.logProbabilityBefore(u);
                        c.expects("u", u)
                                .expects("action", squashed.sample(noise))
                                .expects(form + "_log_prob", probability)
                                .gradient("mean", form + "_grad_sum_mean")
                                .gradient("log_std", form + "_grad_sum_log_std")
                                .check(lowering, probability);
                    }
                }));
    }

    private static double[] evaluated(Graph graph, int rows, Map<String, Tensor> feeds, Value... values) {
        List<Double> numbers = new ArrayList<>();
        try (Parameters parameters = store(graph);
                BoundProgram bound = bind(Program.compile("p", Mode.EVAL, values), parameters, Fixture.none())) {
            Fixture.feed(bound, rows, feeds);
            bound.run(rows, 3, 3);
            for (int i = 0; i < values.length; i++) {
                for (double number : bound.target(i).doubles()) {
                    numbers.add(number);
                }
            }
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Value row(Graph graph, double... numbers) {
        return Operators.add(
                graph.constant(Golden.tensor(Shape.of(numbers.length), graph.floatType(), numbers)),
                Operators.scale(graph.noise("rows_" + numbers.length + "_" + numbers[0], Shape.of(numbers.length)), 0));
    }

    @Test
    void samplesAreAsFrequentAsTheyAreProbable() {
        Graph graph = new Graph();
        Categorical classes = new Categorical(row(graph, 0.2, -1, 1.5, 0));
        Bernoulli coins = new Bernoulli(row(graph, -2, 0.3));
        DiagonalGaussian normal = new DiagonalGaussian(row(graph, 1, -2), row(graph, 0.5, -1));
        Value drawn = oneHot(classes.sample(classes.noise("u")), 4);
        Value tossed = coins.sample(coins.noise("v"));
        Value gaussian = normal.sample(normal.noise("z"));
        double[] frequencies =
                evaluated(graph, MANY, Map.of(), of(drawn), of(tossed), of(gaussian), of(square(gaussian)));
        double[] weights = {Math.exp(0.2), Math.exp(-1), Math.exp(1.5), 1};
        double all = weights[0] + weights[1] + weights[2] + weights[3];
        double[] expected = {
            weights[0] / all,
            weights[1] / all,
            weights[2] / all,
            weights[3] / all,
            1 / (1 + Math.exp(2)),
            1 / (1 + Math.exp(-0.3)),
            1,
            -2,
            1 + Math.exp(1),
            4 + Math.exp(-2)
        };
        for (int i = 0; i < expected.length; i++) {
            assertThat(frequencies[i]).as("number %d", i).isCloseTo(expected[i], within(i < 6 ? 0.015 : 0.15));
        }
    }

    /** The mean over the batch. */
    private static Value of(Value value) {
        return value.graph().numbered(new Reduction.Reduce(Reduction.How.MEAN, Reduction.Reduce.BATCH), value);
    }

    @Test
    void divergencesAndEntropiesAreTheExpectationsThatDefineThem() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Bernoulli coin = new Bernoulli(row(graph, -2, 0.3));
        Bernoulli other = new Bernoulli(row(graph, 0.7, -1));
        Categorical classes = new Categorical(row(graph, 0.2, -1, 1.5));
        Categorical more = new Categorical(row(graph, 1, 0.5, -0.5));
        DiagonalGaussian normal = new DiagonalGaussian(row(graph, 1, -2.5), row(graph, 0.5, -1));
        DiagonalGaussian wide = new DiagonalGaussian(row(graph, 0.3, -1.5), row(graph, 0.8, 0.1));
        double[] actual = evaluated(
                graph,
                1,
                Map.of(),
                coin.entropy(),
                coin.kullbackLeibler(other),
                classes.entropy(),
                classes.kullbackLeibler(more),
                normal.kullbackLeibler(wide));
        double[] p = {1 / (1 + Math.exp(2)), 1 / (1 + Math.exp(-0.3))};
        double[] q = {1 / (1 + Math.exp(-0.7)), 1 / (1 + Math.exp(1))};
        double entropy = 0;
        double divergence = 0;
        for (int i = 0; i < 2; i++) {
            entropy -= p[i] * Math.log(p[i]) + (1 - p[i]) * Math.log(1 - p[i]);
            divergence += p[i] * Math.log(p[i] / q[i]) + (1 - p[i]) * Math.log((1 - p[i]) / (1 - q[i]));
        }
        double[] a = softmax(0.2, -1, 1.5);
        double[] b = softmax(1, 0.5, -0.5);
        double classEntropy = 0;
        double classDivergence = 0;
        for (int i = 0; i < 3; i++) {
            classEntropy -= a[i] * Math.log(a[i]);
            classDivergence += a[i] * Math.log(a[i] / b[i]);
        }
        double gaussian = divergence(1, 0.5, 0.3, 0.8) + divergence(-2.5, -1, -1.5, 0.1);
        assertThat(actual)
                .containsExactly(
                        new double[] {entropy, divergence, classEntropy, classDivergence, gaussian}, within(1e-12));
    }

    private static double[] softmax(double... logits) {
        double[] weights = new double[logits.length];
        double all = 0;
        for (int i = 0; i < logits.length; i++) {
            weights[i] = Math.exp(logits[i]);
            all += weights[i];
        }
        for (int i = 0; i < logits.length; i++) {
            weights[i] /= all;
        }
        return weights;
    }

    private static double divergence(double mean, double logStd, double other, double otherLogStd) {
        double variance = Math.exp(2 * logStd);
        double wide = Math.exp(2 * otherLogStd);
        return otherLogStd - logStd + (variance + (mean - other) * (mean - other)) / (2 * wide) - 0.5;
    }

    @TestFactory
    Stream<DynamicTest> aClassThatIsMaskedOutCountsNothing() {
        return each((lowering, type) -> {
            Graph graph = new Graph(type);
            Program program;
            try (var module = graph.module("m")) {
                Categorical classes = new Categorical(batch(graph, "logits", 1, 3));
                Value entropy = classes.entropy();
                program = Program.compile(
                        "p", Mode.TRAIN, sum(Operators.add(entropy, classes.kullbackLeibler(classes))), entropy);
            }
            try (Parameters parameters = store(graph);
                    BoundProgram bound = bind(lowering, program, parameters, program.reached())) {
                parameters.set("m/logits/table", 1, Double.NEGATIVE_INFINITY, 1);
                Fixture.feed(bound, 1, Map.of());
                bound.run(1, 0, 0);
                assertThat(bound.target(1).doubles()).containsExactly(new double[] {Math.log(2)}, within(1e-6));
                assertThat(Fixture.gradient(bound, parameters, "m/logits/table").doubles())
                        .containsExactly(new double[] {0, 0, 0}, within(1e-6));
            }
        });
    }

    @Test
    void aSquashedOutcomeIsTracedBack() {
        Graph graph = new Graph(ElementType.FLOAT64);
        TanhGaussian squashed = new TanhGaussian(row(graph, 0.5, -1), row(graph, 0.25, -0.5));
        Value u = row(graph, 1.25, -2);
        double[] both = evaluated(
                graph,
                1,
                Map.of(),
                squashed.logProbabilityBefore(u),
                squashed.logProbability(tanh(u)),
                squashed.mode());
        assertThat(both[1]).isCloseTo(both[0], within(1e-9));
        assertThat(both[2]).isCloseTo(Math.tanh(0.5), within(1e-12));
    }

    @Test
    void modesAreTheMostProbableOutcomes() {
        Graph graph = new Graph();
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        Categorical classes = new Categorical(row(graph, 0.2, -1, 1.5));
        Bernoulli coins = new Bernoulli(row(graph, -2, 0.3));
        double[] modes = evaluated(
                graph,
                1,
                Map.of("label", Tensor.of(Shape.of(1), 2L)),
                mean(equal(classes.mode(), label)),
                coins.mode(),
                exp(coins.logProbability(coins.mode())));
        double probability = 1 / (1 + Math.exp(-2)) / (1 + Math.exp(-0.3));
        assertThat(modes).containsExactly(new double[] {1, 0, 1, probability}, within(1e-6));
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Graph graph = new Graph();
        Function<Integer, Value> rows = n -> graph.input("x" + n, Shape.of(n));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DiagonalGaussian(rows.apply(2), rows.apply(3)))
                .withMessage("diagonal Gaussian: needs a mean (…, n) and log deviations of its shape, got x2 (batch,2)"
                        + " and x3 (batch,3)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TanhGaussian(rows.apply(4), rows.apply(5)))
                .withMessageContaining("diagonal Gaussian");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Categorical(graph.input("scalar", Shape.scalar())))
                .withMessageContaining("categorical: needs logits (…, n), got scalar");
        try (var module = graph.module("m")) {
            DiagonalGaussian fixed = new DiagonalGaussian(rows.apply(6), parameter(graph, "log_std", 6));
            assertThat(fixed.entropy().batched()).isTrue();
        }
    }
}
