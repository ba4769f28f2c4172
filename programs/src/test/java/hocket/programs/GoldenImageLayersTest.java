package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.depthwiseConv;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.normalisation;
import static hocket.programs.Layers.separableConv;
import static hocket.programs.Operators.adaptiveAveragePool;
import static hocket.programs.Operators.adaptiveMaxPool;
import static hocket.programs.Operators.blurPool;
import static hocket.programs.Operators.constantPad;
import static hocket.programs.Operators.downsample2d;
import static hocket.programs.Operators.film;
import static hocket.programs.Operators.filter2d;
import static hocket.programs.Operators.instanceNorm;
import static hocket.programs.Operators.minibatchStdDev;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pad;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.upfirdn2d;
import static hocket.programs.Operators.upsample2d;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.layers.OrthogonalRegularisation;
import hocket.programs.layers.Padding;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Weights.WeightNormAlong;
import hocket.programs.layers.Window;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Values and gradients of layers for images against PyTorch's, in both float types on every lowering. */
@Tag("golden")
class GoldenImageLayersTest {
    /** What a case computes from x, in a module {@code m}. */
    private interface Body {
        Value of(JsonNode attrs, JsonNode golden, Value x);
    }

    private static final Map<String, Body> BODIES = Map.of(
            "padding_modes", (attrs, golden, x) -> padded(attrs, golden, x),
            "depthwise_separable_conv", (attrs, golden, x) -> separable(attrs, golden, x),
            "adaptive_pool", (attrs, golden, x) -> adaptive(attrs, x),
            "minibatch_stddev", (attrs, golden, x) -> deviation(attrs, golden, x),
            "conditional_batchnorm", (attrs, golden, x) -> conditional(attrs, x),
            "blur", (attrs, golden, x) -> blurred(attrs, x),
            "weight_norm", (attrs, golden, x) -> normed(attrs, golden, x));

    /** The one file whose cases have no x. */
    private static final String REGULARISATION = "orthogonal_regularisation";

    /** The files of this test. */
    static List<String> files() {
        return Stream.concat(BODIES.keySet().stream(), Stream.of(REGULARISATION))
                .sorted()
                .toList();
    }

    @TestFactory
    Stream<DynamicNode> everyFile() {
        return files().stream()
                .map(file -> DynamicContainer.dynamicContainer(
                        file, Golden.cases("gradients/" + file + ".json").flatMap(golden -> tests(file, golden))));
    }

    private static Stream<DynamicTest> tests(String file, JsonNode golden) {
        Stream<Lowering> lowerings = Stream.concat(Fixture.lowerings(), Stream.of(new JvmLowering()));
        return lowerings.flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                .filter(type -> type == ElementType.FLOAT32 || !(lowering instanceof JvmLowering))
                .map(type -> DynamicTest.dynamicTest(
                        golden.get("name").asText() + " in " + type + " by " + lowering.name(),
                        () -> check(file, golden, lowering, type))));
    }

    private static Value padded(JsonNode attrs, JsonNode golden, Value x) {
        String mode = attrs.get("mode").asText();
        if (attrs.has("convolution")) {
            int filters = outputs(golden);
            int[] size = numbers(attrs, "kernel");
            int[] stride = numbers(attrs, "stride");
            int[] pad = numbers(attrs, "padding");
            Window window =
                    kernel(size[0], size[1]).stride(stride[0], stride[1]).pad(pad[0], pad[1]);
            return x.shape().rank() == 2
                    ? conv1d("layer", x, filters, window, padding(mode))
                    : conv("layer", x, filters, window, padding(mode));
        }
        int[] sides = numbers(attrs, "pad");
        return mode.equals("constant")
                ? constantPad(x, attrs.get("value").asDouble(), sides)
                : pad(x, padding(mode), sides);
    }

    private static Padding padding(String mode) {
        return switch (mode) {
            case "zero" -> Padding.ZEROS;
            case "reflect" -> Padding.REFLECT;
            case "replicate" -> Padding.REPLICATE;
            case "circular" -> Padding.CIRCULAR;
            default -> throw new IllegalArgumentException("no padding is called " + mode);
        };
    }

    private static Value separable(JsonNode attrs, JsonNode golden, Value x) {
        String kind = attrs.get("kind").asText();
        if (kind.equals("conv1d")) {
            int[] sides = numbers(attrs, "padding");
            Window window = kernel(attrs.get("kernel").asInt())
                    .dilation(attrs.get("dilation").asInt())
                    .groups(attrs.get("groups").asInt());
            return conv1d("layer", pad(x, Padding.ZEROS, sides), outputs(golden), window);
        }
        int[] size = numbers(attrs, "kernel");
        int[] stride = numbers(attrs, "stride");
        int[] pad = numbers(attrs, "padding");
        int[] dilation = numbers(attrs, "dilation");
        Weights weights = Weights.standard();
        Window window = kernel(size[0], size[1])
                .stride(stride[0], stride[1])
                .pad(pad[0], pad[1])
                .dilation(dilation[0], dilation[1])
                .weights(attrs.get("bias").asBoolean() ? weights : weights.withoutBias());
        if (kind.equals("depthwise")) {
            assertThat(attrs.get("groups").asInt()).isEqualTo(x.shape().get(0));
            return depthwiseConv("layer", x, attrs.get("multiplier").asInt(), window);
        }
        assertThat(kind).isEqualTo("separable");
        return attrs.get("between").isNull()
                ? separableConv("layer", x, outputs(golden), window)
                : separableConv("layer", x, outputs(golden), window, h -> {
                    assertThat(attrs.get("between").asText()).isEqualTo("relu");
                    return relu(h);
                });
    }

    private static Value adaptive(JsonNode attrs, Value x) {
        JsonNode output = attrs.get("output");
        int[] extents = IntStream.range(0, output.size())
                .map(i -> output.get(i).isNull()
                        ? x.shape().get(1 + i)
                        : output.get(i).asInt())
                .toArray();
        return attrs.get("kind").asText().equals("avg") ? adaptiveAveragePool(x, extents) : adaptiveMaxPool(x, extents);
    }

    private static Value deviation(JsonNode attrs, JsonNode golden, Value x) {
        assertThat(attrs.get("eps").asDouble()).isEqualTo(1e-8);
        int rows = Golden.shape(golden.get("inputs").get("x")).get(0);
        int group = attrs.get("group").isNull()
                ? rows
                : Math.min(rows, attrs.get("group").asInt());
        return minibatchStdDev(x, rows / group, attrs.get("features").asInt());
    }

    private static Value conditional(JsonNode attrs, Value x) {
        Graph graph = x.graph();
        int classes = attrs.get("classes").asInt();
        int channels = x.shape().get(0);
        double epsilon = attrs.get("eps").asDouble();
        Layers.Normalisation settings =
                normalisation().epsilon(epsilon).momentum(attrs.get("momentum").asDouble());
        Value label = graph.input("label", Shape.scalar(), ElementType.INT64);
        if (attrs.get("from").asText().startsWith("linear maps")) {
            assertThat(attrs.get("gain_offset").asDouble()).isEqualTo(1);
            Value shared = embedding("layer/embedding", label, classes, channels);
            return conditionalBatchNorm("layer", x, shared, Weights.standard(), settings);
        }
        boolean batch = attrs.get("norm").asText().equals("batch");
        double offset = attrs.get("gain_offset").asDouble();
        if (batch && offset == 1) {
            Weights weights = Weights.weights(Initialiser.normal(1));
            return conditionalBatchNorm("layer", x, label, classes, weights, settings);
        }
        Value standard = batch ? batchNorm("layer", x, settings.affine(false)) : instanceNorm(x, epsilon);
        Value gain = embedding("layer/gain", label, classes, channels);
        Value bias = embedding("layer/bias", label, classes, channels);
        return film(standard, shift(gain, offset), bias);
    }

    private static Value blurred(JsonNode attrs, Value x) {
        assertThat(attrs.get("normalised").asBoolean()).isTrue();
        double[] taps =
                Arrays.stream(numbers(attrs, "kernel_1d")).asDoubleStream().toArray();
        int[] pad = numbers(attrs, "pad");
        if (attrs.get("kind").asText().equals("blurpool")) {
            int stride = attrs.get("stride").asInt();
            assertThat(pad[0]).isEqualTo((taps.length - 1) / 2);
            return blurPool(x, stride, padding(attrs.get("mode").asText()), taps);
        }
        int up = attrs.get("up").asInt();
        int down = attrs.get("down").asInt();
        return switch (attrs.get("kind").asText()) {
            case "filter2d" -> filter2d(x, taps);
            case "downsample2d" -> downsample2d(x, down, taps);
            case "upsample2d" -> upsample2d(x, up, taps);
            default -> upfirdn2d(x, up, down, pad, attrs.get("gain").asDouble(), taps);
        };
    }

    private static Value normed(JsonNode attrs, JsonNode golden, Value x) {
        JsonNode dim = attrs.get("dim");
        Weights weights = Weights.standard().weightNorm(dim.isNull() ? WeightNormAlong.WHOLE : dim.asInt());
        if (!golden.get("params").has("bias")) {
            weights = weights.withoutBias();
        }
        Shape shape = Golden.shape(golden.get("params").get("v"));
        int stride = attrs.get("stride").isNull() ? 1 : attrs.get("stride").asInt();
        int pad = attrs.get("padding").isNull() ? 0 : attrs.get("padding").asInt();
        return switch (attrs.get("layer").asText()) {
            case "linear" -> dense("layer", x, shape.get(0), weights);
            case "conv1d" ->
                conv1d(
                        "layer",
                        x,
                        shape.get(0),
                        kernel(shape.get(2)).stride(stride).pad(pad).weights(weights));
            case "conv2d" ->
                conv(
                        "layer",
                        x,
                        shape.get(0),
                        kernel(shape.get(2), shape.get(3))
                                .stride(stride)
                                .pad(pad)
                                .weights(weights));
            case "conv_transpose2d" ->
                convTranspose(
                        "layer",
                        x,
                        shape.get(1),
                        kernel(shape.get(2), shape.get(3))
                                .stride(stride)
                                .pad(pad)
                                .weights(weights));
            default -> throw new IllegalArgumentException(attrs.toString());
        };
    }

    private static Value regularised(JsonNode attrs, JsonNode golden, Graph graph) {
        Fixture.parameter(
                graph,
                "layer/weight",
                Golden.shape(golden.get("params").get("weight")).extents());
        String variant = attrs.get("variant").asText();
        assertThat(variant).isIn("off_diagonal", "identity");
        return OrthogonalRegularisation.orthogonal(attrs.get("beta").asDouble())
                .diagonal(variant.equals("identity"))
                .columns(attrs.get("gram").asText().startsWith("W^T W"))
                .of(graph, "m/**");
    }

    private static int outputs(JsonNode golden) {
        return Golden.shape(golden.get("float64").get("outputs").get("y")).get(1);
    }

    /** A setting of several numbers, or of one. */
    private static int[] numbers(JsonNode attrs, String name) {
        JsonNode setting = attrs.get(name);
        return setting.isArray()
                ? IntStream.range(0, setting.size())
                        .map(i -> setting.get(i).asInt())
                        .toArray()
                : new int[] {setting.asInt(), setting.asInt()};
    }

    /** Runs a case; x is a parameter, so that it has a gradient, and a batch. */
    private static void check(String file, JsonNode golden, Lowering lowering, ElementType type) {
        Graph graph = new Graph(type);
        JsonNode attrs = golden.get("attrs");
        int rows = 1;
        Value output;
        try (Scope<Value> module = graph.module("m")) {
            if (file.equals(REGULARISATION)) {
                output = regularised(attrs, golden, graph);
            } else {
                Shape given = Golden.shape(golden.get("inputs").get("x"));
                rows = given.get(0);
                int[] row = Arrays.copyOfRange(given.extents(), 1, given.rank());
                output = Objects.requireNonNull(BODIES.get(file))
                        .of(attrs, golden, Fixture.batch(graph, "x", rows, row));
            }
        }
        JsonNode upstream = golden.get("upstream").get("y");
        Value loss = output.batched()
                ? sum(multiply(output, graph.input("upstream", output.shape())))
                : scale(output, Golden.numbers(upstream)[0]);
        Mode mode = attrs.path("training").asBoolean(true) ? Mode.TRAIN : Mode.EVAL;
        Program program = Program.compile("golden", mode, loss, output);
        assumeTrue(
                !(lowering instanceof JvmLowering)
                        || lowering.refuses(program, program.reached()).isEmpty(),
                "the Java kernels lack an operator of it");
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                BoundProgram bound =
                        new BoundProgram(program, parameters, lowering, 2, new TreeSet<>(program.reached()), "")) {
            parameters
                    .declarations()
                    .forEach(declaration -> parameters.set(
                            declaration.path().text(), Golden.numbers(source(golden, declaration.path()))));
            for (Value input : program.inputs()) {
                bound.feed(input.path().text(), feed(golden, input, rows, type));
            }
            bound.run(rows, 0, 0);
            bound.moveStatistics();
            compare(golden, mode, type, bound, parameters);
        }
    }

    private static JsonNode source(JsonNode golden, Path path) {
        String name = goldenName(golden, path);
        return golden.get(golden.get("params").has(name) ? "params" : "inputs").get(name);
    }

    private static String goldenName(JsonNode golden, Path path) {
        if (path.text().equals("m/x/table")) {
            return "x";
        }
        String name = path.text().substring("m/layer/".length());
        boolean weightNorm = golden.get("op").asText().equals("weight_norm");
        return switch (name) {
            case "weight" -> weightNorm ? "v" : name;
            case "gain" -> "g";
            case "mean" -> "running_mean";
            case "variance" -> "running_var";
            default -> name.replace("/table", ".weight").replace('/', '.');
        };
    }

    private static Tensor feed(JsonNode golden, Value input, int rows, ElementType type) {
        return switch (input.path().text()) {
            case "m/x_row" -> Fixture.order(rows);
            case "m/label" -> Golden.tensor(golden.get("inputs").get("label"), type);
            case "upstream" -> Golden.tensor(golden.get("upstream").get("y"), type);
            default -> throw new IllegalArgumentException(input.toString());
        };
    }

    private static void compare(
            JsonNode golden, Mode mode, ElementType type, BoundProgram bound, Parameters parameters) {
        JsonNode exact = golden.get("float64");
        near(type, "output", bound.target(1).doubles(), exact.get("outputs").get("y"));
        assertThat(bound.gradients()).hasSize(exact.get("grads").size());
        int index = 0;
        for (Path path : bound.gradients()) {
            Shape shape = parameters.declaration(path).shape();
            Tensor gradient = Tensor.copyOf(shape, type, bound.gradient(index++).buffer());
            near(
                    type,
                    "gradient by " + path,
                    gradient.doubles(),
                    exact.get("grads").get(goldenName(golden, path)));
        }
        parameters.declarations().stream()
                .filter(declaration -> declaration.kind() == Kind.RUNNING_STATISTIC && mode == Mode.TRAIN)
                .forEach(declaration -> near(
                        type,
                        declaration.path().text(),
                        parameters.tensor(declaration.path().text()).doubles(),
                        exact.get("after").get(goldenName(golden, declaration.path()))));
    }

    private static void near(ElementType type, String what, double[] actual, JsonNode golden) {
        if (type == ElementType.FLOAT64) {
            Golden.assertNear(what, actual, Golden.numbers(golden), 1e-10);
        } else {
            Golden.assertNearByMagnitude(what, actual, Golden.numbers(golden), 1e-5);
        }
    }
}
