package hocket.programs.mxnet;

import hocket.programs.Arrangement;
import hocket.programs.BatchNorm;
import hocket.programs.Elementwise;
import hocket.programs.Kernel;
import hocket.programs.Leaf;
import hocket.programs.Mode;
import hocket.programs.Operator;
import hocket.programs.Pooling;
import hocket.programs.Products;
import hocket.programs.Reduction;
import hocket.programs.Value;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
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
        rule(Elementwise.Where.class, Rules::where);
        rule(Elementwise.Clip.class, Rules::clip);
        rule(Elementwise.Dropout.class, Rules::dropout);
        rule(Elementwise.ByMode.class, (to, v, op) -> taken(to, v));
        rule(Elementwise.Running.class, (to, v, op) -> to.operator("BlockGrad", v, "", Map.of(), taken(to, v)));
        rule(Elementwise.StopGradient.class, (to, v, op) -> to.operator("BlockGrad", v, "", Map.of(), input(to, v, 0)));
        rule(Products.Dense.class, Rules::dense);
        rule(Products.DenseInput.class, Rules::denseInput);
        rule(Products.DenseWeight.class, Rules::denseWeight);
        rule(Products.Convolution.class, Rules::convolution);
        rule(Products.ConvolutionWeight.class, Rules::convolutionWeight);
        rule(Products.TransposedConvolution.class, Rules::transposedConvolution);
        rule(Products.Embedding.class, Rules::embedding);
        rule(Arrangement.Reshape.class, Rules::reshaped);
        rule(Arrangement.Concat.class, Rules::concat);
        rule(Arrangement.Slice.class, Rules::slice);
        rule(Arrangement.Transpose.class, Rules::transpose);
        rule(Arrangement.Pad.class, Rules::pad);
        rule(Arrangement.Spread.class, Rules::spread);
        rule(Arrangement.OneHot.class, Rules::oneHot);
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
        rule(Reduction.CumulativeSum.class, Rules::cumulativeSum);
        rule(Pooling.MaxPool.class, Rules::maxPool);
        rule(BatchNorm.class, Rules::batchNorm);
    }

    /** The most axes along which the engine repeats. */
    private static final int MOST_RUNS = 5;

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
            case STEP -> to.operator("_greater_scalar", v, "", Map.of("scalar", "0"), input(to, v, 0));
            case ERF -> erf(to, v);
            case EXP, LOG, SQRT, SQUARE, ABS, SIN, COS, SIGN -> to.operator(name, v, "", Map.of(), input(to, v, 0));
        };
    }

    /** The engine's own gradient has π and its root in float32, whatever the type: it is put right by the ratio. */
    private static Ref erf(MxSymbolWriter to, Value v) {
        if (v.type() == ElementType.FLOAT32) {
            return to.operator("erf", v, "", Map.of(), input(to, v, 0));
        }
        Ref erf = to.operator("erf", v, "plain", Map.of(), input(to, v, 0));
        double ratio = (float) Math.sqrt((float) Math.PI) / Math.sqrt(Math.PI);
        Ref held = to.operator("BlockGrad", v, "held", Map.of(), erf);
        return to.operator(
                "elemwise_add",
                v,
                "",
                Map.of(),
                scaled(to, v, "moving", ratio, erf),
                scaled(to, v, "rest", 1 - ratio, held));
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
        int[] left = fullExtents(to, v, 0);
        int[] right = fullExtents(to, v, 1);
        Ref[] inputs = runs(left, right) <= MOST_RUNS
                ? new Ref[] {aligned(to, v, 0), aligned(to, v, 1)}
                : new Ref[] {
                    repeated(to, v, "left", left, right, ofFullRank(to, v, 0)),
                    repeated(to, v, "right", right, left, ofFullRank(to, v, 1))
                };
        Ref result = to.operator(name, v, "pair", Map.of(), inputs);
        return v.inputs().get(0).type() == v.type() ? result : cast(to, v, v.type(), result);
    }

    /** An input whose extents the engine can align at the end: rows of lower rank get axes behind the batch axis. */
    private static Ref aligned(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        int missing = v.shape().rank() - x.shape().rank();
        if (!x.batched() || missing == 0) {
            return to.ref(x);
        }
        int[] extents = Shape.ones(v.shape().rank()).extents();
        System.arraycopy(x.shape().extents(), 0, extents, missing, x.shape().rank());
        return reshape(to, v, "aligned" + index, to.extents(x, Shape.of(extents)), to.ref(x));
    }

    /**
     * How many axes are left of two values when neighbouring ones along which the same one is repeated, or none, are one:
     * the engine cannot repeat along more than {@link #MOST_RUNS}.
     */
    private static int runs(int[] left, int[] right) {
        int runs = 0;
        int before = 2;
        for (int i = 0; i < left.length; i++) {
            int repeated = Integer.compare(left[i], right[i]);
            if (left[i] != 1 || right[i] != 1) {
                runs += repeated == before ? 0 : 1;
                before = repeated;
            }
        }
        return runs;
    }

    /** Repeated along one axis after the other, to where another value has more. */
    private static Ref repeated(MxSymbolWriter to, Value v, String part, int[] extents, int[] other, Ref x) {
        Ref wide = x;
        for (int i = 0; i < extents.length; i++) {
            if (extents[i] < other[i]) {
                Map<String, String> attributes =
                        Map.of("axis", Integer.toString(i), "size", Integer.toString(other[i]));
                wide = to.operator("broadcast_axis", v, part + i, attributes, wide);
            }
        }
        return wide;
    }

    private static Ref where(MxSymbolWriter to, Value v, Elementwise.Where operator) {
        Ref[] inputs = new Ref[3];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = broadcast(to, v, "input" + i, fullExtents(to, v, i), ofFullRank(to, v, i));
        }
        return to.operator("where", v, "", Map.of(), inputs);
    }

    /** An input with as many axes as the result. */
    private static Ref ofFullRank(MxSymbolWriter to, Value v, int index) {
        return reshape(
                to,
                v,
                "rank" + index,
                fullExtents(to, v, index),
                to.ref(v.inputs().get(index)));
    }

    private static int[] fullExtents(MxSymbolWriter to, Value v, int index) {
        Value x = v.inputs().get(index);
        int rank = v.shape().rank() + (v.batched() ? 1 : 0);
        int[] extents = Shape.ones(Math.max(rank, 1)).extents();
        System.arraycopy(
                x.shape().extents(),
                0,
                extents,
                extents.length - x.shape().rank(),
                x.shape().rank());
        if (x.batched()) {
            extents[0] = to.batch();
        }
        return extents;
    }

    private static Ref broadcast(MxSymbolWriter to, Value v, String part, int[] extents, Ref x) {
        int[] full = to.extents(v);
        Ref near = runs(extents, full) > MOST_RUNS ? repeated(to, v, part + "_axis", extents, full, x) : x;
        return to.operator("broadcast_to", v, part, Map.of("shape", text(full)), near);
    }

    /** The engine's own clip takes its bounds in float32, whatever the type. */
    private static Ref clip(MxSymbolWriter to, Value v, Elementwise.Clip operator) {
        Map<String, String> low = Map.of("scalar", Double.toString(operator.low()));
        Map<String, String> high = Map.of("scalar", Double.toString(operator.high()));
        Ref raised = to.operator("_maximum_scalar", v, "raised", low, input(to, v, 0));
        return to.operator("_minimum_scalar", v, "", high, raised);
    }

    private static Ref taken(MxSymbolWriter to, Value v) {
        return to.ref(to.program().inputsOf(v).get(0));
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

    private static Ref denseInput(MxSymbolWriter to, Value v, Products.DenseInput operator) {
        Value g = v.inputs().get(0);
        boolean row = !v.batched() && v.shape().rank() == 1;
        Ref rows = row ? reshape(to, v, "row", new int[] {1, g.shape().get(0)}, to.ref(g)) : to.ref(g);
        Ref turned = to.operator("transpose", v, "turned", Map.of("axes", "(1,0)"), input(to, v, 1));
        Ref product = product(to, v, row ? "product" : "", v.shape().get(-1), rows, turned);
        return row ? reshape(to, v, "", to.extents(v), product) : product;
    }

    private static Ref denseWeight(MxSymbolWriter to, Value v, Products.DenseWeight operator) {
        Ref x = columns(to, v, "x", v.inputs().get(0));
        Ref g = columns(to, v, "g", v.inputs().get(1));
        return product(to, v, "", v.shape().get(1), g, x);
    }

    /** All rows of all axes but the last as columns. */
    private static Ref columns(MxSymbolWriter to, Value v, String part, Value x) {
        Ref rows = reshape(to, v, part + "_rows", new int[] {-1, x.shape().get(-1)}, to.ref(x));
        return to.operator("transpose", v, part + "_columns", Map.of("axes", "(1,0)"), rows);
    }

    private static Ref product(MxSymbolWriter to, Value v, String part, int units, Ref x, Ref weight) {
        Map<String, String> attributes =
                Map.of("num_hidden", Integer.toString(units), "no_bias", "True", "flatten", "False");
        return to.operator("FullyConnected", v, part, attributes, x, weight);
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
        if (!(weight.operator() instanceof Leaf.Variable)) {
            return withComputedWeight(to, v, kernel);
        }
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

    /**
     * The engine's own transposed convolution ends the process where its weight is computed and a gradient flows to it. So
     * the plain convolution that it is, of the image with zeros between its pixels and the window turned around.
     */
    private static Ref withComputedWeight(MxSymbolWriter to, Value v, Kernel kernel) {
        Shape weight = v.inputs().get(1).shape();
        int groups = kernel.groups();
        int in = weight.get(0) / groups;
        int out = weight.get(1);
        int[] taps = {weight.get(2), weight.get(3)};
        Ref turned = to.operator("reverse", v, "turned", Map.of("axis", "(2,3)"), input(to, v, 1));
        Ref split = reshape(to, v, "split", new int[] {groups, in, out, taps[0], taps[1]}, turned);
        Ref swapped = to.operator("transpose", v, "swapped", Map.of("axes", "(0,2,1,3,4)"), split);
        Ref window = reshape(to, v, "window", new int[] {groups * out, in, taps[0], taps[1]}, swapped);
        return image(to, v, x -> {
            Shape rows = v.inputs().get(0).shape();
            int[] pads = new int[2];
            Ref spaced = spaced(to, v, rows, kernel, x);
            for (int i = 0; i < 2; i++) {
                int stride = kernel.stride().get(i);
                int reach =
                        kernel.dilation().get(i) * (taps[i] - 1) - kernel.pad().get(i);
                int begin = Math.max(0, -reach);
                int end =
                        (rows.get(1 + i) - 1) * stride + 1 + kernel.outputPad().get(i) - begin;
                pads[i] = Math.max(0, reach);
                spaced = sliceAxis(to, v, "cut" + i, 2 + i, begin, end, spaced);
            }
            Map<String, String> attributes = new HashMap<>(window(kernel));
            attributes.put("kernel", pair(List.of(taps[0], taps[1])));
            attributes.put("stride", "(1,1)");
            attributes.put("pad", pair(List.of(pads[0], pads[1])));
            attributes.put("num_filter", Integer.toString(groups * out));
            attributes.put("no_bias", flag(v.inputs().size() == 2));
            return v.inputs().size() == 2
                    ? to.operator("Convolution", v, "", attributes, spaced, window)
                    : to.operator("Convolution", v, "", attributes, spaced, window, input(to, v, 2));
        });
    }

    /** An image with a stride's zeros behind each pixel, and those beyond them that the output's padding asks for. */
    private static Ref spaced(MxSymbolWriter to, Value v, Shape rows, Kernel kernel, Ref x) {
        int[] extents = rows.prepend(v.batched() ? to.batch() : 1).extents();
        Ref image = x;
        for (int i = 0; i < 2; i++) {
            int axis = 2 + i;
            int stride = kernel.stride().get(i);
            if (stride > 1) {
                int pixels = i == 0 ? extents[1] * extents[2] : extents[1] * extents[2] * extents[3];
                int behind = i == 0 ? extents[3] : 1;
                Ref apart = reshape(to, v, "apart" + i, new int[] {extents[0], pixels, 1, behind}, image);
                Ref zeros = zeros(to, v, "zeros" + i, new int[] {extents[0], pixels, stride - 1, behind});
                Ref joined = joined(to, v, "joined" + i, 2, apart, zeros);
                extents[axis] *= stride;
                image = reshape(to, v, "spaced" + i, extents, joined);
            }
            int more = kernel.outputPad().get(i) + 1 - stride;
            if (more > 0) {
                int[] end = extents.clone();
                end[axis] = more;
                image = joined(to, v, "longer" + i, axis, image, zeros(to, v, "end" + i, end));
                extents[axis] += more;
            }
        }
        return image;
    }

    private static Ref joined(MxSymbolWriter to, Value v, String part, int axis, Ref... parts) {
        Map<String, String> attributes =
                Map.of("dim", Integer.toString(axis), "num_args", Integer.toString(parts.length));
        return to.operator("Concat", v, part, attributes, parts);
    }

    private static Ref zeros(MxSymbolWriter to, Value v, String part, int[] extents) {
        Map<String, String> attributes = Map.of("shape", text(extents), "dtype", engineType(v.type()));
        return to.operator("_zeros", v, part, attributes);
    }

    private static Ref sliceAxis(MxSymbolWriter to, Value v, String part, int axis, int begin, int end, Ref x) {
        Map<String, String> attributes =
                Map.of("axis", Integer.toString(axis), "begin", Integer.toString(begin), "end", Integer.toString(end));
        return to.operator("slice_axis", v, part, attributes, x);
    }

    /**
     * The convolution of the images with the gradients as windows, rows as channels: stride and dilation change places.
     */
    private static Ref convolutionWeight(MxSymbolWriter to, Value v, Products.ConvolutionWeight operator) {
        Kernel kernel = operator.kernel();
        Value x = v.inputs().get(0);
        Value g = v.inputs().get(1);
        Map<String, String> attributes = new HashMap<>();
        attributes.put("kernel", pair(List.of(g.shape().get(1), g.shape().get(2))));
        attributes.put("stride", pair(kernel.dilation()));
        attributes.put("dilate", pair(kernel.stride()));
        attributes.put("pad", pair(kernel.pad()));
        attributes.put("no_bias", "True");
        int in = x.shape().get(0) / kernel.groups();
        int out = g.shape().get(0) / kernel.groups();
        attributes.put("num_filter", Integer.toString(out));
        Ref images = rowsAsChannels(to, v, "images", x);
        Ref windows = rowsAsChannels(to, v, "windows", g);
        Ref[] groups = new Ref[kernel.groups()];
        for (int i = 0; i < groups.length; i++) {
            Ref some = sliceAxis(to, v, "images" + i, 0, i * in, (i + 1) * in, images);
            Ref by = sliceAxis(to, v, "windows" + i, 0, i * out, (i + 1) * out, windows);
            Ref all = to.operator("Convolution", v, "sums" + i, attributes, some, by);
            Ref rows = sliceAxis(to, v, "rows" + i, 2, 0, operator.window().get(0), all);
            Ref both = sliceAxis(to, v, "both" + i, 3, 0, operator.window().get(1), rows);
            groups[i] = to.operator("transpose", v, "weight" + i, Map.of("axes", "(1,0,2,3)"), both);
        }
        return groups.length == 1 ? groups[0] : joined(to, v, "", 0, groups);
    }

    private static Ref rowsAsChannels(MxSymbolWriter to, Value v, String part, Value x) {
        Shape full = x.shape().prepend(x.batched() ? to.batch() : 1);
        Ref rows = reshape(to, v, part + "_rows", full.extents(), to.ref(x));
        return to.operator("transpose", v, part, Map.of("axes", "(1,0,2,3)"), rows);
    }

    private static Ref maxPool(MxSymbolWriter to, Value v, Pooling.MaxPool operator) {
        Map<String, String> attributes = Map.of(
                "pool_type", "max",
                "kernel", pair(operator.kernel().size()),
                "stride", pair(operator.kernel().stride()),
                "pad", pair(operator.kernel().pad()),
                "pooling_convention", "valid");
        // Another reader may lay the image out anew between the two passes, and the gradient goes to other places then.
        boolean alone = to.program().values().stream()
                        .flatMap(value -> to.program().inputsOf(value).stream())
                        .filter(v.inputs().get(0)::equals)
                        .count()
                == 1;
        return image(to, v, x -> to.operator("Pooling", v, "", attributes, alone ? x : copy(to, v, "own", x)));
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

    /**
     * A blocked gradient that is split among the inputs ends the process with a division by zero, and a softmax right
     * behind ends it too.
     */
    private static Ref concat(MxSymbolWriter to, Value v, Arrangement.Concat operator) {
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

    private static Ref copy(MxSymbolWriter to, Value v, String part, Ref x) {
        return to.operator("slice_axis", v, part, Map.of("axis", "0", "begin", "0", "end", "None"), x);
    }

    private static Ref slice(MxSymbolWriter to, Value v, Arrangement.Slice operator) {
        Map<String, String> attributes = Map.of(
                "axis", Integer.toString(to.axis(v, operator.axis())),
                "begin", Integer.toString(operator.begin()),
                "end", Integer.toString(operator.end()));
        return to.operator("slice_axis", v, "", attributes, input(to, v, 0));
    }

    private static Ref transpose(MxSymbolWriter to, Value v, Arrangement.Transpose operator) {
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

    private static Ref pad(MxSymbolWriter to, Value v, Arrangement.Pad operator) {
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

    private static Ref spread(MxSymbolWriter to, Value v, Arrangement.Spread operator) {
        Value x = v.inputs().get(0);
        boolean toEach = v.batched() && !x.batched();
        int[] extents = toEach ? MxArray.nativeExtents(x.shape().prepend(1)) : to.extents(x);
        Ref aligned = toEach ? reshape(to, v, "aligned", extents, to.ref(x)) : to.ref(x);
        if (!operator.shared()) {
            return broadcast(to, v, "", extents, aligned);
        }
        long copies = (long) v.shape().size() / x.shape().size() * (v.batched() && !x.batched() ? to.batch() : 1);
        return scaled(to, v, "", 1.0 / copies, broadcast(to, v, "copies", extents, aligned));
    }

    private static Ref oneHot(MxSymbolWriter to, Value v, Arrangement.OneHot operator) {
        Map<String, String> attributes =
                Map.of("depth", Integer.toString(operator.entries()), "dtype", engineType(v.type()));
        return to.operator("one_hot", v, "", attributes, input(to, v, 0));
    }

    private static Ref cumulativeSum(MxSymbolWriter to, Value v, Reduction.CumulativeSum operator) {
        String axis = Integer.toString(to.axis(v, operator.axis()));
        if (!operator.reversed()) {
            return to.operator("cumsum", v, "", Map.of("axis", axis), input(to, v, 0));
        }
        Ref turned = to.operator("reverse", v, "turned", Map.of("axis", "(" + axis + ")"), input(to, v, 0));
        Ref sums = to.operator("cumsum", v, "sums", Map.of("axis", axis), turned);
        return to.operator("reverse", v, "", Map.of("axis", "(" + axis + ")"), sums);
    }

    private static Ref reduce(MxSymbolWriter to, Value v, Reduction.Reduce operator) {
        String name = operator.how().name().toLowerCase(Locale.ROOT);
        Map<String, String> attributes = switch (operator.axis()) {
            case Reduction.Reduce.ALL -> Map.of();
            case Reduction.Reduce.BATCH -> Map.of("axis", "0");
            default -> Map.of("axis", Integer.toString(to.axis(v.inputs().get(0), operator.axis())));
        };
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
        return to.operator("Reshape", v, part, Map.of("shape", text(extents)), x);
    }

    private static String text(int[] extents) {
        return IntStream.of(extents).mapToObj(Integer::toString).collect(Collectors.joining(",", "(", ")"));
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
