package hocket.programs.jvm.dense;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.jvm.kernels.Activation;
import hocket.programs.jvm.kernels.ActivationGradient;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.layers.AttentionGradient;
import hocket.programs.layers.ScanGradient;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.BatchNormGradient;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fusion of operators in a program: a product or batch norm and the activation after it, a gradient and the slope
 * of the activation that it passes, the gradient of a weight and that of its bias.
 */
final class DenseFusion {
    /** A planned step: its result, its inputs, and its computation. */
    record Node(Value value, List<Value> reads, Fusion fusion) {}

    /** An additional or replacing task of a step's operator. */
    sealed interface Fusion {}

    /** The operator as it is. */
    record None() implements Fusion {}

    /** A product or a batch norm with the activation after it. */
    record Activated(Value product, Activation activation, float slope) implements Fusion {
        /** Applies it to a part of the result, while that is in a cache. */
        void apply(DenseKernels kernels, float[] out, int at, int count) {
            kernels.activate(activation, slope, out, at, count);
        }
    }

    /** A gradient times the slope of an activation: reads the gradient and one end of the activation. */
    record Sloped(ActivationGradient slope, float p) implements Fusion {}

    /** A sum over the batch and one of two axes, the first or the second: reads what is summed over both. */
    record Totals(int axis) implements Fusion {}

    static final Fusion NONE = new None();

    private DenseFusion() {}

    /** Returns the steps for a program's outputs, in order. */
    static List<Node> nodes(CompiledProgram compiledProgram) {
        List<Value> outputs = compiledProgram.outputs();
        return fused(compiledProgram.program(), outputs, needed(compiledProgram.program(), outputs));
    }

    /** Returns the values needed for the outputs, with fused slopes of activations. */
    private static List<Node> needed(Program program, List<Value> outputs) {
        TreeMap<Integer, Node> needed = new TreeMap<>();
        Deque<Value> open = new ArrayDeque<>(outputs);
        while (!open.isEmpty()) {
            Value value = open.pop();
            if (value.operator() instanceof FurtherResult) {
                open.push(value.inputs().get(0)); // whose step computes it
            } else if (!value.inputs().isEmpty() || value.operator() instanceof Leaf.Constant) {
                if (!needed.containsKey(value.id())) {
                    Node node = sloped(program, value);
                    needed.put(value.id(), node);
                    node.reads().forEach(open::push);
                }
            }
        }
        return new ArrayList<>(needed.values());
    }

    private static Node sloped(Program program, Value value) {
        List<Value> inputs = program.inputsOf(value);
        if (value.operator() instanceof Elementwise.Binary binary
                && binary.pair() == Elementwise.Pair.MULTIPLY
                && value.batched()) {
            for (int i = 0; i < 2; i++) {
                Node node = sloped(value, inputs.get(i), inputs.get(1 - i));
                if (node != null) {
                    return node;
                }
            }
        }
        if (value.operator() instanceof Elementwise.Where && value.batched()) {
            Node node = rectified(value, inputs.get(0), inputs.get(1), inputs.get(2));
            if (node != null) {
                return node;
            }
        }
        return new Node(value, inputs, NONE);
    }

    private static @Nullable Node sloped(Value value, Value gradient, Value factor) {
        if (!alike(gradient, value) || !alike(factor, value)) {
            return null;
        }
        if (factor.operator() instanceof Elementwise.Scalar scalar) {
            Value inner = factor.inputs().get(0);
            Value squared = argument(inner, Elementwise.Function.SQUARE);
            if (squared != null && scalar.scale() == -1 && scalar.shift() == 1) {
                return new Node(value, List.of(gradient, squared), new Sloped(ActivationGradient.TANH, 0));
            }
        }
        if (factor.operator() instanceof Elementwise.Binary binary && binary.pair() == Elementwise.Pair.MULTIPLY) {
            Value y = factor.inputs().get(0);
            Value rest = factor.inputs().get(1);
            if (rest.operator() instanceof Elementwise.Scalar scalar
                    && scalar.scale() == -1
                    && scalar.shift() == 1
                    && rest.inputs().get(0).equals(y)) {
                return new Node(value, List.of(gradient, y), new Sloped(ActivationGradient.SIGMOID, 0));
            }
        }
        return null;
    }

    /** {@code x > 0 ? g : 0} or {@code x > 0 ? g : p·g}. */
    private static @Nullable Node rectified(Value value, Value condition, Value gradient, Value other) {
        Value x = argument(condition, Elementwise.Function.STEP);
        if (x == null || !alike(condition, value) || !alike(gradient, value)) {
            return null;
        }
        if (other.operator() instanceof Leaf.Constant constant
                && constant.value().shape().size() == 1
                && constant.value().get(0) == 0) {
            return new Node(value, List.of(gradient, x), new Sloped(ActivationGradient.RELU, 0));
        }
        return other.operator() instanceof Elementwise.Scalar scalar
                        && scalar.shift() == 0
                        && other.inputs().get(0).equals(gradient)
                ? new Node(
                        value, List.of(gradient, x), new Sloped(ActivationGradient.LEAKY_RELU, (float) scalar.scale()))
                : null;
    }

    private static boolean alike(Value a, Value b) {
        return a.shape().equals(b.shape()) && a.batched() == b.batched();
    }

    private static @Nullable Value argument(Value value, Elementwise.Function function) {
        return value.operator() instanceof Elementwise.Unary unary && unary.function() == function
                ? value.inputs().get(0)
                : null;
    }

    private static @Nullable Activation activation(Value value) {
        if (value.operator() instanceof Elementwise.Unary unary) {
            return switch (unary.function()) {
                case RELU -> Activation.RELU;
                case TANH -> Activation.TANH;
                case SIGMOID -> Activation.SIGMOID;
                default -> null;
            };
        }
        return value.operator() instanceof Elementwise.LeakyRelu leaky && leaky.slope() > 0
                ? Activation.LEAKY_RELU
                : null;
    }

    /**
     * Fuses products and batch norms with the activations after them, if no other value reads the sums. The slope of a rectifier is
     * that of its result, too: gradients read it instead.
     */
    private static List<Node> fused(Program program, List<Value> outputs, List<Node> nodes) {
        Map<Value, Value> results = new HashMap<>();
        for (Node node : nodes) {
            Activation activation = activation(node.value());
            // The result of these is positive exactly where the argument is.
            if (activation == Activation.RELU || activation == Activation.LEAKY_RELU) {
                results.put(node.reads().get(0), node.value());
            }
        }
        List<Node> read = new ArrayList<>();
        for (Node node : nodes) {
            Value result = node.fusion() instanceof Sloped sloped
                            && (sloped.slope() == ActivationGradient.RELU
                                    || sloped.slope() == ActivationGradient.LEAKY_RELU)
                    ? results.get(node.reads().get(1))
                    : null;
            boolean fits = result != null && result.id() < node.value().id();
            read.add(fits ? new Node(node.value(), List.of(node.reads().get(0), result), node.fusion()) : node);
        }
        Map<Value, Integer> readers = new HashMap<>();
        read.forEach(node -> node.reads().forEach(value -> readers.merge(value, 1, Integer::sum)));
        outputs.forEach(output -> readers.merge(output, 1, Integer::sum));
        Set<Value> swallowed = new HashSet<>();
        List<Node> fused = new ArrayList<>();
        for (Node node : read) {
            Activation activation = activation(node.value());
            Value product = node.reads().isEmpty() ? node.value() : node.reads().get(0);
            if (activation != null && isActivated(product.operator()) && readers.getOrDefault(product, 0) == 1) {
                swallowed.add(product);
                float slope =
                        node.value().operator() instanceof Elementwise.LeakyRelu leaky ? (float) leaky.slope() : 0;
                fused.add(new Node(node.value(), program.inputsOf(product), new Activated(product, activation, slope)));
            } else if (sums(node.value(), Reduction.Reduce.BATCH)
                    && sums(product, 1)
                    && readers.getOrDefault(product, 0) == 1) {
                swallowed.add(product);
                fused.add(new Node(node.value(), program.inputsOf(product), new Totals(1)));
            } else if (sums(node.value(), 0)
                    && isSum(product, Reduction.Reduce.BATCH)
                    && readers.getOrDefault(product, 0) == 1) {
                swallowed.add(product);
                fused.add(new Node(node.value(), program.inputsOf(product), new Totals(0)));
            } else {
                fused.add(node);
            }
        }
        fused.removeIf(node -> swallowed.contains(node.value()));
        return fused;
    }

    private static boolean isActivated(Operator operator) {
        return operator instanceof Products.Dense
                || operator instanceof Products.Convolution
                || operator instanceof Products.TransposedConvolution
                || operator instanceof BatchNorm;
    }

    /** Returns whether a value is a sum along an axis, of one number per feature. */
    private static boolean sums(Value value, int axis) {
        return value.shape().rank() == 1 && isSum(value, axis);
    }

    private static boolean isSum(Value value, int axis) {
        return value.operator() instanceof Reduction.Reduce reduce
                && reduce.how() == Reduction.How.SUM
                && reduce.axis() == axis;
    }

    /** Returns the gradients that are computed together with another, by that one. */
    static Map<Value, List<Value>> companions(List<Node> nodes) {
        Map<Value, List<Value>> companions = new HashMap<>();
        Set<Value> taken = new HashSet<>();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            List<Value> others = new ArrayList<>();
            for (Node other : taken.contains(node.value()) ? List.<Node>of() : nodes) {
                boolean first = others.stream()
                        .noneMatch(
                                value -> value.operator().equals(other.value().operator()));
                if (first
                        && isCompanion(node, other)
                        && companions.getOrDefault(other.value(), List.of()).isEmpty()
                        && earliest(nodes, other.value()) > i
                        && taken.add(other.value())) {
                    others.add(other.value());
                }
            }
            companions.put(node.value(), others);
        }
        return companions;
    }

    /** The gradient of a bias, those of a batch norm's scale and shift, or of one attention by other inputs. */
    private static boolean isCompanion(Node node, Node other) {
        List<Value> reads = node.reads();
        if (node.value().operator() instanceof Products.DenseWeight) {
            boolean isSumOfRows = other.fusion() == NONE && sums(other.value(), Reduction.Reduce.BATCH)
                    || other.fusion() instanceof Totals totals && totals.axis() == 0;
            return isSumOfRows && other.reads().get(0).equals(reads.get(1));
        }
        if (node.value().operator() instanceof BatchNormGradient.ByInput norm
                && other.value().operator() instanceof BatchNormGradient scale
                && !(scale instanceof BatchNormGradient.ByInput)) {
            return norm.epsilon() == scale.epsilon()
                    && reads.get(1).batched() == other.value().batched()
                    && other.reads().equals(List.of(reads.get(0), reads.get(2)));
        }
        if (node.value().operator() instanceof AttentionGradient gradient
                && other.value().operator() instanceof AttentionGradient more) {
            return more.by() != gradient.by()
                    && more.attention().equals(gradient.attention())
                    && other.reads().equals(reads);
        }
        if (node.value().operator() instanceof ScanGradient gradient
                && other.value().operator() instanceof ScanGradient more) {
            return more.by() != gradient.by()
                    && more.scan().equals(gradient.scan())
                    && other.reads().equals(reads);
        }
        return node.value().operator() instanceof BatchNormGradient gradient
                && sums(other.value(), gradient.isOfEachRow(reads) ? 1 : Reduction.Reduce.BATCH)
                && other.value().batched() == gradient.isOfEachRow(reads)
                && other.value().shape().size() == reads.get(0).shape().get(0)
                && root(other.reads().get(0)).equals(root(reads.get(reads.size() - 1)));
    }

    /** Returns the value whose array a reshaped one shares. */
    static Value root(Value value) {
        Value root = value;
        while (root.operator() instanceof Arrangement.Reshape) {
            root = root.inputs().get(0);
        }
        return root;
    }

    /** The first step that reads a value. */
    private static int earliest(List<Node> nodes, Value value) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).reads().contains(value)) {
                return i;
            }
        }
        return nodes.size();
    }
}
