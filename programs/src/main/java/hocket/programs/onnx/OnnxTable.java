package hocket.programs.onnx;

import static hocket.programs.onnx.OnnxWriter.axis;
import static hocket.programs.onnx.OnnxWriter.rank;
import static hocket.programs.onnx.OnnxWriter.real;
import static hocket.programs.onnx.OnnxWriter.whole;
import static hocket.programs.onnx.OnnxWriter.wholes;

import hocket.programs.Value;
import hocket.programs.execution.RuleTable;
import hocket.programs.layers.Window;
import hocket.programs.operators.Arrangement;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.Elementwise;
import hocket.programs.operators.Gathering;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Pooling;
import hocket.programs.operators.Primitive;
import hocket.programs.operators.Products;
import hocket.programs.operators.Reduction;
import hocket.programs.protobuf.Protobuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rule of each operator that an EVAL program may contain, in operators of opset {@value OnnxModel#OPSET}. Gradients
 * of convolutions by their weights and of max-pools have none.
 */
final class OnnxTable implements Primitive.Rules<OnnxTable.Rule> {
    static final RuleTable<Rule> TABLE = new RuleTable<Rule>(new OnnxTable())
            .with(
                    Gathering.Gather.class,
                    gather -> (to, v) ->
                            to.node("GatherElements", v, List.of(whole("axis", axis(v, gather.axis()))), to.inputs(v)));

    /** Writes the operator of a value; returns the name of the result. */
    @FunctionalInterface
    interface Rule {
        String write(OnnxWriter to, Value value);
    }

    private OnnxTable() {}

    @Override
    public @Nullable Rule leaf(Leaf leaf) {
        return null;
    }

    /** ONNX Runtime's Softplus rounds {@code 1 + exp(x)}: where the result is near 0, it is off by up to 6e-8. */
    @Override
    public Rule unary(Elementwise.Unary operator) {
        String name = operator.function().name();
        return switch (operator.function()) {
            case NEGATE -> named("Neg");
            case SQUARE -> (to, v) -> to.node("Mul", v, to.input(v, 0), to.input(v, 0));
            case STEP -> (to, v) -> cast(to, v, OnnxWriter.FLOAT, to.node("Greater", v, to.input(v, 0), to.number(0)));
            default -> named(name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT));
        };
    }

    @Override
    public Rule leakyRelu(Elementwise.LeakyRelu operator) {
        return (to, v) -> to.node("LeakyRelu", v, List.of(real("alpha", operator.slope())), to.inputs(v));
    }

    @Override
    public Rule elu(Elementwise.Elu operator) {
        return (to, v) -> to.node("Elu", v, List.of(real("alpha", operator.alpha())), to.inputs(v));
    }

    @Override
    public Rule scalar(Elementwise.Scalar operator) {
        return (to, v) -> {
            String x = to.input(v, 0);
            String scaled = operator.scale() == 1 ? x : to.node("Mul", v, x, to.number(operator.scale()));
            return operator.shift() == 0 ? scaled : to.node("Add", v, scaled, to.number(operator.shift()));
        };
    }

    @Override
    public Rule binary(Elementwise.Binary operator) {
        return switch (operator.pair()) {
            case ADD -> broadcast("Add");
            case SUBTRACT -> broadcast("Sub");
            case MULTIPLY -> broadcast("Mul");
            case DIVIDE -> broadcast("Div");
            case MAXIMUM -> broadcast("Max");
            case MINIMUM -> broadcast("Min");
            case EQUAL ->
                (to, v) -> cast(to, v, OnnxWriter.FLOAT, broadcast("Equal").write(to, v));
            case GREATER ->
                (to, v) -> cast(to, v, OnnxWriter.FLOAT, broadcast("Greater").write(to, v));
        };
    }

    @Override
    public Rule where(Elementwise.Where operator) {
        return (to, v) -> to.node(
                "Where", v, cast(to, v, OnnxWriter.BOOL, to.broadcast(v, 0)), to.broadcast(v, 1), to.broadcast(v, 2));
    }

    @Override
    public Rule clip(Elementwise.Clip operator) {
        return (to, v) -> to.node("Clip", v, to.input(v, 0), to.number(operator.low()), to.number(operator.high()));
    }

    @Override
    public Rule dropout(Elementwise.Dropout operator) {
        return (to, v) -> to.input(v, 0);
    }

    @Override
    public Rule byMode(Elementwise.ByMode operator) {
        return (to, v) -> to.input(v, 0);
    }

    @Override
    public Rule running(Elementwise.Running operator) {
        return (to, v) -> to.input(v, 0);
    }

    @Override
    public Rule stopGradient(Elementwise.StopGradient operator) {
        return (to, v) -> to.input(v, 0);
    }

    @Override
    public Rule dense(Products.Dense operator) {
        return (to, v) -> {
            String[] in = to.inputs(v);
            if (rank(v) == 2) {
                return to.node("Gemm", v, List.of(whole("transB", 1)), in);
            }
            String product = to.node("MatMul", v, in[0], to.node("Transpose", v, in[1]));
            return in.length > 2 ? to.node("Add", v, product, in[2]) : product;
        };
    }

    @Override
    public Rule denseInput(Products.DenseInput operator) {
        return (to, v) -> to.node("MatMul", v, to.inputs(v));
    }

    /** All axes but the last become one. */
    @Override
    public Rule denseWeight(Products.DenseWeight operator) {
        return (to, v) -> {
            String x = to.node(
                    "Reshape", v, to.input(v, 0), to.wholes(-1, v.shape().get(1)));
            String g = to.node(
                    "Reshape", v, to.input(v, 1), to.wholes(-1, v.shape().get(0)));
            return to.node("MatMul", v, to.node("Transpose", v, g), x);
        };
    }

    @Override
    public Rule convolution(Products.Convolution operator) {
        return (to, v) -> to.ofImages("Conv", v, window(operator.kernel(), true));
    }

    @Override
    public Rule transposedConvolution(Products.TransposedConvolution operator) {
        return (to, v) -> {
            List<Protobuf> attributes = window(operator.kernel(), true);
            attributes.add(wholes("output_padding", operator.kernel().outputPad()));
            return to.ofImages("ConvTranspose", v, attributes);
        };
    }

    @Override
    public @Nullable Rule convolutionWeight(Products.ConvolutionWeight operator) {
        return null;
    }

    @Override
    public Rule embedding(Products.Embedding operator) {
        return (to, v) -> to.node("Gather", v, to.input(v, 1), to.input(v, 0));
    }

    @Override
    public Rule matmul(Matmul operator) {
        return (to, v) -> to.node(
                "MatMul",
                v,
                matrices(to, v, 0, operator.transposedLeft()),
                matrices(to, v, 1, operator.transposedRight()));
    }

    private static String matrices(OnnxWriter to, Value v, int input, boolean transposed) {
        List<Integer> order = axes(rank(v));
        Collections.swap(order, order.size() - 2, order.size() - 1);
        String x = to.input(v, input);
        return transposed ? to.node("Transpose", v, List.of(wholes("perm", order)), x) : x;
    }

    /** An extent of 0 stands for that of the input. */
    @Override
    public Rule reshape(Arrangement.Reshape operator) {
        return (to, v) -> to.node("Reshape", v, to.input(v, 0), to.extents(v, 0));
    }

    @Override
    public Rule concat(Arrangement.Concat operator) {
        return (to, v) -> to.node("Concat", v, List.of(whole("axis", axis(v, operator.axis()))), to.inputs(v));
    }

    @Override
    public Rule slice(Arrangement.Slice operator) {
        return (to, v) -> to.node(
                "Slice",
                v,
                to.input(v, 0),
                to.wholes(operator.begin()),
                to.wholes(operator.end()),
                to.wholes(axis(v, operator.axis())));
    }

    @Override
    public Rule transpose(Arrangement.Transpose operator) {
        return (to, v) -> {
            List<Integer> order = axes(v.batched() ? 1 : 0);
            operator.order().forEach(axis -> order.add(axis(v, axis)));
            return to.node("Transpose", v, List.of(wholes("perm", order)), to.input(v, 0));
        };
    }

    @Override
    public Rule pad(Arrangement.Pad operator) {
        return (to, v) -> {
            int[] pads = new int[2 * rank(v)];
            pads[axis(v, operator.axis())] = operator.before();
            pads[rank(v) + axis(v, operator.axis())] = operator.after();
            return to.node("Pad", v, to.input(v, 0), to.wholes(pads));
        };
    }

    /** Expand broadcasts in both directions: an extent of 1 for the rows keeps theirs. */
    @Override
    public Rule spread(Arrangement.Spread operator) {
        return (to, v) -> {
            Value x = v.inputs().get(0);
            boolean toRows = v.batched() && !x.batched();
            String one = to.node("Expand", v, to.input(v, 0), to.extents(v, 1));
            String all = one;
            if (toRows) {
                String ones = to.wholes(IntStream.range(0, v.shape().rank()).map(axis -> 1));
                all = to.node("Expand", v, one, to.node("Concat", v, List.of(whole("axis", 0)), to.rows(v), ones));
            }
            if (!operator.shared()) {
                return all;
            }
            String count = to.number((double) v.shape().size() / x.shape().size());
            String total = toRows ? to.node("Mul", v, cast(to, v, OnnxWriter.FLOAT, to.rows(v)), count) : count;
            return to.node("Div", v, all, total);
        };
    }

    @Override
    public Rule pick(Arrangement.Pick operator) {
        return (to, v) -> {
            String index = to.node("Unsqueeze", v, to.input(v, 1), to.wholes(-1));
            String picked = to.node("GatherElements", v, List.of(whole("axis", -1)), to.input(v, 0), index);
            return to.node("Squeeze", v, picked, to.wholes(-1));
        };
    }

    /** OneHot wants indices of one axis at least. */
    @Override
    public Rule oneHot(Arrangement.OneHot operator) {
        return (to, v) -> {
            boolean single = rank(v) == 1;
            String index = to.input(v, 0);
            String vectors = to.node(
                    "OneHot",
                    v,
                    single ? to.node("Unsqueeze", v, index, to.wholes(0)) : index,
                    to.whole(operator.entries()),
                    to.numbers(0, 1));
            return single ? to.node("Squeeze", v, vectors, to.wholes(0)) : vectors;
        };
    }

    @Override
    public Rule reduce(Reduction.Reduce operator) {
        String kind = operator.kind();
        String name = "Reduce" + Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
        List<Protobuf> attributes = List.of(whole("keepdims", 0));
        return (to, v) -> switch (operator.axis()) {
            case Reduction.Reduce.ALL -> to.node(name, v, attributes, to.input(v, 0));
            case Reduction.Reduce.BATCH -> to.node(name, v, attributes, to.input(v, 0), to.wholes(0));
            default -> to.node(name, v, attributes, to.input(v, 0), to.wholes(axis(v, operator.axis())));
        };
    }

    @Override
    public Rule argMax(Reduction.ArgMax operator) {
        return (to, v) -> to.node("ArgMax", v, List.of(whole("axis", -1), whole("keepdims", 0)), to.input(v, 0));
    }

    /** TopK of all; of equals the first comes first too, but where NaN is placed, ONNX does not say. */
    @Override
    public Rule argSort(Reduction.ArgSort operator) {
        return (to, v) -> {
            List<Protobuf> attributes =
                    List.of(whole("axis", axis(v, operator.axis())), whole("largest", operator.descending() ? 1 : 0));
            String count = to.wholes(v.shape().get(operator.axis()));
            return to.results("TopK", 2, v, attributes, to.input(v, 0), count);
        };
    }

    @Override
    public Rule softmax(Reduction.Softmax operator) {
        String name = operator.logarithm() ? "LogSoftmax" : "Softmax";
        return (to, v) -> to.node(name, v, List.of(whole("axis", axis(v, operator.axis()))), to.input(v, 0));
    }

    @Override
    public Rule cumulativeSum(Reduction.CumulativeSum operator) {
        return (to, v) -> to.node(
                "CumSum",
                v,
                List.of(whole("reverse", operator.reversed() ? 1 : 0)),
                to.input(v, 0),
                to.whole(axis(v, operator.axis())));
    }

    @Override
    public Rule maxPool(Pooling.MaxPool operator) {
        return (to, v) -> to.ofImages("MaxPool", v, window(operator.kernel(), false));
    }

    @Override
    public @Nullable Rule maxPoolInput(Pooling.MaxPoolInput operator) {
        return null;
    }

    @Override
    public @Nullable Rule maxPoolPick(Pooling.MaxPoolPick operator) {
        return null;
    }

    @Override
    public Rule batchNorm(BatchNorm operator) {
        return (to, v) -> {
            List<Protobuf> epsilon = List.of(real("epsilon", operator.epsilon()));
            String[] in = to.inputs(v);
            if (!BatchNorm.isConditional(v.inputs())) {
                return to.node("BatchNormalization", v, epsilon, in);
            }
            // The operator's own scale and shift are those of all rows.
            int channels = v.inputs().get(BatchNorm.SCALE).shape().size();
            float[] ones = new float[channels];
            Arrays.fill(ones, 1);
            String one = to.numbers(ones);
            String zero = to.numbers(new float[channels]);
            String standard = to.node(
                    "BatchNormalization",
                    v,
                    epsilon,
                    in[BatchNorm.X],
                    one,
                    zero,
                    in[BatchNorm.MEAN],
                    in[BatchNorm.VARIANCE]);
            IntStream perChannel = IntStream.concat(
                    IntStream.of(-1, channels),
                    IntStream.generate(() -> 1).limit(v.shape().rank() - 1));
            String extents = to.wholes(perChannel);
            String ofRows = to.node("Reshape", v, in[BatchNorm.SCALE], extents);
            String shift = to.node("Reshape", v, in[BatchNorm.SHIFT], extents);
            return to.node("Add", v, to.node("Mul", v, standard, ofRows), shift);
        };
    }

    /** An operator of the same inputs. */
    private static Rule named(String name) {
        return (to, v) -> to.node(name, v, to.inputs(v));
    }

    /** An operator of two inputs that are broadcast. */
    private static Rule broadcast(String name) {
        return (to, v) -> to.node(name, v, to.broadcast(v, 0), to.broadcast(v, 1));
    }

    private static String cast(OnnxWriter to, Value v, int type, String x) {
        return to.node("Cast", v, List.of(whole("to", type)), x);
    }

    private static List<Integer> axes(int count) {
        return new ArrayList<>(IntStream.range(0, count).boxed().toList());
    }

    /** Returns the attributes of a window; a pool's has no groups. */
    private static List<Protobuf> window(Window kernel, boolean groups) {
        List<Integer> pads = new ArrayList<>(kernel.pad());
        pads.addAll(kernel.pad());
        List<Protobuf> attributes = new ArrayList<>(List.of(
                wholes("kernel_shape", kernel.size()),
                wholes("strides", kernel.stride()),
                wholes("dilations", kernel.dilation()),
                wholes("pads", pads)));
        if (groups) {
            attributes.add(whole("group", kernel.groups()));
        }
        return attributes;
    }
}
