package hocket.programs.mxnet;

import static hocket.programs.mxnet.Idioms.cast;
import static hocket.programs.mxnet.Idioms.copy;
import static hocket.programs.mxnet.Idioms.engineType;
import static hocket.programs.mxnet.Idioms.flag;
import static hocket.programs.mxnet.Idioms.input;
import static hocket.programs.mxnet.Idioms.joined;
import static hocket.programs.mxnet.Idioms.reshape;
import static hocket.programs.mxnet.Idioms.scaled;
import static hocket.programs.mxnet.Idioms.text;
import static hocket.programs.mxnet.Idioms.zeros;

import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The translation of each operator to the engine's. The engine derives the gradients. */
final class Rules {
    @FunctionalInterface
    interface Rule {
        Ref write(MxSymbolWriter to, Value value);
    }

    private Rules() {}

    static Ref taken(MxSymbolWriter to, Value v) {
        return to.ref(to.program.inputsOf(v).get(0));
    }

    /**
     * A reshape before a convolution would hand the gradient back in the convolution's blocked layout under another shape,
     * which the engine's batch norm takes for its own: it fails, or writes past its memory. A dense layer copes.
     */
    static Ref reshaped(MxSymbolWriter to, Value v, Arrangement.Reshape operator) {
        Operator before = v.inputs().get(0).operator();
        if (!isImage(v)
                || before instanceof Products.Dense
                || before instanceof Leaf.Input
                || before instanceof Leaf.Noise) {
            return reshape(to, v, "", to.extents(v), input(to, v, 0));
        }
        return withPlainGradient(to, v, reshape(to, v, "shaped", to.extents(v), input(to, v, 0)));
    }

    /**
     * A blocked gradient that is split among the inputs ends the process with a division by zero, and so does a softmax
     * directly after it.
     */
    static Ref concat(MxSymbolWriter to, Value v, Arrangement.Concat operator) {
        Ref[] inputs = v.inputs().stream().map(to::ref).toArray(Ref[]::new);
        return withPlainGradient(to, v, joined(to, v, "joined", to.axis(v, operator.axis()), inputs));
    }

    private static boolean isImage(Value v) {
        return v.batched() && v.shape().rank() == 3;
    }

    /** A slice of everything: the engine does not see through it, so that its gradient is laid out plainly. */
    private static Ref withPlainGradient(MxSymbolWriter to, Value v, Ref x) {
        return copy(to, v, "", x);
    }

    static Ref slice(MxSymbolWriter to, Value v, Arrangement.Slice operator) {
        Map<String, String> attributes = Map.of(
                "axis", Integer.toString(to.axis(v, operator.axis())),
                "begin", Integer.toString(operator.begin()),
                "end", Integer.toString(operator.end()));
        return to.operator("slice_axis", v, "", attributes, input(to, v, 0));
    }

    static Ref transpose(MxSymbolWriter to, Value v, Arrangement.Transpose operator) {
        List<Integer> axes = new ArrayList<>();
        if (v.batched()) {
            axes.add(0);
        }
        operator.order().forEach(axis -> axes.add(to.axis(v, axis)));
        if (axes.isEmpty()) {
            return input(to, v, 0);
        }
        int[] order = axes.stream().mapToInt(Integer::intValue).toArray();
        Ref turned =
                to.operator("transpose", v, isImage(v) ? "turned" : "", Map.of("axes", text(order)), input(to, v, 0));
        return isImage(v) ? withPlainGradient(to, v, turned) : turned;
    }

    static Ref pad(MxSymbolWriter to, Value v, Arrangement.Pad operator) {
        Value x = v.inputs().get(0);
        List<Ref> parts = new ArrayList<>(List.of(to.ref(x)));
        if (operator.before() > 0) {
            parts.add(0, zeros(to, v, "before", to.extents(v, x.shape().with(operator.axis(), operator.before()))));
        }
        if (operator.after() > 0) {
            parts.add(zeros(to, v, "after", to.extents(v, x.shape().with(operator.axis(), operator.after()))));
        }
        Ref joined = joined(to, v, "joined", to.axis(v, operator.axis()), parts.toArray(Ref[]::new));
        return withPlainGradient(to, v, joined);
    }

    static Ref spread(MxSymbolWriter to, Value v, Arrangement.Spread operator) {
        Value x = v.inputs().get(0);
        boolean toEach = v.batched() && !x.batched();
        int[] extents = toEach ? MxArray.nativeExtents(x.shape().prepend(1)) : to.extents(x);
        Ref aligned = toEach ? reshape(to, v, "aligned", extents, to.ref(x)) : to.ref(x);
        if (!operator.shared()) {
            return ElementwiseRules.broadcast(to, v, "", extents, aligned);
        }
        long copies =
                (long) v.shape().size() / x.shape().size() * (v.batched() && !x.batched() ? to.requireBatch(v) : 1);
        return scaled(to, v, "", 1.0 / copies, ElementwiseRules.broadcast(to, v, "copies", extents, aligned));
    }

    static Ref oneHot(MxSymbolWriter to, Value v, Arrangement.OneHot operator) {
        Map<String, String> attributes =
                Map.of("depth", Integer.toString(operator.entries()), "dtype", engineType(v.type()));
        return to.operator("one_hot", v, "", attributes, input(to, v, 0));
    }

    /** Computes in FLOAT64, because the engine adds sequentially in the type of its input. */
    static Ref cumulativeSum(MxSymbolWriter to, Value v, Reduction.CumulativeSum operator) {
        String axis = Integer.toString(to.axis(v, operator.axis()));
        Ref x = to.operator("Cast", v, "wide", Map.of("dtype", engineType(ElementType.FLOAT64)), input(to, v, 0));
        if (!operator.reversed()) {
            return cast(to, v, v.type(), to.operator("cumsum", v, "sums", Map.of("axis", axis), x));
        }
        Ref turned = to.operator("reverse", v, "turned", Map.of("axis", "(" + axis + ")"), x);
        Ref sums = to.operator("cumsum", v, "sums", Map.of("axis", axis), turned);
        Ref back = to.operator("reverse", v, "back", Map.of("axis", "(" + axis + ")"), sums);
        return cast(to, v, v.type(), back);
    }

    static Ref reduce(MxSymbolWriter to, Value v, Reduction.Reduce operator) {
        Map<String, String> attributes = switch (operator.axis()) {
            case Reduction.Reduce.ALL -> Map.of();
            case Reduction.Reduce.BATCH -> Map.of("axis", "0");
            default -> Map.of("axis", Integer.toString(to.axis(v.inputs().get(0), operator.axis())));
        };
        if (operator.how() == Reduction.How.MAX) {
            return largest(to, v, attributes);
        }
        String name = operator.how().name().toLowerCase(Locale.ROOT);
        return to.operator(name, v, "", attributes, input(to, v, 0));
    }

    /**
     * The largest, with a gradient that is shared among equals: the engine's own gives all of it to each. What is added is 0,
     * the shared mean of the equals' distances from it, so that the value is the largest to the bit.
     */
    private static Ref largest(MxSymbolWriter to, Value v, Map<String, String> attributes) {
        Ref x = input(to, v, 0);
        Map<String, String> kept = new HashMap<>(attributes);
        kept.put("keepdims", "True");
        Ref largest = heldLargest(to, v, kept, x);
        Ref among = to.operator("broadcast_equal", v, "among", x, largest);
        Ref others = to.operator("zeros_like", v, "others", x);
        Ref distance = to.operator("broadcast_sub", v, "distance", x, largest);
        Ref taken = to.operator("where", v, "taken", among, distance, others);
        Ref sum = to.operator("sum", v, "sum", attributes, taken);
        Ref shared = to.operator("broadcast_div", v, "shared", sum, to.operator("sum", v, "count", attributes, among));
        Ref value = to.operator("max", v, "value", attributes, to.operator("BlockGrad", v, "own", x));
        Ref finite = to.operator("broadcast_equal", v, "finite", shared, shared); // of infinities it is NaN
        Ref none = to.operator("zeros_like", v, "none", shared);
        return to.operator("broadcast_add", v, "", value, to.operator("where", v, "moved", finite, shared, none));
    }

    private static Ref heldLargest(MxSymbolWriter to, Value v, Map<String, String> along, Ref x) {
        return to.operator("BlockGrad", v, "held", to.operator("max", v, "largest", along, x));
    }

    /**
     * Computes it by definition: the engine's own logarithm is above 0 for probabilities near 1, and its softmax of a
     * NaN is not all NaN.
     */
    static Ref softmax(MxSymbolWriter to, Value v, Reduction.Softmax operator) {
        Map<String, String> along = Map.of("axis", Integer.toString(to.axis(v, operator.axis())), "keepdims", "True");
        Ref x = input(to, v, 0);
        Ref largest = heldLargest(to, v, along, x);
        Ref less = to.operator("broadcast_sub", v, "less", x, largest);
        Ref power = to.operator("exp", v, "power", less);
        Ref sum = to.operator("sum", v, "sum", along, power);
        return operator.logarithm()
                ? to.operator("broadcast_sub", v, "", less, to.operator("log", v, "log", sum))
                : to.operator("broadcast_div", v, "", power, sum);
    }

    /**
     * The engine's batch norm reads scale and shift of all rows. With those of each row it only standardises, and the rest
     * is elementwise.
     */
    static Ref batchNorm(MxSymbolWriter to, Value v, BatchNorm operator) {
        boolean batch = operator.usesBatch(to.program.mode());
        boolean conditional = BatchNorm.isConditional(v.inputs());
        Map<String, String> attributes = new HashMap<>();
        attributes.put("eps", Double.toString(operator.epsilon()));
        attributes.put("momentum", "0.9");
        attributes.put("fix_gamma", "False");
        attributes.put("axis", "1");
        attributes.put("output_mean_var", flag(batch));
        attributes.put("use_global_stats", flag(!batch));
        Value scale = v.inputs().get(BatchNorm.SCALE);
        Ref norm = to.operator(
                "BatchNorm",
                v,
                conditional ? "standard" : "",
                attributes,
                3,
                input(to, v, BatchNorm.X),
                conditional ? to.constant(v, "one", Tensor.filled(scale.shape(), scale.type(), 1)) : to.ref(scale),
                conditional
                        ? to.constant(v, "zero", Tensor.filled(scale.shape(), scale.type(), 0))
                        : input(to, v, BatchNorm.SHIFT),
                to.auxiliary(v.inputs().get(BatchNorm.MEAN), v),
                to.auxiliary(v.inputs().get(BatchNorm.VARIANCE), v));
        if (!conditional) {
            return norm;
        }
        to.further(v, norm);
        Shape perChannel = Shape.ones(v.shape().rank()).with(0, scale.shape().size());
        int[] extents = to.extents(v, perChannel);
        Ref ofRows = reshape(to, v, "scale", extents, to.ref(scale));
        Ref shift = reshape(to, v, "shift", extents, input(to, v, BatchNorm.SHIFT));
        return to.operator("broadcast_add", v, "", to.operator("broadcast_mul", v, "scaled", norm, ofRows), shift);
    }
}
