package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.prelu;
import static hocket.programs.Layers.rmsNorm;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.gelu;
import static hocket.programs.Operators.geluTanh;
import static hocket.programs.Operators.globalAveragePool;
import static hocket.programs.Operators.hardTanh;
import static hocket.programs.Operators.instanceNorm;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.logSigmoid;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.mish;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pixelShuffle;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.relu6;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.selu;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.sigmoidCrossEntropy;
import static hocket.programs.Operators.silu;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.softsign;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upsampleBilinear;
import static hocket.programs.Operators.upsampleNearest;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Values and gradients of operators and layers against PyTorch's, in both float types. */
@Tag("golden")
class GoldenGradientsTest {
    /** What a case computes from x, in a module {@code m}. */
    private interface Body {
        Value of(JsonNode golden, Value x);
    }

    /** How the cases of each file are computed. */
    private static final Map<String, Body> FILES = Map.ofEntries(
            Map.entry(
                    "linear",
                    (golden, x) -> dense("layer", x, attrs(golden).get("out").asInt(), weights(golden))),
            Map.entry("conv2d", (golden, x) -> conv("layer", x, filters(golden), window(golden))),
            Map.entry("conv_transpose2d", GoldenGradientsTest::transposed),
            Map.entry("batchnorm", (golden, x) -> batchNorm("layer", x, normalisation(golden))),
            Map.entry("activations", GoldenGradientsTest::activation),
            Map.entry("softmax", GoldenGradientsTest::softmaxes),
            Map.entry("embedding", GoldenGradientsTest::rows),
            Map.entry(
                    "dropout",
                    (golden, x) -> dropout("layer", x, attrs(golden).get("p").asDouble())),
            Map.entry(
                    "groupnorm",
                    (golden, x) ->
                            groupNorm("layer", x, attrs(golden).get("groups").asInt(), epsilon(golden))),
            Map.entry("instancenorm", GoldenGradientsTest::instances),
            Map.entry("layernorm", (golden, x) -> layerNorm("layer", x, axes(golden), epsilon(golden))),
            Map.entry("rmsnorm", (golden, x) -> rmsNorm("layer", x, axes(golden), epsilon(golden))),
            Map.entry("spectral_norm", GoldenGradientsTest::spectral),
            Map.entry("avgpool2d", GoldenGradientsTest::averaged),
            Map.entry("maxpool2d", (golden, x) -> maxPool(x, pool(golden))),
            Map.entry(
                    "pixel_shuffle",
                    (golden, x) -> pixelShuffle(x, attrs(golden).get("r").asInt())),
            Map.entry(
                    "upsample_nearest",
                    (golden, x) -> upsampleNearest(x, attrs(golden).get("scale").asInt())),
            Map.entry(
                    "upsample_bilinear",
                    (golden, x) ->
                            upsampleBilinear(x, attrs(golden).get("scale").asInt())));

    @TestFactory
    Stream<DynamicNode> everyFile() {
        return Golden.files("gradients").stream()
                .map(file -> file.replace(".json", ""))
                .filter(file -> !GoldenImageLayersTest.files().contains(file))
                .filter(file -> !GoldenSequencesTest.files().contains(file))
                .map(file -> DynamicContainer.dynamicContainer(file, cases(file)));
    }

    private static Value transposed(JsonNode golden, Value x) {
        int[] pad = pair(golden, "output_padding");
        return convTranspose("layer", x, filters(golden), window(golden).outputPad(pad[0], pad[1]));
    }

    private static Layers.Normalisation normalisation(JsonNode golden) {
        return Layers.normalisation()
                .epsilon(epsilon(golden))
                .momentum(attrs(golden).get("momentum").asDouble());
    }

    private static double epsilon(JsonNode golden) {
        return attrs(golden).get("eps").asDouble();
    }

    private static int axes(JsonNode golden) {
        return attrs(golden).get("normalized_shape").size();
    }

    private static Value instances(JsonNode golden, Value x) {
        assertThat(attrs(golden).get("track_running_stats").asBoolean()).isFalse();
        return attrs(golden).get("affine").asBoolean()
                ? instanceNorm("layer", x, epsilon(golden))
                : instanceNorm(x, epsilon(golden));
    }

    private static Value spectral(JsonNode golden, Value x) {
        JsonNode attrs = attrs(golden);
        Shape weight = Golden.shape(golden.get("params").get("weight"));
        Weights weights =
                Weights.standard().spectralNorm(attrs.get("n_power_iterations").asInt());
        weights = golden.get("params").has("bias") ? weights : weights.withoutBias();
        String layer = attrs.get("layer").asText();
        if (layer.equals("linear")) {
            return dense("layer", x, weight.get(0), weights);
        }
        int[] pad = attrs.get("padding").isNull() ? new int[2] : pair(golden, "padding");
        Window kernel = kernel(weight.get(2), weight.get(3)).pad(pad[0], pad[1]).weights(weights);
        kernel = attrs.has("stride") ? kernel.stride(pair(golden, "stride")[0], pair(golden, "stride")[1]) : kernel;
        return switch (layer) {
            case "conv2d" -> conv("layer", x, weight.get(0), kernel);
            case "conv_transpose2d" -> convTranspose("layer", x, weight.get(1), kernel);
            default -> throw new IllegalArgumentException("no layer is called " + layer);
        };
    }

    private static Value activation(JsonNode golden, Value x) {
        String name = golden.get("name").asText();
        return switch (name) {
            case "relu" -> relu(x);
            case "leaky_relu" -> leakyRelu(x, attrs(golden).get("slope").asDouble());
            case "elu" -> elu(x, attrs(golden).get("alpha").asDouble());
            case "selu" -> selu(x);
            case "gelu" -> gelu(x);
            case "gelu_tanh" -> geluTanh(x);
            case "silu" -> silu(x);
            case "mish" -> mish(x);
            case "softplus" -> softplus(x);
            case "tanh" -> tanh(x);
            case "sigmoid" -> sigmoid(x);
            case "logsigmoid" -> logSigmoid(x);
            case "softsign" -> softsign(x);
            case "hard_tanh" -> hardTanh(x);
            case "relu6" -> relu6(x);
            case "prelu" -> prelu("layer", x);
            default -> throw new IllegalArgumentException("no activation is called " + name);
        };
    }

    private static Value softmaxes(JsonNode golden, Value x) {
        JsonNode attrs = attrs(golden);
        Graph graph = x.graph();
        return switch (attrs.get("function").asText()) {
            case "softmax" -> softmax(x, attrs.get("axis").asInt() - 1);
            case "log_softmax" -> logSoftmax(x, attrs.get("axis").asInt() - 1);
            case "cross_entropy" ->
                mean(softmaxCrossEntropy(x, graph.input("target", Shape.scalar(), ElementType.INT64)));
            case "bce_with_logits" -> mean(sigmoidCrossEntropy(x, graph.input("target", x.shape())));
            default -> throw new IllegalArgumentException(attrs.toString());
        };
    }

    private static Value rows(JsonNode golden, Value index) {
        JsonNode attrs = attrs(golden);
        return embedding(
                "layer", index, attrs.get("num").asInt(), attrs.get("dim").asInt());
    }

    private static Value averaged(JsonNode golden, Value x) {
        if (attrs(golden).has("adaptive")) {
            assertThat(attrs(golden).get("adaptive").asInt()).isEqualTo(1);
            return reshape(globalAveragePool(x), x.shape().get(0), 1, 1);
        }
        return averagePool(
                x, pool(golden), attrs(golden).get("count_include_pad").asBoolean());
    }

    private static Window pool(JsonNode golden) {
        assertThat(attrs(golden).path("ceil_mode").asBoolean()).isFalse();
        int[] size = pair(golden, "kernel");
        int[] stride = pair(golden, "stride");
        int[] pad = pair(golden, "padding");
        return kernel(size[0], size[1]).stride(stride[0], stride[1]).pad(pad[0], pad[1]);
    }

    private static Window window(JsonNode golden) {
        int[] size = pair(golden, "kernel");
        int[] stride = pair(golden, "stride");
        int[] pad = pair(golden, "padding");
        int[] dilation = pair(golden, "dilation");
        return kernel(size[0], size[1])
                .stride(stride[0], stride[1])
                .pad(pad[0], pad[1])
                .dilation(dilation[0], dilation[1])
                .groups(attrs(golden).get("groups").asInt())
                .weights(weights(golden));
    }

    private static Weights weights(JsonNode golden) {
        return attrs(golden).get("bias").asBoolean()
                ? Weights.standard()
                : Weights.standard().withoutBias();
    }

    /** A setting for both directions: two numbers, or one. */
    private static int[] pair(JsonNode golden, String name) {
        JsonNode setting = attrs(golden).get(name);
        return setting.isArray()
                ? new int[] {setting.get(0).asInt(), setting.get(1).asInt()}
                : new int[] {setting.asInt(), setting.asInt()};
    }

    private static int filters(JsonNode golden) {
        return Golden.shape(golden.get("float64").get("outputs").get("y")).get(1);
    }

    private static JsonNode attrs(JsonNode golden) {
        return golden.get("attrs");
    }

    private static Stream<DynamicTest> cases(String file) {
        Body body = FILES.get(file);
        assertThat(body)
                .as("nothing computes the cases of gradients/%s.json", file)
                .isNotNull();
        return Golden.cases("gradients/" + file + ".json").flatMap(golden -> both(golden, body));
    }

    private static Stream<DynamicTest> both(JsonNode golden, Body body) {
        return Stream.concat(Fixture.lowerings(), Stream.of(new JvmLowering()))
                .flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                        .filter(type -> type == ElementType.FLOAT32 || !(lowering instanceof JvmLowering))
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
        return golden.get(golden.get("params").has(name) ? "params" : "inputs").get(name);
    }

    private static String goldenName(Path path) {
        return switch (path.text()) {
            case "m/x/table" -> "x";
            case "m/layer/weight", "m/layer/scale", "m/layer/table", "m/layer/slope" -> "weight";
            case "m/layer/bias", "m/layer/shift" -> "bias";
            case "m/layer/u" -> "u";
            case "m/layer/v" -> "v";
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
        Block expected = new Block(golden, type);
        double[] output = bound.target(1).doubles();
        expected.near("output", output, "outputs", "y");
        int index = 0;
        for (Path path : bound.gradients()) {
            Shape shape = parameters.declaration(path).shape();
            double[] gradient =
                    Tensor.copyOf(shape, type, bound.gradient(index).buffer()).doubles();
            expected.near("gradient by " + path, gradient, "grads", goldenName(path));
            index++;
        }
        if (golden.get("float64").has("after")) {
            parameters.declarations().stream()
                    .filter(declaration -> declaration.kind() == Kind.RUNNING_STATISTIC)
                    .forEach(declaration -> {
                        String path = declaration.path().text();
                        double[] moved = parameters.tensor(path).doubles();
                        expected.near(path, moved, "after", goldenName(declaration.path()));
                    });
        }
        if (golden.get("op").asText().equals("spectral_norm")) {
            expected.near("sigma", new double[] {sigma(golden, parameters)}, "after", "sigma");
        }
    }

    /** uᵀ·W·v, W as a matrix of (outputs, rest). */
    private static double sigma(JsonNode golden, Parameters parameters) {
        double[] u = parameters.tensor("m/layer/u").doubles();
        double[] v = parameters.tensor("m/layer/v").doubles();
        double[] weight = parameters.tensor("m/layer/weight").doubles();
        boolean transposed = attrs(golden).get("layer").asText().equals("conv_transpose2d");
        int taps = transposed
                ? weight.length / parameters.tensor("m/layer/weight").shape().get(0) / u.length
                : v.length;
        double sigma = 0;
        for (int i = 0; i < weight.length; i++) {
            int input = i / taps / u.length;
            sigma += u[i / taps % u.length] * weight[i] * v[input * taps + i % taps];
        }
        return sigma;
    }

    /** What is expected of a case in a type: float64's numbers, to a tolerance of that type. */
    private record Block(JsonNode golden, ElementType type) {
        void near(String what, double[] actual, String part, String name) {
            double[] exact = numbers("float64", part, name);
            if (type == ElementType.FLOAT64) {
                Golden.assertNear(what, actual, exact, 1e-10);
            } else {
                Golden.assertNearByMagnitude(what, actual, exact, tolerance(exact, numbers("float32", part, name)));
            }
        }

        /** In groups of two elements the gradient is what is left of numbers 10,000 times as large: PyTorch's own float32 sets the limit where it is further off. */
        private double tolerance(double[] exact, double[] single) {
            if (golden.get("op").asText().equals("groupnorm")) {
                return Math.max(1e-3, deviation(exact, single));
            }
            return golden.get("name").asText().startsWith("large offset") ? 1e-3 : 1e-5;
        }

        private static double deviation(double[] exact, double[] single) {
            double largest = 0;
            double most = 0;
            for (int i = 0; i < exact.length; i++) {
                largest = Math.max(largest, Math.abs(exact[i]));
                most = Math.max(most, Math.abs(single[i] - exact[i]));
            }
            return most / largest;
        }

        private double[] numbers(String block, String part, String name) {
            return Golden.numbers(golden.get(block).get(part).get(name));
        }
    }
}
