package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sigmoidCrossEntropy;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Values and gradients of operators and layers against PyTorch's, in both float types. */
@Tag("golden")
@Tag("engine")
class GoldenGradientsTest {
    /** What a case computes from x, in a module {@code m}. */
    private interface Body {
        Value of(JsonNode golden, Value x);
    }

    @TestFactory
    Stream<DynamicTest> linear() {
        return cases("linear", (golden, x) -> {
            JsonNode attrs = attrs(golden);
            Weights weights = attrs.get("bias").asBoolean()
                    ? Weights.standard()
                    : Weights.standard().withoutBias();
            return dense("layer", x, attrs.get("out").asInt(), weights);
        });
    }

    @TestFactory
    Stream<DynamicTest> conv2d() {
        return cases("conv2d", (golden, x) -> conv("layer", x, filters(golden), window(golden)));
    }

    @TestFactory
    Stream<DynamicTest> convTranspose2d() {
        return cases("conv_transpose2d", (golden, x) -> {
            JsonNode pad = attrs(golden).get("output_padding");
            Kernel window =
                    window(golden).outputPad(pad.get(0).asInt(), pad.get(1).asInt());
            return convTranspose("layer", x, filters(golden), window);
        });
    }

    @TestFactory
    Stream<DynamicTest> batchNorms() {
        return cases("batchnorm", (golden, x) -> {
            JsonNode attrs = attrs(golden);
            Layers.Normalisation settings = normalisation()
                    .epsilon(attrs.get("eps").asDouble())
                    .momentum(attrs.get("momentum").asDouble());
            return batchNorm("layer", x, settings);
        });
    }

    @TestFactory
    Stream<DynamicTest> activations() {
        Map<String, UnaryOperator<Value>> known = Map.ofEntries(
                Map.entry("relu", Operators::relu),
                Map.entry("leaky_relu", x -> leakyRelu(x, 0.2)),
                Map.entry("elu", x -> elu(x, 1)),
                Map.entry("tanh", Operators::tanh),
                Map.entry("sigmoid", Operators::sigmoid),
                Map.entry("softplus", Operators::softplus),
                Map.entry("logsigmoid", Operators::logSigmoid),
                // composed ones, for the products and quotients in them
                Map.entry("silu", x -> multiply(x, sigmoid(x))),
                Map.entry("mish", x -> multiply(x, tanh(softplus(x)))),
                Map.entry("softsign", x -> divide(x, shift(abs(x), 1))));
        return known.entrySet().stream()
                .flatMap(activation -> Golden.cases("gradients/activations.json")
                        .filter(golden -> golden.get("name").asText().equals(activation.getKey()))
                        .flatMap(golden ->
                                both(golden, (same, x) -> activation.getValue().apply(x))));
    }

    @TestFactory
    Stream<DynamicTest> softmaxes() {
        return cases("softmax", (golden, x) -> {
            JsonNode attrs = attrs(golden);
            Graph graph = x.graph();
            return switch (attrs.get("function").asText()) {
                case "softmax" -> softmax(x, attrs.get("axis").asInt() - 1);
                case "log_softmax" -> logSoftmax(x, attrs.get("axis").asInt() - 1);
                case "cross_entropy" ->
                    mean(softmaxCrossEntropy(x, graph.input("target", Shape.scalar(), ElementType.INT64)));
                default -> mean(sigmoidCrossEntropy(x, graph.input("target", x.shape())));
            };
        });
    }

    @TestFactory
    Stream<DynamicTest> embeddings() {
        return cases("embedding", (golden, index) -> {
            JsonNode attrs = attrs(golden);
            return embedding(
                    "layer", index, attrs.get("num").asInt(), attrs.get("dim").asInt());
        });
    }

    @TestFactory
    Stream<DynamicTest> dropouts() {
        return cases(
                "dropout",
                (golden, x) -> dropout("layer", x, attrs(golden).get("p").asDouble()));
    }

    private static Kernel window(JsonNode golden) {
        JsonNode attrs = attrs(golden);
        Kernel window = kernel(pair(attrs, "kernel")[0], pair(attrs, "kernel")[1])
                .stride(pair(attrs, "stride")[0], pair(attrs, "stride")[1])
                .pad(pair(attrs, "padding")[0], pair(attrs, "padding")[1])
                .dilation(pair(attrs, "dilation")[0], pair(attrs, "dilation")[1])
                .groups(attrs.get("groups").asInt());
        return attrs.get("bias").asBoolean()
                ? window
                : window.weights(Weights.standard().withoutBias());
    }

    private static int[] pair(JsonNode attrs, String name) {
        return new int[] {attrs.get(name).get(0).asInt(), attrs.get(name).get(1).asInt()};
    }

    private static int filters(JsonNode golden) {
        return Golden.shape(golden.get("float64").get("outputs").get("y")).get(1);
    }

    private static JsonNode attrs(JsonNode golden) {
        return golden.get("attrs");
    }

    private static Stream<DynamicTest> cases(String file, Body body) {
        return Golden.cases("gradients/" + file + ".json").flatMap(golden -> both(golden, body));
    }

    private static Stream<DynamicTest> both(JsonNode golden, Body body) {
        return Fixture.lowerings()
                .flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .map(type -> DynamicTest.dynamicTest(
                                golden.get("name").asText() + " in " + type + " by " + lowering.name(),
                                () -> check(golden, lowering, type, body))));
    }

    /**
     * Runs a case. An x that wants a gradient is the table of an embedding whose rows are looked up in order: so it is a
     * parameter, and a batch too.
     */
    private static void check(JsonNode golden, Lowering lowering, ElementType type, Body body) {
        Graph graph = new Graph(type);
        JsonNode inputs = golden.get("inputs");
        boolean indexed = inputs.has("index");
        Tensor given = Golden.tensor(inputs.get(indexed ? "index" : "x"), type);
        int rows = given.shape().get(0);
        Shape row = Shape.of(
                Arrays.copyOfRange(given.shape().extents(), 1, given.shape().rank()));
        Value output;
        try (var module = graph.module("m")) {
            Value x = indexed
                    ? graph.input("x", row, ElementType.INT64)
                    : reshape(
                            embedding("x", graph.input("row", Shape.scalar(), ElementType.INT64), rows, row.size()),
                            row.extents());
            output = body.of(golden, x);
        }
        JsonNode upstream = golden.get("upstream").get("y");
        Value loss = output.batched()
                ? sum(multiply(output, graph.input("upstream", output.shape())))
                : scale(output, Golden.numbers(upstream)[0]);
        JsonNode training = golden.get("attrs").get("training");
        Mode mode = training == null || training.asBoolean() ? Mode.TRAIN : Mode.EVAL;
        Program program = Program.compile("golden", mode, loss, output);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                BoundProgram bound =
                        new BoundProgram(program, parameters, lowering, 2, new TreeSet<>(program.reached()), "")) {
            parameters.declarations().forEach(declaration -> {
                JsonNode values = source(golden, declaration.path());
                parameters.set(declaration.path().text(), Golden.numbers(values));
            });
            for (Value feed : program.feeds()) {
                bound.feed(feed.path().text(), feed(golden, feed, given, rows, type));
            }
            bound.run(rows, 0, 0);
            bound.moveStatistics();
            compare(golden, type, bound, parameters);
        }
    }

    private static JsonNode source(JsonNode golden, Path path) {
        String name = goldenName(path);
        return name.equals("x") || name.startsWith("running")
                ? golden.get("inputs").get(name)
                : golden.get("params").get(name);
    }

    private static String goldenName(Path path) {
        return switch (path.text()) {
            case "m/x/table" -> "x";
            case "m/layer/weight", "m/layer/scale", "m/layer/table" -> "weight";
            case "m/layer/bias", "m/layer/shift" -> "bias";
            case "m/layer/mean" -> "running_mean";
            case "m/layer/variance" -> "running_var";
            default -> throw new IllegalArgumentException(path.text());
        };
    }

    private static Tensor feed(JsonNode golden, Value feed, Tensor given, int rows, ElementType type) {
        return switch (feed.path().text()) {
            case "m/x" -> given;
            case "m/row" -> Tensor.of(Shape.of(rows), LongStream.range(0, rows).toArray());
            case "m/target" -> Golden.tensor(golden.get("inputs").get("target"), type);
            case "m/layer_mask" -> {
                double kept = 1 / (1 - golden.get("attrs").get("p").asDouble());
                JsonNode mask = golden.get("inputs").get("mask");
                double[] scaled =
                        Arrays.stream(Golden.numbers(mask)).map(m -> m * kept).toArray();
                yield Golden.tensor(Golden.shape(mask), type, scaled);
            }
            case "upstream" -> Golden.tensor(golden.get("upstream").get("y"), type);
            default -> throw new IllegalArgumentException(feed.toString());
        };
    }

    private static void compare(JsonNode golden, ElementType type, BoundProgram bound, Parameters parameters) {
        JsonNode expected = golden.get("float64");
        double[] output = bound.target(1).doubles();
        near(golden, type, "output", output, expected.get("outputs").get("y"));
        int index = 0;
        for (Path path : bound.gradients()) {
            Shape shape = parameters.declaration(path).shape();
            double[] gradient =
                    Tensor.copyOf(shape, type, bound.gradient(index)).doubles();
            near(
                    golden,
                    type,
                    "gradient by " + path,
                    gradient,
                    expected.get("grads").get(goldenName(path)));
            index++;
        }
        if (expected.has("after")) {
            for (String statistic : new String[] {"m/layer/mean", "m/layer/variance"}) {
                double[] moved = parameters.tensor(statistic).doubles();
                near(golden, type, statistic, moved, expected.get("after").get(goldenName(Path.of(statistic))));
            }
        }
    }

    private static void near(JsonNode golden, ElementType type, String what, double[] actual, JsonNode expected) {
        if (type == ElementType.FLOAT64) {
            Golden.assertNear(what, actual, Golden.numbers(expected), 1e-10);
        } else {
            boolean cancels = golden.get("name").asText().startsWith("large offset");
            Golden.assertNearByMagnitude(what, actual, Golden.numbers(expected), cancels ? 1e-3 : 1e-5);
        }
    }
}
