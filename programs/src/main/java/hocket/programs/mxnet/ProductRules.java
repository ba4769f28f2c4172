package hocket.programs.mxnet;

import static hocket.programs.mxnet.Idioms.copy;
import static hocket.programs.mxnet.Idioms.engineType;
import static hocket.programs.mxnet.Idioms.flag;
import static hocket.programs.mxnet.Idioms.image;
import static hocket.programs.mxnet.Idioms.input;
import static hocket.programs.mxnet.Idioms.joined;
import static hocket.programs.mxnet.Idioms.pair;
import static hocket.programs.mxnet.Idioms.reshape;
import static hocket.programs.mxnet.Idioms.sliceAxis;
import static hocket.programs.mxnet.Idioms.zeros;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.programs.operators.Leaf;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Products;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The translation of {@link Products} to the engine's operators. */
final class ProductRules {
    /** The most elements that the engine may add in sequence: 1024 equal ones are right to some 1e-5 of their sum. */
    private static final int MOST_SUMMED = 1024;

    private ProductRules() {}

    static Ref dense(MxSymbolWriter to, Value v, Products.Dense operator) {
        boolean biased = v.inputs().size() > 2;
        // The engine computes the gradient by the bias as a part of that by the weight: not where only it is wanted,
        // and of many rows without compensation.
        boolean apart = biased
                && to.wantsGradient(v.inputs().get(2))
                && (!to.wantsGradient(v.inputs().get(1)) || summed(to, v) > MOST_SUMMED);
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
            product = to.operator("broadcast_add", v, row ? "sum" : "", product, input(to, v, 2));
        }
        return row ? reshape(to, v, "", to.extents(v), product) : product;
    }

    /** Returns the number of elements that the gradient by a bias sums up. */
    private static long summed(MxSymbolWriter to, Value v) {
        return (long) v.shape().size() / v.shape().get(-1) * (v.batched() ? to.requireBatch(v) : 1);
    }

    static Ref denseInput(MxSymbolWriter to, Value v, Products.DenseInput operator) {
        Value g = v.inputs().get(0);
        boolean row = !v.batched() && v.shape().rank() == 1;
        Ref rows = row ? reshape(to, v, "row", new int[] {1, g.shape().get(0)}, to.ref(g)) : to.ref(g);
        Ref turned = to.operator("transpose", v, "turned", Map.of("axes", "(1,0)"), input(to, v, 1));
        Ref product = product(to, v, row ? "product" : "", v.shape().get(-1), rows, turned);
        return row ? reshape(to, v, "", to.extents(v), product) : product;
    }

    static Ref denseWeight(MxSymbolWriter to, Value v, Products.DenseWeight operator) {
        Ref x = columns(to, v, "x", v.inputs().get(0));
        Ref g = columns(to, v, "g", v.inputs().get(1));
        return product(to, v, "", v.shape().get(1), g, x);
    }

    /** Returns all axes except the last as columns. */
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

    static Ref matmul(MxSymbolWriter to, Value v, Matmul operator) {
        Map<String, String> attributes =
                Map.of("transpose_a", flag(operator.transposedLeft()), "transpose_b", flag(operator.transposedRight()));
        Ref product = to.operator("batch_dot", v, "product", attributes, pairs(to, v, "a", 0), pairs(to, v, "b", 1));
        return reshape(to, v, "", to.extents(v), product);
    }

    /** Returns all matrices of an input, one after the other. */
    private static Ref pairs(MxSymbolWriter to, Value v, String part, int input) {
        Shape shape = v.inputs().get(input).shape();
        return reshape(to, v, part, new int[] {-1, shape.get(-2), shape.get(-1)}, input(to, v, input));
    }

    static Ref convolution(MxSymbolWriter to, Value v, Products.Convolution operator) {
        Map<String, String> attributes = window(operator.kernel());
        attributes.put("num_filter", Integer.toString(v.shape().get(0)));
        attributes.put("no_bias", flag(v.inputs().size() == 2));
        return image(to, v, rows -> {
            Ref[] inputs = withWeights(to, v, rows);
            // The gradient of a computed weight would come back in the convolution's padded layout.
            if (!(v.inputs().get(1).operator() instanceof Leaf.Variable)) {
                inputs[1] = copy(to, v, "weight", inputs[1]);
            }
            return to.operator("Convolution", v, "", attributes, inputs);
        });
    }

    static Ref transposedConvolution(MxSymbolWriter to, Value v, Products.TransposedConvolution operator) {
        Window kernel = operator.kernel();
        Map<String, String> attributes = window(kernel);
        attributes.put("adj", pair(kernel.outputPad()));
        int filters = v.shape().get(0);
        Value weight = v.inputs().get(1);
        if (!(weight.operator() instanceof Leaf.Variable) || isWrong(v, kernel)) {
            return asConvolution(to, v, kernel);
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
            return to.operator("broadcast_add", v, "", narrow, bias);
        });
    }

    /**
     * Returns whether the engine's operator is wrong: in FLOAT64 if stride and dilation both exceed 1, or if only the
     * dilation allows the output padding, which it rejects.
     */
    private static boolean isWrong(Value v, Window kernel) {
        return IntStream.range(0, 2)
                .anyMatch(i -> kernel.outputPad().get(i) >= kernel.stride().get(i)
                        || v.type() == ElementType.FLOAT64
                                && kernel.stride().get(i) > 1
                                && kernel.dilation().get(i) > 1);
    }

    /**
     * The engine's own transposed convolution ends the process where its weight is computed and a gradient flows to it. So
     * the plain convolution that it is, of the image with zeros between its pixels and the window turned around.
     */
    private static Ref asConvolution(MxSymbolWriter to, Value v, Window kernel) {
        Shape weight = v.inputs().get(1).shape();
        int groups = kernel.groups();
        int in = weight.get(0) / groups;
        int out = weight.get(1);
        int[] taps = {weight.get(2), weight.get(3)};
        Ref turned = to.operator("reverse", v, "turned", Map.of("axis", "(2,3)"), input(to, v, 1));
        Ref split = reshape(to, v, "split", new int[] {groups, in, out, taps[0], taps[1]}, turned);
        Ref swapped = to.operator("transpose", v, "swapped", Map.of("axes", "(0,2,1,3,4)"), split);
        Ref shaped = reshape(to, v, "shaped", new int[] {groups * out, in, taps[0], taps[1]}, swapped);
        Ref window = copy(to, v, "window", shaped);
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

    /** Returns an image with a stride's zeros after each pixel and those of the output padding at the end. */
    private static Ref spaced(MxSymbolWriter to, Value v, Shape rows, Window kernel, Ref x) {
        int[] extents = MxSymbolWriter.withRows(rows, v.batched() ? to.batch : 1);
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

    /**
     * The convolution of the images with the gradients as windows, rows as channels: stride and dilation change places.
     */
    static Ref convolutionWeight(MxSymbolWriter to, Value v, Products.ConvolutionWeight operator) {
        Window kernel = operator.kernel();
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
        int[] full = MxSymbolWriter.withRows(x.shape(), x.batched() ? to.batch : 1);
        Ref rows = reshape(to, v, part + "_rows", full, to.ref(x));
        return to.operator("transpose", v, part, Map.of("axes", "(1,0,2,3)"), rows);
    }

    private static Map<String, String> window(Window kernel) {
        Map<String, String> attributes = new HashMap<>();
        attributes.put("kernel", pair(kernel.size()));
        attributes.put("stride", pair(kernel.stride()));
        attributes.put("dilate", pair(kernel.dilation()));
        attributes.put("pad", pair(kernel.pad()));
        attributes.put("num_group", Integer.toString(kernel.groups()));
        return attributes;
    }

    static Ref embedding(MxSymbolWriter to, Value v, Products.Embedding operator) {
        Shape table = v.inputs().get(1).shape();
        Map<String, String> attributes = Map.of(
                "input_dim", Integer.toString(table.get(0)),
                "output_dim", Integer.toString(table.get(1)),
                "dtype", engineType(v.type()));
        return to.operator("Embedding", v, "", attributes, input(to, v, 0), input(to, v, 1));
    }
}
