package hocket.programs;

import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.gather;
import static hocket.programs.Operators.indexAdd;
import static hocket.programs.Operators.indexSelect;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.scatter;
import static hocket.programs.Operators.scatterAdd;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.sort;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.topK;
import static hocket.programs.Operators.where;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.programs.jvm.JvmLowering;
import hocket.programs.layers.Attention;
import hocket.programs.layers.Attention.Causal;
import hocket.programs.layers.Cumulative;
import hocket.programs.layers.MultiHeadAttention;
import hocket.programs.layers.Positions;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.Recurrence.Cell;
import hocket.programs.layers.Recurrence.Unrolled;
import hocket.programs.layers.TransformerBlock;
import hocket.programs.layers.Weights;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Values and gradients of layers for sequences against PyTorch's, in both float types on every lowering. */
@Tag("golden")
class GoldenSequencesTest {
    /** Builds a case's outputs, in a module {@code m}. */
    private interface Body {
        void build(Case in);
    }

    private static final Map<String, Body> BODIES = new LinkedHashMap<>();

    static {
        BODIES.put("rnn_cell", GoldenSequencesTest::cell);
        BODIES.put("gru_cell", GoldenSequencesTest::cell);
        BODIES.put("lstm_cell", GoldenSequencesTest::cell);
        BODIES.put("rnn_sequence", GoldenSequencesTest::sequence);
        BODIES.put("gru_sequence", GoldenSequencesTest::sequence);
        BODIES.put("lstm_sequence", GoldenSequencesTest::sequence);
        BODIES.put("causal_attention", GoldenSequencesTest::attention);
        BODIES.put("multi_head_attention", GoldenSequencesTest::projected);
        BODIES.put("transformer_block", GoldenSequencesTest::block);
        BODIES.put("gather_scatter", GoldenSequencesTest::gathered);
        BODIES.put("cumsum_topk", GoldenSequencesTest::cumulative);
        BODIES.put("positional_encoding", GoldenSequencesTest::positions);
        BODIES.put("embedding_sparse", GoldenSequencesTest::table);
    }

    /** The files of this test. */
    static Set<String> files() {
        return BODIES.keySet();
    }

    @TestFactory
    Stream<DynamicNode> everyFile() {
        return BODIES.entrySet().stream()
                .map(file -> DynamicContainer.dynamicContainer(
                        file.getKey(),
                        Golden.cases("gradients/" + file.getKey() + ".json")
                                .filter(golden -> !golden.get("attrs")
                                        .path("kind")
                                        .asText()
                                        .equals("steps"))
                                .flatMap(golden -> tests(file.getValue(), golden))));
    }

    private static Stream<DynamicTest> tests(Body body, JsonNode golden) {
        Stream<Lowering> lowerings = Stream.concat(Fixture.lowerings(), Stream.of(new JvmLowering()));
        return lowerings.flatMap(lowering -> Stream.of(ElementType.FLOAT64, ElementType.FLOAT32)
                .filter(type -> type == ElementType.FLOAT32 || !(lowering instanceof JvmLowering))
                .map(type -> DynamicTest.dynamicTest(
                        golden.get("name").asText() + " in " + type + " by " + lowering.name(), () -> {
                            Case built = new Case(golden, type);
                            try (Scope<Value> module = built.graph.module("m")) {
                                body.build(built);
                            }
                            built.check(lowering);
                        })));
    }

    /**
     * Where numbers of ours stand in the golden file.
     *
     * @param name of the tensor there
     * @param axes our axis i is axis {@code axes[i]} there
     * @param first of the entries of axis 0 there
     * @param end of the entries
     */
    private record Place(String name, int[] axes, int first, int end) {
        static Place of(String name, int... axes) {
            return new Place(name, axes, 0, Integer.MAX_VALUE);
        }

        double[] numbers(JsonNode tensor) {
            double[] all = Golden.numbers(tensor);
            int[] extents = Golden.shape(tensor).extents();
            int[] steps = new int[extents.length];
            int step = 1;
            for (int axis = extents.length - 1; axis >= 0; axis--) {
                steps[axis] = step;
                step *= extents[axis];
            }
            int begin = first * (steps.length == 0 ? 1 : steps[0]);
            int[] own = axes.clone();
            int size = 1;
            for (int axis : own) {
                size *= axis == 0 ? Math.min(end, extents[0]) - first : extents[axis];
            }
            double[] numbers = new double[size];
            for (int i = 0; i < size; i++) {
                int rest = i;
                int at = begin;
                for (int k = own.length - 1; k >= 0; k--) {
                    int extent = own[k] == 0 ? Math.min(end, extents[0]) - first : extents[own[k]];
                    at += rest % extent * steps[own[k]];
                    rest /= extent;
                }
                numbers[i] = all[at];
            }
            return numbers;
        }
    }

    /** A case: its graph, what is fed, and where parameters and outputs stand in the golden file. */
    private static final class Case {
        final JsonNode golden;
        final JsonNode attrs;
        final ElementType type;
        final Graph graph;
        private final Map<String, Place> parameters = new HashMap<>();
        private final Map<String, Tensor> feeds = new HashMap<>();
        private final Map<Value, Place> outputs = new LinkedHashMap<>();
        private int rows = 1;

        Case(JsonNode golden, ElementType type) {
            this.golden = golden;
            this.attrs = golden.get("attrs");
            this.type = type;
            this.graph = new Graph(type);
        }

        String text(String name) {
            return attrs.path(name).asText();
        }

        int number(String name) {
            return attrs.get(name).asInt();
        }

        JsonNode tensor(String name) {
            return Objects.requireNonNull(given(name), name);
        }

        private @Nullable JsonNode given(String name) {
            JsonNode inputs = golden.get("inputs");
            return inputs.has(name) ? inputs.get(name) : golden.get("params").get(name);
        }

        Shape shape(String name) {
            return Golden.shape(tensor(name));
        }

        /** A parameter that is the whole of an input. */
        Value whole(String name) {
            parameters.put(
                    "m/" + name,
                    Place.of(name, IntStream.range(0, shape(name).rank()).toArray()));
            return Fixture.parameter(graph, name, shape(name).extents());
        }

        /** A batch that is an input whose rows lie along an axis. */
        Value rows(String name, int axis) {
            Shape shape = shape(name);
            rows = shape.get(axis);
            int[] axes = axes(shape.rank(), axis);
            parameters.put("m/" + name + "/table", Place.of(name, axes));
            int[] row = Arrays.stream(axes).skip(1).map(shape::get).toArray();
            return Fixture.batch(graph, name, rows, row);
        }

        private static int[] axes(int rank, int batch) {
            return IntStream.concat(
                            IntStream.of(batch), IntStream.range(0, rank).filter(i -> i != batch))
                    .toArray();
        }

        /** A mask or an index that is fed, its rows along an axis; null if the case has none. */
        @Nullable
        Value fed(String name, int axis) {
            JsonNode tensor = given(name);
            if (tensor == null) {
                return null;
            }
            Shape shape = Golden.shape(tensor);
            int[] axes = axes(shape.rank(), axis);
            Shape all = Shape.of(Arrays.stream(axes).map(shape::get).toArray());
            boolean whole = tensor.get("dtype").asText().equals("int64");
            ElementType own = whole ? ElementType.INT64 : type;
            feeds.put("m/" + name, Golden.tensor(all, own, Place.of(name, axes).numbers(tensor)));
            rows = all.get(0);
            return graph.input(name, Shape.of(Arrays.copyOfRange(all.extents(), 1, all.rank())), own);
        }

        /** Indices that never change. */
        Value fixed(String name) {
            return graph.constant(Golden.tensor(tensor(name), type));
        }

        void parameter(String path, Place place) {
            if (given(place.name) != null) {
                parameters.put("m/" + path, place);
            }
        }

        /** An output, its rows along an axis. */
        void output(String name, Value value, int axis) {
            int rank = Golden.shape(golden.get("upstream").get(name)).rank();
            outputs.put(
                    value,
                    Place.of(
                            name,
                            value.batched()
                                    ? axes(rank, axis)
                                    : IntStream.range(0, rank).toArray()));
        }

        void check(Lowering lowering) {
            List<Value> targets = new ArrayList<>();
            List<Value> sums = new ArrayList<>();
            outputs.forEach((value, place) -> {
                double[] upstream = place.numbers(golden.get("upstream").get(place.name));
                if (value.batched()) {
                    String name = "upstream_" + place.name;
                    feeds.put(name, Golden.tensor(value.shape().prepend(rows), type, upstream));
                    sums.add(sum(multiply(value, graph.input(name, value.shape()))));
                } else {
                    Tensor weights = Golden.tensor(value.shape(), type, upstream);
                    sums.add(sum(multiply(value, graph.constant(weights))));
                }
                targets.add(value);
            });
            targets.add(0, sums.stream().reduce(Operators::add).orElseThrow());
            Program program = Program.compile("golden", Mode.TRAIN, targets.toArray(Value[]::new));
            assertThat(lowering.refuses(program, program.reached())).isEmpty();
            try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(1));
                    BoundProgram bound =
                            new BoundProgram(program, store, lowering, 2, new TreeSet<>(program.reached()), "")) {
                store.declarations().forEach(declaration -> {
                    Place place = place(declaration.path());
                    store.set(declaration.path().text(), place.numbers(tensor(place.name)));
                });
                Fixture.feed(bound, rows, feeds);
                bound.run(rows, 0, 0);
                compare(bound, store);
            }
        }

        private Place place(Path path) {
            return Objects.requireNonNull(parameters.get(path.text()), path.text());
        }

        private void compare(BoundProgram bound, Parameters store) {
            JsonNode exact = golden.get("float64");
            int target = 1;
            for (Place place : outputs.values()) {
                near(place.name, bound.target(target++).doubles(), place, exact.get("outputs"));
            }
            assertThat(outputs).hasSize(exact.get("outputs").size());
            Set<String> compared = new HashSet<>();
            Fixture.gradients(bound, store).forEach((path, gradient) -> {
                Place place = place(path);
                near("gradient by " + path, gradient.doubles(), place, exact.get("grads"));
                compared.add(place.name);
            });
            exact.get("grads")
                    .fieldNames()
                    .forEachRemaining(name -> assertThat(compared).contains(name));
        }

        /**
         * As the README of the golden data says: of FLOAT32 by the largest magnitude, at least 1. It is that of the whole
         * tensor, of which a parameter may be a part: the gradient by the keys' bias is 0 but for rounding.
         */
        private void near(String what, double[] actual, Place place, JsonNode all) {
            double[] expected = place.numbers(all.get(place.name));
            if (type == ElementType.FLOAT64) {
                Golden.assertNear(what, actual, expected, 1e-10);
                return;
            }
            boolean coarse = golden.get("name").asText().contains("large logits")
                    || text("function").equals("logcumsumexp");
            double largest = Arrays.stream(Golden.numbers(all.get(place.name)))
                    .map(Math::abs)
                    .max()
                    .orElse(0);
            double[] errors = new double[expected.length];
            Arrays.setAll(errors, i -> (actual[i] - expected[i]) / Math.max(1, largest));
            Golden.assertNear(what, errors, new double[errors.length], coarse ? 1e-4 : 1e-5);
        }
    }

    private static Recurrence recurrence(Case in, String op) {
        Cell cell = op.startsWith("lstm")
                ? Cell.LSTM
                : op.startsWith("gru")
                        ? Cell.GRU
                        : in.text("activation").equals("relu")
                                        || in.golden.get("name").asText().startsWith("relu")
                                ? Cell.RELU
                                : Cell.TANH;
        int units = in.shape(in.given("h0") == null ? "h" : "h0").get(-1);
        return Recurrence.of(cell, units);
    }

    private static void weights(Case in, int layers, String suffix) {
        for (int layer = 0; layer < layers; layer++) {
            String of = suffix.isEmpty() ? "" : suffix + layer;
            String path = "layer/layer" + (layer + 1);
            in.parameter(path + "/input/weight", Place.of("weight_ih" + of, 0, 1));
            in.parameter(path + "/hidden/weight", Place.of("weight_hh" + of, 0, 1));
            in.parameter(path + "/input/bias", Place.of("bias_ih" + of, 0));
            in.parameter(path + "/hidden/bias", Place.of("bias_hh" + of, 0));
        }
    }

    private static void cell(Case in) {
        String op = in.golden.get("op").asText();
        Recurrence recurrence = recurrence(in, op);
        weights(in, 1, "");
        boolean unrolled = in.shape("x").rank() == 3;
        Value h = reshape(in.rows("h", 0), 1, 1, recurrence.units());
        Value state = op.startsWith("lstm") ? concat(1, h, reshape(in.rows("c", 0), 1, 1, recurrence.units())) : h;
        if (unrolled) {
            Unrolled all = recurrence.apply("layer", in.rows("x", 1), state, null);
            in.output("h_all", all.outputs(), 1);
            in.output("c_last", part(all.state(), 1), 0);
            return;
        }
        Value next = recurrence.step("layer", in.rows("x", 0), state);
        in.output(op.startsWith("lstm") ? "h" : "h_next", part(next, 0), 0);
        if (op.startsWith("lstm")) {
            in.output("c", part(next, 1), 0);
        }
    }

    /** A part of a single layer's state, (units). */
    private static Value part(Value state, int index) {
        return reshape(slice(state, 1, index, index + 1), state.shape().get(-1));
    }

    private static void sequence(Case in) {
        String op = in.golden.get("op").asText();
        int layers = in.number("layers");
        Recurrence recurrence = recurrence(in, op).layers(layers);
        recurrence = in.attrs.get("reversed").asBoolean() ? recurrence.backward() : recurrence;
        recurrence = in.attrs.get("bias").asBoolean() ? recurrence : recurrence.withoutBias();
        recurrence = in.text("masked_output").equals("zero") ? recurrence.maskedAsZeros() : recurrence;
        weights(in, layers, "_l");
        int units = recurrence.units();
        Value state = reshape(in.rows("h0", 1), layers, 1, units);
        state = op.startsWith("lstm") ? concat(1, state, reshape(in.rows("c0", 1), layers, 1, units)) : state;
        Unrolled all = recurrence.apply("layer", in.rows("x", 1), state, in.fed("mask", 1));
        in.output("y", all.outputs(), 1);
        in.output("h_n", reshape(slice(all.state(), 1, 0, 1), layers, units), 1);
        if (op.startsWith("lstm")) {
            in.output("c_n", reshape(slice(all.state(), 1, 1, 2), layers, units), 1);
        }
    }

    private static Causal causal(Case in) {
        return switch (in.text("causal")) {
            case "top_left", "true" -> Causal.FROM_FIRST;
            case "bottom_right" -> Causal.TO_LAST;
            case "null", "false" -> Causal.NO;
            default -> throw new IllegalArgumentException(in.attrs.toString());
        };
    }

    private static void attention(Case in) {
        if (in.text("form").equals("projected")) {
            projected(in);
            return;
        }
        Attention attention =
                Attention.full().scale(in.attrs.get("scale").asDouble()).causal(causal(in));
        Value bias = in.given("bias") == null ? null : in.whole("bias");
        Value y = attention.of(in.rows("q", 0), in.rows("k", 0), in.rows("v", 0), bias, in.fed("key_mask", 0));
        in.output("y", y, 0);
    }

    private static void projections(Case in, String path, String input, String output, int width) {
        String[] parts = {"query", "key", "value"};
        for (int i = 0; i < parts.length; i++) {
            int first = i * width;
            in.parameter(
                    path + "/" + parts[i] + "/weight",
                    new Place(input + "weight", new int[] {0, 1}, first, first + width));
            in.parameter(
                    path + "/" + parts[i] + "/bias", new Place(input + "bias", new int[] {0}, first, first + width));
        }
        in.parameter(path + "/output/weight", Place.of(output + "weight", 0, 1));
        in.parameter(path + "/output/bias", Place.of(output + "bias", 0));
    }

    private static void projected(Case in) {
        projections(in, "layer", "in_proj_", "out_proj_", in.number("embed"));
        boolean biased = in.given("in_proj_bias") != null;
        MultiHeadAttention heads = MultiHeadAttention.of(in.number("heads"))
                .attention(Attention.full().causal(causal(in)))
                .weights(biased ? Weights.standard() : Weights.standard().withoutBias());
        Value y = heads.apply("layer", in.rows("q", 1), in.rows("k", 1), in.rows("v", 1), null, in.fed("key_mask", 0));
        in.output("y", y, 1);
    }

    private static void block(Case in) {
        projections(in, "layer/attention", "self_attn.in_proj_", "self_attn.out_proj.", in.number("embed"));
        for (String linear : List.of("linear1", "linear2")) {
            in.parameter("layer/" + linear + "/weight", Place.of(linear + ".weight", 0, 1));
            in.parameter("layer/" + linear + "/bias", Place.of(linear + ".bias", 0));
        }
        for (String norm : List.of("norm1", "norm2")) {
            in.parameter("layer/" + norm + "/scale", Place.of(norm + ".weight", 0));
            in.parameter("layer/" + norm + "/shift", Place.of(norm + ".bias", 0));
        }
        TransformerBlock block = TransformerBlock.of(in.number("heads"), in.number("feed_forward"));
        block = in.attrs.get("causal").asBoolean() ? block.causal() : block;
        block = in.text("norm").equals("post") ? block.normLast() : block;
        block = in.text("activation").equals("relu") ? block.activation(Operators::relu) : block;
        assertThat(in.attrs.get("eps").asDouble()).isEqualTo(block.epsilon());
        in.output("y", block.apply("layer", in.rows("x", 0), in.fed("key_mask", 0)), 0);
    }

    private static void gathered(Case in) {
        int axis = in.number("axis");
        String function = in.text("function");
        boolean ofRows = axis > 0
                && !function.startsWith("index")
                && in.shape("x").get(0) == in.shape("index").get(0);
        Value x = ofRows ? in.rows("x", 0) : in.whole("x");
        Value index = ofRows ? Objects.requireNonNull(in.fed("index", 0)) : in.fixed("index");
        Value source = in.given("src") == null ? x : ofRows ? in.rows("src", 0) : in.whole("src");
        int along = ofRows ? axis - 1 : axis;
        Value y = switch (function) {
            case "gather" -> gather(x, along, index);
            case "index_select" -> indexSelect(x, along, index);
            case "scatter_add" -> scatterAdd(x, along, index, source);
            case "index_add" -> indexAdd(x, along, index, source);
            case "scatter" -> scatter(x, along, index, source);
            default -> throw new IllegalArgumentException(function);
        };
        in.output("y", y, 0);
    }

    private static void cumulative(Case in) {
        int axis = in.number("axis");
        boolean ofRows = axis > 0;
        Value x = ofRows ? in.rows("x", 0) : in.whole("x");
        int along = ofRows ? axis - 1 : axis;
        boolean reversed = in.attrs.path("reversed").asBoolean();
        Value y = switch (in.text("function")) {
            case "cumsum" ->
                Cumulative.sum(x, along, reversed, in.attrs.get("exclusive").asBoolean());
            case "discounted_cumsum" ->
                Cumulative.discountedSum(x, along, in.attrs.get("gamma").asDouble(), reversed);
            case "cumprod" -> Cumulative.product(x, along);
            case "logcumsumexp" -> Cumulative.logSumExp(x, along);
            case "topk" ->
                in.attrs.get("largest").asBoolean()
                        ? gather(x, along, topK(x, along, in.number("k")))
                        : slice(sort(x, along, false), along, 0, in.number("k"));
            case "sort" -> sort(x, along, in.attrs.get("descending").asBoolean());
            default -> throw new IllegalArgumentException(in.attrs.toString());
        };
        in.output("y", y, 0);
    }

    private static void positions(Case in) {
        String kind = in.text("kind");
        if (kind.equals("alibi")) {
            Value scores = in.rows("scores", 0);
            int steps = scores.shape().get(1);
            Value biased = add(scores, Positions.linearBias(in.graph, in.number("heads"), steps));
            double[] past = new double[steps * steps];
            Arrays.setAll(past, i -> i % steps <= i / steps ? 1 : 0);
            Value seen = in.graph.constant(Golden.tensor(Shape.of(steps, steps), in.type, past));
            in.output("y", softmax(where(seen, biased, in.graph.constant(-1e30))), 0);
            return;
        }
        Value x = in.rows("x", 0);
        if (kind.equals("learned")) {
            in.parameter("layer/table", Place.of("weight", 0, 1));
            Value places = in.fixed("position");
            in.output("y", add(x, embedding("layer", places, in.number("num"), in.number("dim"))), 0);
            return;
        }
        Positions positions = in.text("layout").equals("halves") ? Positions.inHalves() : Positions.interleaved();
        positions = positions.base(in.number("base")).from(in.number("offset"));
        in.output(
                "y",
                kind.equals("rotary")
                        ? positions.rotary(x)
                        : positions.sinusoidal(
                                scale(x, in.attrs.get("scale_of_x").asDouble())),
                0);
    }

    private static void table(Case in) {
        String kind = in.text("kind");
        JsonNode padding = in.attrs.get("padding_index");
        in.parameter(padding.isNull() ? "layer/table" : "layer/rows/table", Place.of("weight", 0, 1));
        Value index = Objects.requireNonNull(in.fed("index", 0));
        int entries = in.number("num");
        int width = in.number("dim");
        Value y = padding.isNull()
                ? embedding("layer", index, entries, width)
                : embedding("layer", index, entries, width, Weights.standard(), padding.asInt());
        in.output("y", kind.equals("bag") ? in.text("mode").equals("mean") ? Operators.mean(y, 0) : sum(y, 0) : y, 0);
    }
}
