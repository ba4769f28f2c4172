package hocket.schedulers.optimizers;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.optimizers.Optimizers.adagrad;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.lazy;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Training steps of an embedding against PyTorch's, with its dense and its sparse optimizers. */
@Tag("golden")
class GoldenRowsTest {
    private static final String FILE = "gradients/embedding_sparse.json";

    @TestFactory
    Stream<DynamicTest> everyCase() throws IOException {
        String folder = System.getProperty("hocket.golden", "");
        Path root = Path.of(System.getProperty("hocket.root", ""));
        Path all = root.resolve(folder.isEmpty() ? "programs/src/test/resources/golden" : folder);
        return StreamSupport.stream(
                        new ObjectMapper()
                                .readTree(all.resolve(FILE).toFile())
                                .get("cases")
                                .spliterator(),
                        false)
                .filter(golden -> golden.get("attrs").get("kind").asText().equals("steps"))
                .flatMap(GoldenRowsTest::tests);
    }

    private static Stream<DynamicTest> tests(JsonNode golden) {
        return rules(golden.get("attrs")).entrySet().stream()
                .flatMap(rule -> Stream.of(ElementType.FLOAT32, ElementType.FLOAT64)
                        .map(type -> DynamicTest.dynamicTest(
                                golden.get("name").asText() + ", " + rule.getKey() + " in " + type,
                                () -> check(golden, rule.getValue(), type))));
    }

    private static Map<String, UpdateRule> rules(JsonNode attrs) {
        String name = attrs.get("optimizer").asText();
        double rate = attrs.get("lr").asDouble();
        Adam adam = adam(rate)
                .beta1(attrs.path("betas").path(0).asDouble())
                .beta2(attrs.path("betas").path(1).asDouble())
                .epsilon(attrs.path("eps").asDouble());
        Map<String, UpdateRule> rules = new LinkedHashMap<>();
        switch (name) {
            case "Adam" -> rules.put("dense", adam);
            case "AdamW" ->
                rules.put(
                        "dense",
                        adam.decoupledWeightDecay(attrs.get("weight_decay").asDouble()));
            case "SparseAdam" -> rules.put("lazy", lazy(adam.uncorrectedEpsilon(true)));
            case "SGD" -> {
                rules.put("dense", sgd(rate));
                rules.put("lazy", lazy(sgd(rate)));
            }
            case "Adagrad" -> {
                Adagrad adagrad = adagrad(rate)
                        .epsilon(attrs.get("eps").asDouble())
                        .initial(attrs.get("initial_accumulator").asDouble());
                rules.put("dense", adagrad);
                rules.put("lazy", lazy(adagrad));
            }
            default -> throw new IllegalArgumentException(name);
        }
        return rules;
    }

    private static void check(JsonNode golden, UpdateRule rule, ElementType type) {
        JsonNode attrs = golden.get("attrs");
        int steps = attrs.get("steps").asInt();
        double[] index = numbers(golden.get("inputs").get("index"));
        double[] upstream = numbers(golden.get("upstream").get("y"));
        int count = index.length / steps;
        int width = attrs.get("dim").asInt();
        Graph graph = new Graph(type);
        Value text = graph.input("text", Shape.of(count), ElementType.INT64);
        Value up = graph.input("up", Shape.of(count, width));
        Value y;
        try (Scope<Value> net = graph.module("net")) {
            int entries = attrs.get("num").asInt();
            JsonNode padding = attrs.get("padding_index");
            y = padding.isNull()
                    ? embedding("words", text, entries, width)
                    : embedding("words", text, entries, width, Weights.standard(), padding.asInt());
        }
        Program program = Program.compile("learn", Mode.TRAIN, Loss.of(sum(multiply(y, up))));
        Turn.Descend turn = Turn.of("learn", program).updates("net/**", rule).observes(y);
        String table = graph.declarations().iterator().next().path().text();
        JsonNode expected = golden.get("float64");
        JsonNode after = expected.get("after");
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters).plan(turn)) {
            parameters.set(table, numbers(golden.get("params").get("weight")));
            for (int step = 1; step <= steps; step++) {
                double[] rows = Arrays.copyOfRange(index, (step - 1) * count, step * count);
                double[] weights = Arrays.copyOfRange(upstream, (step - 1) * count * width, step * count * width);
                scheduler.step(
                        turn,
                        Feeds.of(
                                        "text",
                                        Tensor.of(
                                                Shape.of(1, count),
                                                Arrays.stream(rows)
                                                        .mapToLong(row -> (long) row)
                                                        .toArray()))
                                .and("up", Tensor.rounded(Shape.of(1, count, width), type, weights)));
                double[] read = Arrays.copyOfRange(
                        numbers(expected.get("outputs").get("y")), (step - 1) * count * width, step * count * width);
                near("y " + step, type, scheduler.observed(turn, y), read);
                near("gradient " + step, type, scheduler.gradient(turn, table), numbers(after.get("gradient_" + step)));
                near("weights " + step, type, parameters.tensor(table), numbers(after.get("weight_after_" + step)));
            }
            State slots = scheduler.save().state("turns").state("learn");
            Map<String, String> names = Map.of("exp_avg", "m", "exp_avg_sq", "v", "sum", "sum");
            names.forEach((there, here) -> {
                if (after.has(there)) {
                    near(there, type, slots.tensor(table + "/" + here), numbers(after.get(there)));
                }
            });
        }
    }

    private static double[] numbers(JsonNode tensor) {
        return StreamSupport.stream(tensor.get("data").spliterator(), false)
                .mapToDouble(JsonNode::asDouble)
                .toArray();
    }

    /** As the README of the golden data says: of FLOAT32 by the largest magnitude, at least 1. */
    private static void near(String what, ElementType type, Tensor actual, double[] expected) {
        double[] numbers = actual.doubles();
        assertThat(numbers).as(what).hasSameSizeAs(expected);
        double largest =
                Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElse(0));
        for (int i = 0; i < numbers.length; i++) {
            double scale = type == ElementType.FLOAT32 ? 1e-5 * largest : 1e-10 * Math.max(1, Math.abs(expected[i]));
            assertThat(Math.abs(numbers[i] - expected[i]))
                    .as(what + "[" + i + "] is " + numbers[i] + ", expected " + expected[i])
                    .isLessThanOrEqualTo(scale);
        }
    }
}
