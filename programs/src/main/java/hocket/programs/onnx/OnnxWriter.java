package hocket.programs.onnx;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Composed;
import hocket.programs.operators.Composition;
import hocket.programs.operators.Leaf;
import hocket.programs.protobuf.Protobuf;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a program as ONNX's {@code GraphProto}, by the rules of {@link OnnxTable}. A tensor of the graph has the axes of
 * a row, after the batch axis where the value has one.
 */
final class OnnxWriter {
    /** Numbers of element types, {@code TensorProto.DataType}. */
    static final int FLOAT = 1, INT64 = 7, BOOL = 9;

    private final Program program;
    private final Map<Value, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private final Map<String, String> constants = new HashMap<>();
    private final List<Protobuf> nodes = new ArrayList<>();
    private final List<Protobuf> initializers = new ArrayList<>();
    private final List<Protobuf> outputs = new ArrayList<>();
    private @Nullable String rows;

    OnnxWriter(Program program, Snapshot values) {
        this.program = program;
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Input) {
                names.put(value, unique(value.path().text()));
            } else if (value.operator() instanceof Leaf.Variable) {
                names.put(value, unique(value.path().text()));
                Tensor tensor = values.tensor(program.stored(value.path()).text());
                initializer(value.path().text(), tensor);
            }
        }
        List<String> heads = program.targets().stream()
                .map(target -> unique(target.path().withoutCalls().text()))
                .toList();
        program.values().forEach(this::write);
        for (int i = 0; i < heads.size(); i++) {
            Value target = program.targets().get(i);
            nodes.add(node("Identity", heads.get(i), List.of(), name(target)).text(2, heads.get(i)));
            outputs.add(info(heads.get(i), target));
        }
    }

    /** Returns the graph. */
    Protobuf graph() {
        Protobuf graph = new Protobuf();
        nodes.forEach(node -> graph.message(1, node));
        graph.text(2, program.name());
        initializers.forEach(initializer -> graph.message(5, initializer));
        program.inputs().forEach(input -> graph.message(11, info(name(input), input)));
        outputs.forEach(output -> graph.message(12, output));
        return graph;
    }

    private void write(Value value) {
        if (!names.containsKey(value)) {
            names.put(value, written(value));
        }
    }

    /** Writes a value from others that are written: by the rule of its operator, or part by part. */
    private String written(Value value) {
        if (value.operator() instanceof Leaf.Constant constant) {
            String name = unique(value.path().text());
            initializer(name, constant.value());
            return name;
        }
        Optional<OnnxTable.Rule> rule = OnnxTable.TABLE.rule(value.operator());
        if (rule.isPresent()) {
            return rule.get().write(this, value);
        }
        if (!(value.operator() instanceof Composed operator)) {
            throw new IllegalArgumentException(value + ": ONNX has no operator for "
                    + value.operator().kind() + ", a part of training: export a program without this value");
        }
        Composition composition = Composition.of(value.path().text(), operator, value.inputs());
        List<Value> own = composition.inputs();
        for (int i = 0; i < own.size(); i++) {
            names.put(own.get(i), name(value.inputs().get(i)));
        }
        Value.above(List.of(composition.result()), part -> own.contains(part) ? List.of() : program.inputsOf(part))
                .forEach(this::write);
        return name(composition.result());
    }

    private String name(Value value) {
        return Objects.requireNonNull(names.get(value), () -> value + " is not written");
    }

    private String unique(String name) {
        String free = name;
        for (int i = 2; !taken.add(free); i++) {
            free = name + "_" + i;
        }
        return free;
    }

    /** Returns the name of an input of a value. */
    String input(Value value, int position) {
        return name(program.inputsOf(value).get(position));
    }

    /** Returns the names of all inputs of a value. */
    String[] inputs(Value value) {
        return program.inputsOf(value).stream().map(this::name).toArray(String[]::new);
    }

    /**
     * Returns the name of an input that is broadcast with others of a value. ONNX aligns all axes at the end: rows stand
     * with rows only where they have equally many axes.
     */
    String broadcast(Value value, int position) {
        Value x = program.inputsOf(value).get(position);
        int missing = value.shape().rank() - x.shape().rank();
        return x.batched() && missing > 0
                ? node("Unsqueeze", value, name(x), wholes(IntStream.rangeClosed(1, missing)))
                : name(x);
    }

    /** Writes an operator on images, which have a batch axis in ONNX. */
    String ofImages(String operator, Value value, List<Protobuf> attributes) {
        String[] inputs = inputs(value);
        if (value.batched()) {
            return node(operator, value, attributes, inputs);
        }
        inputs[0] = node("Unsqueeze", value, inputs[0], wholes(0));
        return node("Squeeze", value, node(operator, value, attributes, inputs), wholes(0));
    }

    /**
     * Returns the number of rows, as a vector of one element.
     *
     * @throws IllegalArgumentException if the program reads no input
     */
    String rows(Value value) {
        if (rows == null) {
            Value fed = program.inputs().stream()
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            value + " is the same for every row of inputs, and there is no input that tells how many"));
            rows = node("Shape", value, List.of(whole("start", 0), whole("end", 1)), name(fed));
        }
        return rows;
    }

    /** Returns the number of axes of a value's tensor. */
    static int rank(Value value) {
        return value.shape().rank() + (value.batched() ? 1 : 0);
    }

    /** Returns the position of an axis of the rows. */
    static int axis(Value value, int axis) {
        return value.batched() ? axis + 1 : axis;
    }

    /** Returns the extents of a value, after one for the rows where there is a batch. */
    String extents(Value value, int rows) {
        IntStream extents = Arrays.stream(value.shape().extents());
        return wholes(value.batched() ? IntStream.concat(IntStream.of(rows), extents) : extents);
    }

    /** Writes an operator without attributes. */
    String node(String operator, Value value, String... inputs) {
        return node(operator, value, List.of(), inputs);
    }

    /** Writes an operator as part of a value; returns the name of its result. */
    String node(String operator, Value value, List<Protobuf> attributes, String... inputs) {
        return results(operator, 1, value, attributes, inputs);
    }

    /** Writes an operator with several results; returns the name of the last. */
    String results(String operator, int count, Value value, List<Protobuf> attributes, String... inputs) {
        String name = unique(value.path() + "/" + operator);
        Protobuf node = node(operator, name, attributes, inputs);
        String result = name;
        for (int i = 0; i < count; i++) {
            result = i == 0 ? name : unique(name + "/" + i);
            node.text(2, result);
        }
        nodes.add(node);
        return result;
    }

    /** Returns a {@code NodeProto} without results. */
    private static Protobuf node(String operator, String name, List<Protobuf> attributes, String... inputs) {
        Protobuf node = new Protobuf();
        Arrays.stream(inputs).forEach(input -> node.text(1, input));
        node.text(3, name).text(4, operator);
        attributes.forEach(attribute -> node.message(5, attribute));
        return node;
    }

    /** Returns an {@code AttributeProto} that is a whole number. */
    static Protobuf whole(String name, int value) {
        return new Protobuf().text(1, name).whole(3, value).whole(20, 2);
    }

    /** Returns an {@code AttributeProto} that is a FLOAT32. */
    static Protobuf real(String name, double value) {
        return new Protobuf().text(1, name).single(2, (float) value).whole(20, 1);
    }

    /** Returns an {@code AttributeProto} of whole numbers. */
    static Protobuf wholes(String name, List<Integer> values) {
        Protobuf attribute = new Protobuf().text(1, name);
        values.forEach(value -> attribute.whole(8, value));
        return attribute.whole(20, 7);
    }

    /** Returns a constant vector of whole numbers, such as axes or extents. */
    String wholes(int... values) {
        return wholes(IntStream.of(values));
    }

    String wholes(IntStream values) {
        long[] numbers = values.asLongStream().toArray();
        return constant(
                LongStream.of(numbers).boxed().toList().toString().replace(" ", ""),
                () -> Tensor.of(Shape.of(numbers.length), numbers));
    }

    /** Returns a constant whole number without axes. */
    String whole(int value) {
        return constant(Integer.toString(value), () -> Tensor.of(Shape.scalar(), (long) value));
    }

    /** Returns a constant number without axes. */
    String number(double value) {
        return constant(Double.toString(value), () -> Tensor.of(Shape.scalar(), (float) value));
    }

    /** Returns a constant vector. */
    String numbers(float... values) {
        return constant(Arrays.toString(values), () -> Tensor.of(Shape.of(values.length), values));
    }

    private String constant(String text, Supplier<Tensor> tensor) {
        String known = constants.get(text);
        if (known != null) {
            return known;
        }
        String name = unique("constants/" + text);
        initializer(name, tensor.get());
        constants.put(text, name);
        return name;
    }

    /** Adds a {@code TensorProto}. */
    private void initializer(String name, Tensor tensor) {
        Protobuf initializer = new Protobuf();
        Arrays.stream(tensor.shape().extents()).forEach(extent -> initializer.whole(1, extent));
        initializers.add(initializer.whole(2, type(tensor.type())).text(8, name).bytes(9, tensor.littleEndian()));
    }

    /** Returns the {@code ValueInfoProto} of an input or output. */
    private static Protobuf info(String name, Value value) {
        Protobuf shape = new Protobuf();
        if (value.batched()) {
            shape.message(1, new Protobuf().text(2, "batch"));
        }
        Arrays.stream(value.shape().extents()).forEach(extent -> shape.message(1, new Protobuf().whole(1, extent)));
        Protobuf tensor = new Protobuf().whole(1, type(value.type())).message(2, shape);
        return new Protobuf().text(1, name).message(2, new Protobuf().message(1, tensor));
    }

    private static int type(ElementType type) {
        return switch (type) {
            case FLOAT32 -> FLOAT;
            case INT64 -> INT64;
            case FLOAT64 -> throw new IllegalArgumentException("FLOAT64 is not written as ONNX");
        };
    }
}
