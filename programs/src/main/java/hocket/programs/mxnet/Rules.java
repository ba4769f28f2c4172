package hocket.programs.mxnet;

import hocket.programs.Arrangement;
import hocket.programs.BatchNorm;
import hocket.programs.Elementwise;
import hocket.programs.Kernel;
import hocket.programs.Leaf;
import hocket.programs.Mode;
import hocket.programs.Operator;
import hocket.programs.Products;
import hocket.programs.Reduction;
import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How each operator is written in the engine's terms. The engine derives the gradients. */
final class Rules {
    @FunctionalInterface
    private interface Rule<O extends Operator> {
        Ref write(MxSymbolWriter to, Value value, O operator);
    }

    private static final Map<Class<? extends Operator>, Rule<?>> RULES = new HashMap<>();

    private static <O extends Operator> void rule(Class<O> operator, Rule<O> rule) {
        RULES.put(operator, rule);
    }

    static {
        rule(Elementwise.Unary.class, Rules::unary);
        rule(Elementwise.LeakyRelu.class, Rules::leakyRelu);
        rule(Elementwise.Elu.class, Rules::elu);
        rule(Elementwise.Scalar.class, Rules::scalar);
        rule(Elementwise.Binary.class, Rules::binary);
        rule(Elementwise.Dropout.class, Rules::dropout);
        rule(Elementwise.StopGradient.class, (to, v, op) -> to.operator("BlockGrad", v, "", Map.of(), input(to, v, 0)));
        rule(Products.Dense.class, Rules::dense);
        rule(Products.Convolution.class, Rules::convolution);
        rule(Products.TransposedConvolution.class, Rules::transposedConvolution);
        rule(Products.Embedding.class, Rules::embedding);
        rule(Arrangement.Reshape.class, Rules::reshaped);
        rule(Arrangement.Concat.class, Rules::concat);
        rule(Arrangement.Slice.class, Rules::slice);
        rule(
                Arrangement.Pick.class,
                (to, v, op) -> to.operator("pick", v, "", Map.of("axis", "-1"), input(to, v, 0), input(to, v, 1)));
        rule(Reduction.Reduce.class, Rules::reduce);
        rule(
                Reduction.ArgMax.class,
                (to, v, op) -> cast(
                        to,
                        v,
                        ElementType.INT64,
                        to.operator("argmax", v, "index", Map.of("axis", "-1"), input(to, v, 0))));
        rule(Reduction.Softmax.class, Rules::softmax);
        rule(BatchNorm.class, Rules::batchNorm);
    }

    private Rules() {}

    /** The operators that have a rule. */
    static Set<Class<? extends Operator>> covered() {
        return RULES.keySet();
    }

    @SuppressWarnings("unchecked") // a rule is stored under the class of the operators that it takes
    static Ref write(MxSymbolWriter to, Value value) {
        Rule<Operator> rule = (Rule<Operator>) RULES.get(value.operator().getClass());
        if (rule == null) {
            throw new IllegalArgumentException(
                    value + ": the engine has no rule for " + value.operator().kind());
        }
        return rule.write(to, value, value.operator());
    }

    private static Ref unary(MxSymbolWriter to, Value v, Elementwise.Unary operator) {
        String name = operator.function().name().toLowerCase(Locale.ROOT);
        // The engine's plain operators tanh and sigmoid are several times slower than its activations.
        return switch (operator.function()) {
            case RELU, TANH, SIGMOID -> activation(to, v, name);
            case SOFTPLUS -> activation(to, v, "softrelu");
            case NEGATE -> to.operator("negative", v, "", Map.of(), input(to, v, 0));
            case EXP, LOG, SQRT, SQUARE, ABS -> to.operator(name, v, "", Map.of(), input(to, v, 0));
        };
    }

    private static Ref activation(MxSymbolWriter to, Value v, String type) {
        return to.operator("Activation", v, "", Map.of("act_type", type), input(to, v, 0));
    }

    private static Ref leakyRelu(MxSymbolWriter to, Value v, Elementwise.LeakyRelu operator) {
        if (v.type() == ElementType.FLOAT32) {
            Map<String, String> leaky = Map.of("act_type", "leaky", "slope", Double.toString(operator.slope()));
            return to.operator("LeakyReLU", v, "", leaky, input(to, v, 0));
        }
        // LeakyReLU computes in float32 inside, whatever the type.
        return to.operator(
                "elemwise_add",
                v,
                "",
                Map.of(),
                positive(to, v),
                scaled(to, v, "sloped", operator.slope(), negative(to, v)));
    }

    private static Ref positive(MxSymbolWriter to, Value v) {
        return to.operator("relu", v, "positive", Map.of(), input(to, v, 0));
    }

    /** {@code min(x, 0)}, through which the gradient at 0 flows, as it does not through {@link #positive}. */
    private static Ref negative(MxSymbolWriter to, Value v) {
        return to.operator("_minimum_scalar", v, "negative", Map.of("scalar", "0"), input(to, v, 0));
    }

    private static Ref elu(MxSymbolWriter to, Value v, Elementwise.Elu operator) {
        if (v.type() == ElementType.FLOAT32) {
            Map<String, String> elu = Map.of("act_type", "elu", "slope", Double.toString(operator.alpha()));
            return to.operator("LeakyReLU", v, "", elu, input(to, v, 0));
        }
        // For the reason above.
        Ref curve = to.operator("expm1", v, "curve", Map.of(), negative(to, v));
        return to.operator(
                "elemwise_add", v, "", Map.of(), positive(to, v), scaled(to, v, "scaled", operator.alpha(), curve));
    }

    private static Ref scalar(MxSymbolWriter to, Value v, Elementwise.Scalar operator) {
        Ref x = input(to, v, 0);
        if (operator.scale() != 1) {
            x = scaled(to, v, operator.shift() == 0 ? "" : "scaled", operator.scale(), x);
        }
        if (operator.shift() != 0 || operator.scale() == 1) {
            x = to.operator("_plus_scalar", v, "", Map.of("scalar", Double.toString(operator.shift())), x);
        }
        return x;
    }

    private static Ref scaled(MxSymbolWriter to, Value v, String part, double factor, Ref x) {
        return to.operator("_mul_scalar", v, part, Map.of("scalar", Double.toString(factor)), x);
    }

    private static Ref binary(MxSymbolWriter to, Value v, Elementwise.Binary operator) {
        String name = switch (operator.pair()) {
            case ADD -> "broadcast_add";
            case SUBTRACT -> "broadcast_sub";
            case MULTIPLY -> "broadcast_mul";
            case DIVIDE -> "broadcast_div";
            case MAXIMUM -> "broadcast_maximum";
            case MINIMUM -> "broadcast_minimum";
            case EQUAL -> "broadcast_equal";
            case GREATER -> "broadcast_greater";
        };
        Ref result = to.operator(name, v, "pair", Map.of(), aligned(to, v, 0), aligned(to, v, 1));
        return v.inputs().get(0).type() == v.type() ? result : cast(to, v, v.type(), result);
    }

    /** An input whose extents the engine can align at the end: rows of lower rank get axes behind the batch axis. */
    private static Ref aligned(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        int missing = v.shape().rank() - x.shape().rank();
        if (!x.batched() || missing == 0) {
            return to.ref(x);
        }
        int[] ones = new int[v.shape().rank()];
        Arrays.fill(ones, 0, missing, 1);
        System.arraycopy(x.shape().extents(), 0, ones, missing, x.shape().rank());
        return reshape(to, v, "aligned" + index, to.extents(x, Shape.of(ones)), to.ref(x));
    }

    private static Ref dropout(MxSymbolWriter to, Value v, Elementwise.Dropout operator) {
        if (to.program().mode() == Mode.EVAL) {
            return input(to, v, 0);
        }
        return to.operator("elemwise_mul", v, "", Map.of(), input(to, v, 0), input(to, v, 1));
    }

    private static Ref dense(MxSymbolWriter to, Value v, Products.Dense operator) {
        boolean biased = v.inputs().size() > 2;
        // The engine computes the gradient by the bias as a part of that by the weight, and not where only it is
        // wanted.
        boolean apart = biased
                && to.wantsGradient(v.inputs().get(2))
                && !to.wantsGradient(v.inputs().get(1));
        Map<String, String> attributes = new HashMap<>();
        attributes.put("num_hidden", Integer.toString(v.shape().get(-1)));
        attributes.put("no_bias", flag(!biased || apart));
        attributes.put("flatten", "False");
        Value x = v.inputs().get(0);
        boolean row = !v.batched() && v.shape().rank() == 1;
        // The engine wants a row axis.
        Ref rows = row ? reshape(to, v, "row", new int[] {1, x.shape().get(0)}, to.ref(x)) : to.ref(x);
        Ref[] inputs = apart ? new Ref[] {rows, input(to, v, 1)} : withWeights(to, v, rows);
        Ref product = to.operator("FullyConnected", v, row || apart ? "product" : "", attributes, inputs);
        if (apart) {
            product = to.operator("broadcast_add", v, row ? "sum" : "", Map.of(), product, input(to, v, 2));
        }
        return row ? reshape(to, v, "", to.extents(v), product) : product;
    }

    private static Ref[] withWeights(MxSymbolWriter to, Value v, Ref x) {
        Ref weight = input(to, v, 1);
        return v.inputs().size() == 2 ? new Ref[] {x, weight} : new Ref[] {x, weight, input(to, v, 2)};
    }

    private static Ref convolution(MxSymbolWriter to, Value v, Products.Convolution operator) {
        Map<String, String> attributes = window(operator.kernel());
        attributes.put("num_filter", Integer.toString(v.shape().get(0)));
        attributes.put("no_bias", flag(v.inputs().size() == 2));
        return image(to, v, rows -> to.operator("Convolution", v, "", attributes, withWeights(to, v, rows)));
    }

    private static Ref transposedConvolution(MxSymbolWriter to, Value v, Products.TransposedConvolution operator) {
        Kernel kernel = operator.kernel();
        Map<String, String> attributes = window(kernel);
        attributes.put("adj", pair(kernel.outputPad()));
        int filters = v.shape().get(0);
        Value weight = v.inputs().get(1);
        if (filters > kernel.groups()) {
            attributes.put("num_filter", Integer.toString(filters));
            attributes.put("no_bias", flag(v.inputs().size() == 2));
            Ref own = to.own(weight, v, false);
            return image(
                    to,
                    v,
                    x -> v.inputs().size() == 2
                            ? to.operator("Deconvolution", v, "", attributes, x, own)
                            : to.operator("Deconvolution", v, "", attributes, x, own, input(to, v, 2)));
        }
        // One filter a group: the engine's backward pass fails for many widths, so a second, unused one is added.
        attributes.put("num_filter", Integer.toString(2 * filters));
        attributes.put("no_bias", "True");
        Ref padded = to.own(weight, v, true);
        return image(to, v, x -> {
            Ref wide = to.operator("Deconvolution", v, "wide", attributes, x, padded);
            Ref narrow;
            if (filters == 1) {
                narrow = to.operator("slice_axis", v, "narrow", Map.of("axis", "1", "begin", "0", "end", "1"), wide);
            } else {
                Ref split = to.operator("Reshape", v, "split", Map.of("shape", "(0,-4," + filters + ",2,0,0)"), wide);
                Ref first = to.operator("slice_axis", v, "first", Map.of("axis", "2", "begin", "0", "end", "1"), split);
                narrow = to.operator("Reshape", v, "narrow", Map.of("shape", "(0,-3,0,0)"), first);
            }
            if (v.inputs().size() == 2) {
                return narrow;
            }
            Ref bias = reshape(to, v, "bias", new int[] {1, filters, 1, 1}, input(to, v, 2));
            return to.operator("broadcast_add", v, "", Map.of(), narrow, bias);
        });
    }

    /** What works on images with a batch axis, for values with or without one. */
    private static Ref image(MxSymbolWriter to, Value v, UnaryOperator<Ref> rule) {
        Value x = v.inputs().get(0);
        if (x.batched()) {
            return rule.apply(to.ref(x));
        }
        Ref row = reshape(to, v, "row", MxArray.nativeExtents(x.shape().prepend(1)), to.ref(x));
        return reshape(to, v, "unrow", to.extents(v), rule.apply(row));
    }

    private static Map<String, String> window(Kernel kernel) {
        Map<String, String> attributes = new HashMap<>();
        attributes.put("kernel", pair(kernel.size()));
        attributes.put("stride", pair(kernel.stride()));
        attributes.put("dilate", pair(kernel.dilation()));
        attributes.put("pad", pair(kernel.pad()));
        attributes.put("num_group", Integer.toString(kernel.groups()));
        return attributes;
    }

    private static Ref embedding(MxSymbolWriter to, Value v, Products.Embedding operator) {
        Shape table = v.inputs().get(1).shape();
        Map<String, String> attributes = Map.of(
                "input_dim", Integer.toString(table.get(0)),
                "output_dim", Integer.toString(table.get(1)),
                "dtype", engineType(v.type()));
        return to.operator("Embedding", v, "", attributes, input(to, v, 0), input(to, v, 1));
    }

    /**
     * A reshape before a convolution would hand the gradient back in the convolution's blocked layout under another shape,
     * which the engine's batch norm takes for its own: it fails, or writes past its memory. A dense layer copes.
     */
    private static Ref reshaped(MxSymbolWriter to, Value v, Arrangement.Reshape operator) {
        Operator before = v.inputs().get(0).operator();
        if (!isImage(v)
                || before instanceof Products.Dense
                || before instanceof Leaf.Input
                || before instanceof Leaf.Noise) {
            return reshape(to, v, "", to.extents(v), input(to, v, 0));
        }
        return withPlainGradient(to, v, reshape(to, v, "shaped", to.extents(v), input(to, v, 0)));
    }

    /** A blocked gradient that is split among the inputs ends the process with a division by zero. */
    private static Ref concat(MxSymbolWriter to, Value v, Arrangement.Concat operator) {
        Ref[] inputs = v.inputs().stream().map(to::ref).toArray(Ref[]::new);
        Map<String, String> attributes = Map.of(
                "dim", Integer.toString(to.axis(v, operator.axis())), "num_args", Integer.toString(inputs.length));
        return isImage(v)
                ? withPlainGradient(to, v, to.operator("Concat", v, "joined", attributes, inputs))
                : to.operator("Concat", v, "", attributes, inputs);
    }

    private static boolean isImage(Value v) {
        return v.batched() && v.shape().rank() == 3;
    }

    /** A slice of everything: the engine does not see through it, so that its gradient is laid out plainly. */
    private static Ref withPlainGradient(MxSymbolWriter to, Value v, Ref x) {
        return to.operator("slice_axis", v, "", Map.of("axis", "1", "begin", "0", "end", "None"), x);
    }

    private static Ref slice(MxSymbolWriter to, Value v, Arrangement.Slice operator) {
        Map<String, String> attributes = Map.of(
                "axis", Integer.toString(to.axis(v, operator.axis())),
                "begin", Integer.toString(operator.begin()),
                "end", Integer.toString(operator.end()));
        return to.operator("slice_axis", v, "", attributes, input(to, v, 0));
    }

    private static Ref reduce(MxSymbolWriter to, Value v, Reduction.Reduce operator) {
        String name = operator.how().name().toLowerCase(Locale.ROOT);
        Map<String, String> attributes = operator.axis() == Reduction.Reduce.ALL
                ? Map.of()
                : Map.of("axis", Integer.toString(to.axis(v.inputs().get(0), operator.axis())));
        return to.operator(name, v, "", attributes, input(to, v, 0));
    }

    private static Ref softmax(MxSymbolWriter to, Value v, Reduction.Softmax operator) {
        Map<String, String> attributes = Map.of("axis", Integer.toString(to.axis(v, operator.axis())));
        return to.operator(operator.logarithm() ? "log_softmax" : "softmax", v, "", attributes, input(to, v, 0));
    }

    private static Ref batchNorm(MxSymbolWriter to, Value v, BatchNorm operator) {
        boolean batch = operator.usesBatch(to.program().mode());
        Map<String, String> attributes = new HashMap<>();
        attributes.put("eps", Double.toString(operator.epsilon()));
        attributes.put("momentum", "0.9");
        attributes.put("fix_gamma", "False");
        attributes.put("axis", "1");
        attributes.put("output_mean_var", flag(batch));
        attributes.put("use_global_stats", flag(!batch));
        Ref norm = to.operator(
                "BatchNorm",
                v,
                "",
                attributes,
                3,
                input(to, v, BatchNorm.X),
                input(to, v, BatchNorm.SCALE),
                input(to, v, BatchNorm.SHIFT),
                to.auxiliary(v.inputs().get(BatchNorm.MEAN), v),
                to.auxiliary(v.inputs().get(BatchNorm.VARIANCE), v));
        if (batch) {
            to.normalises(v, norm);
        }
        return norm;
    }

    private static Ref reshape(MxSymbolWriter to, Value v, String part, int[] extents, Ref x) {
        String shape = IntStream.of(extents).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
        return to.operator("Reshape", v, part, Map.of("shape", shape), x);
    }

    private static Ref cast(MxSymbolWriter to, Value v, ElementType type, Ref x) {
        return to.operator("Cast", v, "", Map.of("dtype", engineType(type)), x);
    }

    private static Ref input(MxSymbolWriter to, Value v, int index) {
        return to.ref(v.inputs().get(index));
    }

    private static String engineType(ElementType type) {
        return switch (type) {
            case FLOAT32 -> "float32";
            case FLOAT64 -> "float64";
            case INT64 -> "int64";
        };
    }

    private static String pair(List<Integer> pair) {
        return "(" + pair.get(0) + "," + pair.get(1) + ")";
    }

    private static String flag(boolean value) {
        return value ? "True" : "False";
    }
}
