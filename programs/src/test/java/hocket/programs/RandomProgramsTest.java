package hocket.programs;

import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.conv;
import static hocket.programs.Layers.conv1d;
import static hocket.programs.Layers.convTranspose;
import static hocket.programs.Layers.convTranspose1d;
import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.groupNorm;
import static hocket.programs.Layers.instanceNorm;
import static hocket.programs.Layers.kernel;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Layers.prelu;
import static hocket.programs.Layers.residual;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.averagePool;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.gelu;
import static hocket.programs.Operators.hardTanh;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.maxPool;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.mish;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pixelShuffle;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.selu;
import static hocket.programs.Operators.sigmoid;
import static hocket.programs.Operators.silu;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softplus;
import static hocket.programs.Operators.softsign;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static hocket.programs.Operators.upsampleBilinear;
import static hocket.programs.Operators.upsampleNearest;
import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.execution.Lowering;
import hocket.programs.json.ProgramJson;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.jvm.ReferenceLowering;
import hocket.programs.layers.Weights;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.MxLowering;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Products;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small programs put together at random. The engine's float32 kernels keep layouts of their own from one operator to the
 * next, and not all combinations are sound by themselves (some end the process); its float64 kernels do not, and the
 * reference has none.
 */
public class RandomProgramsTest {
    private static final int[] CHANNELS = {1, 2, 3, 8, 16, 32};
    private static final int ROWS = 6;
    private static final int CLASSES = RandomVectors.CLASSES;
    private static final int LARGEST = 2000;

    /** The first seed whose images go through composed layers too. */
    private static final int COMPOSED = 300;

    /** The first seed whose losses of images hold gradients. */
    private static final int SECOND_ORDER = 600;

    /** The share of the seeds that is tried; {@code -Dhocket.fuzz=100} for a long search. */
    static final double TIMES = Double.parseDouble(System.getProperty("hocket.fuzz", "0.05"));

    /** Images: the engine, in both float types, against the reference. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100, 200, COMPOSED, COMPOSED + 100, COMPOSED + 200, SECOND_ORDER, SECOND_ORDER + 100})
    void imagesAgree(int first) {
        for (int seed = first; seed < first + 100 * TIMES; seed++) {
            Mode mode = seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN;
            check("-Dhocket.fuzz.image=" + seed, mode, images(seed));
        }
    }

    /** Vectors and matrices, with and without a batch, gradients among them: kernels and engine against the reference. */
    @ParameterizedTest
    @ValueSource(ints = {0, 500, 1000, 1500})
    void vectorsAgree(int first) {
        for (int seed = first; seed < first + 500 * TIMES; seed++) {
            Mode mode = seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN;
            check("-Dhocket.fuzz.vector=" + seed, mode, vectors(seed));
        }
    }

    /** Sequences, with and without a batch, gradients among them: kernels and engine against the reference. */
    @ParameterizedTest
    @ValueSource(ints = {0, 300, 600})
    void sequencesAgree(int first) {
        for (int seed = first; seed < first + 300 * TIMES; seed++) {
            check("-Dhocket.fuzz.sequence=" + seed, seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN, sequences(seed));
        }
    }

    /** One seed of a failure again. */
    @Test
    void theSeedOfAFailureAgrees() {
        Map<String, IntFunction<Function<Graph, Value>>> kinds = Map.of(
                "image", RandomProgramsTest::images,
                "vector", RandomProgramsTest::vectors,
                "sequence", RandomProgramsTest::sequences);
        kinds.forEach((kind, body) -> {
            Integer seed = Integer.getInteger("hocket.fuzz." + kind);
            if (seed != null) {
                Mode mode = seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN;
                check("-Dhocket.fuzz." + kind + "=" + seed, mode, body.apply(seed));
            }
        });
    }

    /**
     * Writes programs with what they are fed and come to by each lowering into a folder, for {@code
     * src/test/python/graphs_torch.py}: {@code -Dhocket.graphs=DIR -Dhocket.graphs.count=2000}.
     */
    @Test
    @Tag("engine")
    @EnabledIfSystemProperty(named = "hocket.graphs", matches = ".+")
    void writesGraphsForAnotherImplementation() throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("hocket.graphs")));
        int count = Integer.getInteger("hocket.graphs.count", 100);
        for (int seed = 0; seed < count; seed++) {
            Mode mode = seed % 3 == 0 ? Mode.EVAL : Mode.TRAIN;
            int of = seed;
            for (Map.Entry<String, Function<Graph, Value>> kind : Map.of(
                            "image", images(of % 2 == 0 ? SECOND_ORDER + of : of % COMPOSED),
                            "vector", vectors(of),
                            "sequence", sequences(of))
                    .entrySet()) {
                Files.writeString(folder.resolve(kind.getKey() + "-" + seed + ".json"), written(mode, kind.getValue()));
            }
        }
    }

    private static String written(Mode mode, Function<Graph, Value> body) {
        Program exact = Program.compile("exact", mode, body.apply(new Graph(ElementType.FLOAT64)));
        Program rounded = Program.compile("rounded", mode, body.apply(new Graph(ElementType.FLOAT32)));
        StringJoiner outcomes = new StringJoiner(",\n", "{\n", "}\n");
        if (!exact.reached().isEmpty()) {
            outcomes.add(outcome("reference float64", new ReferenceLowering(), exact));
            for (Lowering lowering : List.of(new MxLowering(), new JvmLowering())) {
                for (Program program : List.of(exact, rounded)) {
                    if (lowering.unavailable().isEmpty()
                            && lowering.refuses(program, program.reached()).isEmpty()) {
                        String type = program.floatType() == ElementType.FLOAT64 ? " float64" : " float32";
                        outcomes.add(outcome(lowering.name() + type, lowering, program));
                    }
                }
            }
        }
        StringJoiner values = new StringJoiner(",\n", "{\n", "}\n");
        Outcome.feeds(exact, ROWS, CLASSES).forEach((name, tensor) -> values.add(numbers(name, tensor.doubles())));
        Outcome.parameters(exact).forEach((name, numbers) -> values.add(numbers(name, numbers)));
        return "{\"rows\": " + ROWS + ", \"program\": " + ProgramJson.write(exact) + ", \"values\": " + values
                + ", \"outcomes\": " + outcomes + "}\n";
    }

    private static String outcome(String name, Lowering lowering, Program program) {
        StringJoiner tensors = new StringJoiner(",\n", "\"" + name + "\": {", "}");
        Outcome.of(lowering, program, ROWS, CLASSES)
                .numbers()
                .forEach((what, numbers) -> tensors.add(
                        numbers(what.startsWith("target") ? "loss" : what.replace("gradient by ", ""), numbers)));
        return tensors.toString();
    }

    private static String numbers(String name, double[] numbers) {
        return "\"" + name + "\": "
                + Arrays.stream(numbers)
                        .mapToObj(x -> Double.isFinite(x) ? Double.toString(x) : "\"" + x + "\"")
                        .toList();
    }

    public static Function<Graph, Value> images(int seed) {
        return graph -> image(graph, new Random(seed), seed >= COMPOSED, seed >= SECOND_ORDER);
    }

    public static Function<Graph, Value> vectors(int seed) {
        return graph -> new RandomVectors(graph, new Random(seed)).loss();
    }

    public static Function<Graph, Value> sequences(int seed) {
        return graph -> new RandomSequences(graph, new Random(seed)).loss();
    }

    private static void check(String name, Mode mode, Function<Graph, Value> body) {
        Program exact = Program.compile("exact", mode, body.apply(new Graph(ElementType.FLOAT64)));
        Program rounded = Program.compile("rounded", mode, body.apply(new Graph(ElementType.FLOAT32)));
        if (exact.reached().isEmpty()) {
            return;
        }
        try {
            Outcome reference = Outcome.of(new ReferenceLowering(), exact, ROWS, CLASSES);
            Outcome moved = Outcome.of(new ReferenceLowering(), exact, ROWS, CLASSES, 1e-12);
            if (!moved.isNear(reference, 1e-7)) {
                return; // what is normalised adds up to 0, for example: rounding decides on which side of a kink it is
            }
            // Some of them multiply rounding without bound, where a batch norm meets what hardly varies.
            Map<String, Double> rounding =
                    Outcome.of(new ReferenceLowering(), rounded, ROWS, CLASSES).distances(reference);
            Lowering engine = new MxLowering();
            if (engine.unavailable().isEmpty()
                    && engine.refuses(exact, exact.reached()).isEmpty()) {
                Outcome.of(engine, exact, ROWS, CLASSES).assertNear(reference, 1e-7);
                Outcome.of(engine, rounded, ROWS, CLASSES).assertNear(reference, 2e-3, rounding);
            }
            Lowering kernels = new JvmLowering();
            if (kernels.refuses(rounded, rounded.reached()).isEmpty()) {
                Outcome.of(kernels, rounded, ROWS, CLASSES).assertNear(reference, 2e-3, rounding);
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("again by " + name + " in " + mode + ": " + e.getMessage() + "\n" + exact, e);
        }
    }

    @Test
    void theSeedsReachEveryOperator() {
        Set<Class<?>> reached = new HashSet<>();
        for (int seed = 0; seed < 100; seed++) {
            for (Function<Graph, Value> body : List.of(
                    images(seed),
                    images(COMPOSED + seed),
                    images(SECOND_ORDER + seed),
                    sequences(seed),
                    vectors(seed),
                    vectors(500 + seed))) {
                Program.compile("random", Mode.TRAIN, body.apply(new Graph()))
                        .values()
                        .forEach(value -> reached.add(value.operator().getClass()));
            }
        }
        reached.add(Pooling.MaxPoolPick.class); // only in gradients of gradients, which the engine derives itself
        assertThat(reached).contains(Fixture.primitives());
    }

    private static Value image(Graph graph, Random random, boolean composed, boolean secondOrder) {
        List<Value> values = new ArrayList<>();
        try (var module = graph.module("m")) {
            Shape image = Shape.of(channels(random), 2 + random.nextInt(4), 2 + random.nextInt(4));
            values.add(conv("start", graph.input("x", image), channels(random), kernel(1)));
            for (int i = 0; i < 12; i++) {
                Value x = values.get(random.nextInt(3) == 0 ? random.nextInt(values.size()) : values.size() - 1);
                Value next = composed && random.nextBoolean()
                        ? composed("layer" + i, x, random)
                        : next("layer" + i, x, values, random);
                if (next.shape().rank() > 0 && next.shape().size() <= LARGEST) {
                    values.add(next);
                }
            }
            Value loss = mean(square(flatten(values.get(values.size() - 1))));
            for (Value value : values) {
                loss = random.nextInt(4) == 0 ? add(loss, mean(tanh(value))) : loss;
            }
            loss = random.nextInt(4) == 0 ? often(loss, values, random) : loss;
            if (!secondOrder) {
                return loss;
            }
            Value by = part(values.get(random.nextInt(values.size())), random);
            return add(loss, scale(mean(square(Gradients.of(loss, by).get(0))), 0.1));
        }
    }

    /** A loss that uses one of the values about as often as the engine adds gradients up in its usual way, or oftener. */
    static Value often(Value loss, List<Value> values, Random random) {
        Value value = values.get(random.nextInt(values.size()));
        for (int i = 6 + random.nextInt(6); i > 0; i--) {
            loss = add(loss, scale(mean(tanh(scale(value, 0.1 * i))), 0.2));
        }
        return loss;
    }

    /** A value, or, of every second layer, its weight. */
    static Value part(Value value, Random random) {
        boolean isLayer =
                value.operator() instanceof Products.Dense || value.operator() instanceof Products.Convolution;
        return isLayer && random.nextBoolean() ? value.inputs().get(1) : value;
    }

    private static int channels(Random random) {
        return CHANNELS[random.nextInt(CHANNELS.length)];
    }

    private static Value next(String name, Value x, List<Value> values, Random random) {
        int rank = x.shape().rank();
        int channels = channels(random);
        return switch (random.nextInt(14)) {
            case 0, 1 -> rank == 3 ? conv(name, x, channels, window(x, channels, random)) : relu(x);
            case 2, 3 -> rank == 3 ? convTranspose(name, x, channels, spread(x, channels, random)) : tanh(x);
            case 4 -> batchNorm(name, x);
            case 5 -> random.nextBoolean() ? relu(x) : leakyRelu(x, 0.2);
            case 6 -> random.nextBoolean() ? tanh(x) : sigmoid(x);
            case 7 -> random.nextBoolean() ? softplus(x) : elu(x, 1);
            case 8 -> dense(name, flatten(x), 4 * channels);
            case 9, 10 -> reshape(x, extents(x.shape().size(), random));
            case 11 -> concat(0, x, partner(x, values, random));
            case 12 -> {
                int begin = random.nextInt(x.shape().get(0));
                yield slice(x, 0, begin, x.shape().get(0));
            }
            default ->
                switch (random.nextInt(4)) {
                    case 0 -> sum(x, rank - 1);
                    case 1 -> dropout(name, x, 0.3);
                    case 2 -> multiply(x, partner(x, values, random));
                    default -> add(x, partner(x, values, random));
                };
        };
    }

    /** Of a convolution: nothing in it is legal for one axis only by the other's leave. */
    private static Window window(Value x, int filters, Random random) {
        int[] size = new int[2];
        int[] stride = new int[2];
        int[] pad = new int[2];
        int[] dilation = new int[2];
        for (int i = 0; i < 2; i++) {
            int pixels = x.shape().get(1 + i);
            size[i] = 1 + random.nextInt(pixels);
            stride[i] = 1 + random.nextInt(3);
            pad[i] = size[i] > 1 ? random.nextInt(2) : 0; // not a window of nothing but padding
            int room = size[i] > 1 ? (pixels + 2 * pad[i] - 1) / (size[i] - 1) : 1;
            dilation[i] = 1 + random.nextInt(Math.min(3, room));
        }
        return Window.of(size[0], size[1])
                .stride(stride[0], stride[1])
                .pad(pad[0], pad[1])
                .dilation(dilation[0], dilation[1])
                .groups(groups(x, filters, random));
    }

    /** Of a transposed convolution. */
    private static Window spread(Value x, int filters, Random random) {
        int[] size = new int[2];
        int[] stride = new int[2];
        int[] pad = new int[2];
        int[] dilation = new int[2];
        int[] outputPad = new int[2];
        for (int i = 0; i < 2; i++) {
            size[i] = 2 + random.nextInt(2);
            stride[i] = 1 + random.nextInt(3);
            dilation[i] = 1 + random.nextInt(3);
            int length = (x.shape().get(1 + i) - 1) * stride[i] + dilation[i] * (size[i] - 1) + 1;
            pad[i] = length > 2 ? random.nextInt(2) : 0;
            outputPad[i] = random.nextInt(Math.max(stride[i], dilation[i]));
        }
        return Window.of(size[0], size[1])
                .stride(stride[0], stride[1])
                .pad(pad[0], pad[1])
                .dilation(dilation[0], dilation[1])
                .outputPad(outputPad[0], outputPad[1])
                .groups(groups(x, filters, random));
    }

    private static int groups(Value x, int filters, Random random) {
        int wanted = new int[] {1, 1, 2, 8}[random.nextInt(4)];
        return x.shape().get(0) % wanted == 0 && filters % wanted == 0 ? wanted : 1;
    }

    private static Value composed(String name, Value x, Random random) {
        int channels = channels(random);
        int own = x.shape().get(0);
        int rank = x.shape().rank();
        boolean image = rank == 3;
        int least = image ? Math.min(x.shape().get(1), x.shape().get(2)) : 0;
        Weights weights = random.nextBoolean()
                ? Weights.standard().spectralNorm()
                : Weights.standard().weightNorm();
        return switch (random.nextInt(14)) {
            case 0 -> image && least > 1 ? averagePool(x, pool(least, random), false) : gelu(x);
            case 1 ->
                image && least > 1
                        ? maxPool(random.nextBoolean() ? x : conv(name, x, 8, kernel(1)), pool(least, random))
                        : silu(x);
            case 2 -> image ? upsampleNearest(x, 2) : mish(x);
            case 3 -> image ? upsampleBilinear(x, 2 + random.nextInt(2)) : softsign(x);
            case 4 -> image && own % 4 == 0 ? pixelShuffle(x, 2) : hardTanh(x);
            case 5 -> layerNorm(name, x, 1 + random.nextInt(rank), 0.1);
            case 6 -> groupNorm(name, x, own % 2 == 0 ? 2 : 1, 0.1);
            case 7 -> rank > 1 ? instanceNorm(name, x, 0.1) : selu(x);
            case 8 -> prelu(name, x);
            case 9 -> image ? conv(name, x, channels, kernel(1).weights(weights)) : dense(name, x, channels, weights);
            case 10 ->
                image
                        ? convTranspose(name, x, channels, kernel(2).stride(2).weights(weights))
                        : dense(name, x, channels, weights);
            case 11 ->
                conv1d(
                        name,
                        reshape(x, own, x.shape().size() / own),
                        channels,
                        kernel(1 + random.nextInt(Math.min(3, x.shape().size() / own)))
                                .weights(weights));
            case 12 ->
                convTranspose1d(
                        name,
                        reshape(x, own, x.shape().size() / own),
                        channels,
                        kernel(2 + random.nextInt(2))
                                .stride(1 + random.nextInt(2))
                                .weights(weights));
            default ->
                image
                        ? residual(
                                name,
                                x,
                                h -> conv("body", tanh(h), channels, kernel(3).pad(1)))
                        : residual(name, x, h -> dense("body", tanh(h), channels));
        };
    }

    /** Of windows that hold more than padding. */
    private static Window pool(int least, Random random) {
        return kernel(2 + random.nextInt(Math.min(2, least - 1)))
                .stride(1 + random.nextInt(2))
                .pad(random.nextInt(2));
    }

    /** Another value of the same shape where there is one. */
    private static Value partner(Value x, List<Value> values, Random random) {
        List<Value> alike =
                values.stream().filter(value -> value.shape().equals(x.shape())).toList();
        return alike.get(random.nextInt(alike.size()));
    }

    /** An image of that many elements. */
    private static int[] extents(int size, Random random) {
        List<int[]> all = new ArrayList<>();
        for (int channels : CHANNELS) {
            for (int height = 1; size % channels == 0 && height <= 6; height++) {
                if (size / channels % height == 0) {
                    all.add(new int[] {channels, height, size / channels / height});
                }
            }
        }
        return all.get(random.nextInt(all.size()));
    }
}
