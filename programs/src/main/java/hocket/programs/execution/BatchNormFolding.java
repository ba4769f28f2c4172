package hocket.programs.execution;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An EVAL program whose batch norms are folded into the layers before them, for inference: {@code
 * BatchNormFolding.of(draw, parameters.snapshot())}. With {@code s = scale / sqrt(variance + epsilon)} of each channel,
 * a layer's weights of that channel become {@code s·W} and its bias {@code s·(b - mean) + shift} (Jacob et al. 2018,
 * section 3.2), in double precision, rounded once. The program computes the same but for rounding.
 *
 * <p>Folded is a batch norm that reads a dense layer's rows (units), a convolution or a transposed one, at once or
 * through reshapes that keep each unit or filter within a channel. Of a conditional batch norm {@code s = 1 /
 * sqrt(variance + epsilon)} is folded; the gain and bias of each row stay. Other batch norms stay: those where a
 * second value reads the one in between, or it is a target; where the weight or bias is read a second time (by a module
 * that is called twice, or through a mapping), or is made of others (weight norm, spectral norm).
 *
 * <p>The remaining values keep their path and meaning. The layer, or the last reshape after it, takes the place and
 * path of the batch norm, and a layer with reshapes after it is under that path: {@code generator/bn0/project}. A layer
 * without a bias gets one next to its weight: {@code generator/conv1/bias}.
 *
 * @param program without the batch norms that were folded
 * @param values of the parameters that it reads, and of no others: they differ from those of training
 * @param folded the paths of these batch norms, in the order of computation
 */
public record BatchNormFolding(Program program, Snapshot values, List<Path> folded) {
    public BatchNormFolding {
        folded = List.copyOf(folded);
    }

    /**
     * Folds all that can be.
     *
     * @param program in EVAL mode
     * @param values of the parameters that it reads, by the paths in the store; others may be among them
     * @throws IllegalArgumentException if the program is in TRAIN mode, where batch norms normalise by the batch, or a
     *     parameter is missing among the values or has another shape or type there
     */
    public static BatchNormFolding of(Program program, Snapshot values) {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException("program " + program.name()
                    + " is compiled for TRAIN, where batch norms normalise by the batch: compile it for EVAL");
        }
        program.parameters().forEach((path, value) -> {
            Tensor tensor = values.tensor(path.text());
            if (!tensor.shape().equals(value.shape()) || tensor.type() != value.type()) {
                throw new IllegalArgumentException("program " + program.name() + " reads " + path + " as "
                        + value.type() + value.shape() + ", its value is " + tensor.signature());
            }
        });
        return new Folding(program, values).run();
    }

    /** A layer, its batch norm, and the reshapes between them. */
    private record Match(Value layer, List<Value> reshapes, Value norm) {}

    /** The state of the folding: tensors by stored path, and what changes of the values. */
    private static final class Folding {
        private final Program program;
        private final SortedMap<Path, Tensor> values;
        private final Map<Path, Integer> readers = new HashMap<>();
        private final Map<Value, Path> renamed = new HashMap<>();
        private final Set<Value> layers = new HashSet<>();
        private final Map<Value, Declaration> biases = new HashMap<>();
        private final Set<Path> taken = new HashSet<>();
        private final Set<Value> folded = new HashSet<>();

        Folding(Program program, Snapshot snapshot) {
            this.program = program;
            this.values = new TreeMap<>(snapshot.tensors());
            Value.above(program.targets(), Value::inputs).forEach(value -> taken.add(value.path()));
            for (Value value : program.values()) {
                program.inputsOf(value).forEach(input -> readers.merge(key(input), 1, Integer::sum));
            }
            program.targets().forEach(target -> readers.merge(key(target), 1, Integer::sum));
        }

        /** A parameter that is read, by its path in the store, which several may share. */
        private Path key(Value value) {
            return value.operator() instanceof Leaf.Variable ? program.stored(value.path()) : value.path();
        }

        private boolean readOnce(Value value) {
            return Objects.equals(readers.get(key(value)), 1);
        }

        BatchNormFolding run() {
            List<Value> lastFirst = new ArrayList<>(program.values());
            Collections.reverse(lastFirst);
            lastFirst.stream()
                    .filter(value -> value.operator() instanceof BatchNorm)
                    .forEach(this::foldIfPossible);
            Program least = rewritten();
            SortedMap<Path, Tensor> read = new TreeMap<>();
            least.parameters().keySet().forEach(path -> read.put(path, value(path)));
            List<Path> paths = program.values().stream()
                    .filter(folded::contains)
                    .map(Value::path)
                    .toList();
            return new BatchNormFolding(least, new Snapshot(read), paths);
        }

        private void foldIfPossible(Value norm) {
            List<Value> reshapes = new ArrayList<>();
            Value before = norm.inputs().get(BatchNorm.X);
            while (before.operator() instanceof Arrangement.Reshape && readOnce(before)) {
                reshapes.add(0, before);
                before = before.inputs().get(0);
            }
            if (isLayer(before)
                    && !layers.contains(before)
                    && readOnce(before)
                    && before.inputs().stream().skip(1).allMatch(this::isOwn)
                    && (isConditional(norm) || affine(norm).allMatch(Folding::isStored))
                    && keepsChannels(before, norm)) {
                fold(new Match(before, reshapes, norm));
            }
        }

        private static boolean isConditional(Value norm) {
            return BatchNorm.isConditional(norm.inputs());
        }

        private static Stream<Value> affine(Value norm) {
            return norm.inputs().subList(BatchNorm.SCALE, BatchNorm.MEAN).stream();
        }

        private static boolean isStored(Value value) {
            return value.operator() instanceof Leaf.Variable || value.operator() instanceof Leaf.Constant;
        }

        private static boolean isLayer(Value value) {
            return value.operator() instanceof Products.Dense && value.shape().rank() == 1
                    || value.operator() instanceof Products.Convolution
                    || value.operator() instanceof Products.TransposedConvolution;
        }

        private boolean isOwn(Value operand) {
            Value parameter = parameter(operand);
            return parameter.operator() instanceof Leaf.Variable && readOnce(parameter);
        }

        /** Returns the value that a weight reshapes, as in a convolution over rows; otherwise the weight. */
        private Value parameter(Value operand) {
            Value value = operand;
            while (value.operator() instanceof Arrangement.Reshape && readOnce(value)) {
                value = value.inputs().get(0);
            }
            return value;
        }

        /** Returns whether the elements of one output of the layer lie in one channel of the norm. */
        private static boolean keepsChannels(Value layer, Value norm) {
            int perOutput = layer.shape().size() / layer.shape().get(0);
            int perChannel = norm.shape().size() / norm.shape().get(0);
            return perChannel % perOutput == 0;
        }

        private void fold(Match match) {
            Value layer = match.layer();
            List<Value> norm = match.norm().inputs();
            int outputs = layer.shape().get(0);
            int perChannel = outputs / match.norm().shape().get(0);
            double epsilon = ((BatchNorm) match.norm().operator()).epsilon();
            List<double[]> affine = isConditional(match.norm())
                    ? List.of()
                    : affine(match.norm()).map(this::numbers).toList();
            double[] mean = numbers(norm.get(BatchNorm.MEAN));
            double[] variance = numbers(norm.get(BatchNorm.VARIANCE));
            double[] factor = new double[outputs];
            double[] bias = layer.inputs().size() > 2 ? numbers(layer.inputs().get(2)) : new double[outputs];
            for (int o = 0; o < outputs; o++) {
                int c = o / perChannel;
                double scale = affine.isEmpty() ? 1 : affine.get(0)[c];
                double shift = affine.isEmpty() ? 0 : affine.get(1)[c];
                factor[o] = scale / Math.sqrt(variance[c] + epsilon);
                bias[o] = factor[o] * (bias[o] - mean[c]) + shift;
            }
            Path biasPath = layer.inputs().size() > 2 ? stored(layer.inputs().get(2)) : newBias(layer);
            put(biasPath, Shape.of(outputs), layer.type(), bias);
            Path weight = stored(layer.inputs().get(1));
            Tensor before = value(weight);
            Shape extents = layer.inputs().get(1).shape();
            put(weight, before.shape(), before.type(), scaled(layer, extents, before.doubles(), factor));
            folded.add(match.norm());
            layers.add(layer);
            rename(match);
        }

        private Tensor value(Path path) {
            return Objects.requireNonNull(values.get(path));
        }

        private Path stored(Value operand) {
            return program.stored(parameter(operand).path());
        }

        private double[] numbers(Value operand) {
            return operand.operator() instanceof Leaf.Constant constant
                    ? constant.value().doubles()
                    : value(stored(operand)).doubles();
        }

        private void put(Path path, Shape shape, ElementType type, double[] numbers) {
            values.put(path, Tensor.rounded(shape, type, numbers));
        }

        /** Declares a new bias for the weight, under an unused name; returns its path in the store. */
        private Path newBias(Value layer) {
            String weight = parameter(layer.inputs().get(1)).path().text();
            int slash = weight.lastIndexOf('/');
            String prefix = slash < 0 ? "" : weight.substring(0, slash + 1);
            Path path = Path.of(prefix + "bias");
            for (int i = 2; taken.contains(path) || values.containsKey(program.stored(path)); i++) {
                path = Path.of(prefix + "bias_" + i);
            }
            taken.add(path);
            Shape shape = Shape.of(layer.shape().get(0));
            biases.put(layer, Declaration.zeros(path, shape, layer.type()));
            return program.stored(path);
        }

        /** The weights, those of each output times its factor; their extents as the layer reads them. */
        private static double[] scaled(Value layer, Shape extents, double[] weight, double[] factor) {
            int rows = extents.get(0);
            int perRow = weight.length / rows;
            double[] numbers = weight.clone();
            if (layer.operator() instanceof Products.TransposedConvolution transposed) {
                // (inputs, outputs/groups, taps): the outputs of a group come from its own inputs.
                int outputs = extents.get(1);
                int inputs = rows / transposed.kernel().groups();
                for (int i = 0; i < numbers.length; i++) {
                    int row = i / perRow;
                    numbers[i] *= factor[row / inputs * outputs + i % perRow / (perRow / outputs)];
                }
                return numbers;
            }
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] *= factor[i / perRow];
            }
            return numbers;
        }

        private void rename(Match match) {
            Value layer = match.layer();
            List<Value> reshapes = match.reshapes();
            Path norm = match.norm().path();
            Path place = isConditional(match.norm()) ? norm.resolve("norm") : norm;
            if (!place.equals(norm) && !taken.add(place)) {
                return;
            }
            if (!reshapes.isEmpty()) {
                Path under = Path.of(place + "/" + layer.path().name().replaceAll("#.*", ""));
                renamed.put(layer, taken.add(under) ? under : layer.path());
            }
            renamed.put(reshapes.isEmpty() ? layer : reshapes.get(reshapes.size() - 1), place);
        }

        private static Operator biased(Operator operator) {
            if (operator instanceof Products.Convolution convolution) {
                return new Products.Convolution(biased(convolution.kernel()));
            } else if (operator instanceof Products.TransposedConvolution transposed) {
                return new Products.TransposedConvolution(biased(transposed.kernel()));
            }
            return operator;
        }

        private static Window biased(Window window) {
            return window.weights(window.weights().bias(window.weights().bias()));
        }

        private Program rewritten() {
            Graph graph = new Graph(program.floatType());
            return program.over(Rewriter.rewritten(
                    program.targets(),
                    Map.of(),
                    value -> folded.contains(value)
                            ? value.inputs().subList(0, isConditional(value) ? 3 : 1)
                            : value.inputs(),
                    (value, inputs) ->
                            folded.contains(value) ? unfolded(graph, value, inputs) : rewritten(graph, value, inputs)));
        }

        /** Returns the rest of a folded batch norm: its scale and shift, if those are of each row. */
        private Value unfolded(Graph graph, Value norm, List<Value> inputs) {
            if (!isConditional(norm)) {
                return inputs.get(0);
            }
            Value x = inputs.get(BatchNorm.X);
            Value scale = part(graph, norm, "scale", perChannel(norm), inputs.get(BatchNorm.SCALE));
            Value shift = part(graph, norm, "shift", perChannel(norm), inputs.get(BatchNorm.SHIFT));
            Value scaled = part(graph, norm, "scaled", new Elementwise.Binary(Elementwise.Pair.MULTIPLY), x, scale);
            Operator add = new Elementwise.Binary(Elementwise.Pair.ADD);
            return graph.listed(norm.path(), add, List.of(scaled, shift), norm.place());
        }

        private static Operator perChannel(Value norm) {
            return new Arrangement.Reshape(
                    Shape.ones(norm.shape().rank()).with(0, norm.shape().get(0)));
        }

        private Value part(Graph graph, Value norm, String name, Operator operator, Value... inputs) {
            Path path = norm.path().resolve(name);
            for (int i = 2; !taken.add(path); i++) {
                path = norm.path().resolve(name + "_" + i);
            }
            return graph.listed(path, operator, List.of(inputs), norm.place());
        }

        private Value rewritten(Graph graph, Value value, List<Value> inputs) {
            List<Value> all = new ArrayList<>(inputs);
            Optional.ofNullable(biases.get(value))
                    .map(bias -> graph.listed(bias.path(), new Leaf.Variable(bias), List.of(), value.place()))
                    .ifPresent(all::add);
            Operator operator = layers.contains(value) ? biased(value.operator()) : value.operator();
            return graph.listed(renamed.getOrDefault(value, value.path()), operator, all, value.place());
        }
    }
}
