package hocket.programs.jvm;

import hocket.programs.Value;
import hocket.programs.layers.Window;
import hocket.programs.operators.Matmul;
import hocket.programs.operators.Products;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/** The reference computation of {@link Products}, by their definitions. */
final class PlainProductRules {
    private PlainProductRules() {}

    static Runnable dense(PlainRules in, Products.Dense operator, Value v, List<Value> inputs, double[] out) {
        int units = v.shape().get(-1);
        double[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : new double[units];
        int width = in.array(inputs.get(1)).length / units;
        Factor x = new Factor(in.array(inputs.get(0)), width, 1);
        Runnable products = products(x, new Factor(in.array(inputs.get(1)), width, 1), units, width, out);
        return () -> {
            products.run();
            for (int i = 0; i < out.length; i++) {
                out[i] += bias[i % units];
            }
        };
    }

    static Runnable denseInput(PlainRules in, Products.DenseInput operator, Value v, List<Value> inputs, double[] out) {
        double[] weight = in.array(inputs.get(1));
        int width = v.shape().get(-1);
        int units = weight.length / width;
        Factor g = new Factor(in.array(inputs.get(0)), units, 1);
        return products(g, new Factor(weight, 1, width), width, units, out);
    }

    static Runnable denseWeight(
            PlainRules in, Products.DenseWeight operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        int width = v.shape().get(1);
        Factor g = new Factor(in.array(inputs.get(1)), 1, v.shape().get(0));
        return products(g, new Factor(x, 1, width), width, x.length / width, out);
    }

    /** A matrix of which element p of run i is {@code values[i·run + p·step]}. */
    private record Factor(double[] values, int run, int step) {}

    /** The sums of products of the runs of one matrix with those of another, which are as many as there are columns. */
    private static Runnable products(Factor a, Factor b, int columns, int depth, double[] out) {
        return () -> {
            for (int i = 0; i < out.length; i++) {
                double sum = 0;
                for (int p = 0; p < depth; p++) {
                    sum += a.values[i / columns * a.run + p * a.step] * b.values[i % columns * b.run + p * b.step];
                }
                out[i] = sum;
            }
        };
    }

    static Runnable matmul(PlainRules in, Matmul operator, Value v, List<Value> inputs, double[] out) {
        double[] a = in.array(inputs.get(0));
        double[] b = in.array(inputs.get(1));
        int rows = v.shape().get(-2);
        int columns = v.shape().get(-1);
        int depth = operator.depth(inputs.get(0));
        int aRow = operator.transposedLeft() ? 1 : depth;
        int aStep = operator.transposedLeft() ? rows : 1;
        int bRow = operator.transposedRight() ? 1 : columns;
        int bStep = operator.transposedRight() ? depth : 1;
        return () -> {
            for (int i = 0; i < out.length; i++) {
                int pair = i / (rows * columns);
                int left = pair * rows * depth + i / columns % rows * aRow;
                int right = pair * depth * columns + i % columns * bStep;
                double sum = 0;
                for (int p = 0; p < depth; p++) {
                    sum += a[left + p * aStep] * b[right + p * bRow];
                }
                out[i] = sum;
            }
        };
    }

    /** A triple of a convolution: an element of the image, one of the window, one of the result. */
    @FunctionalInterface
    private interface Joint {
        void at(int image, int weight, int result);
    }

    /**
     * Walks over all triples that a convolution joins, results outermost.
     *
     * @param x (channels, h, w) of the image
     * @param y (filters, h', w') of the result
     * @param kh extents of the window
     */
    private static void convolve(Window kernel, int images, Shape x, Shape y, int kh, int kw, Joint joint) {
        int in = x.get(0) / kernel.groups();
        int outs = y.get(0);
        int out = outs / kernel.groups();
        int height = x.get(1);
        int width = x.get(2);
        int rows = y.get(1);
        int columns = y.get(2);
        int[] stride = {kernel.stride().get(0), kernel.stride().get(1)};
        int[] dilation = {kernel.dilation().get(0), kernel.dilation().get(1)};
        int[] pad = {kernel.pad().get(0), kernel.pad().get(1)};
        for (int n = 0; n < images; n++) {
            for (int o = 0; o < outs; o++) {
                for (int i = 0; i < in; i++) {
                    int channel = n * x.get(0) + o / out * in + i;
                    for (int row = 0; row < rows; row++) {
                        for (int column = 0; column < columns; column++) {
                            int result = ((n * outs + o) * rows + row) * columns + column;
                            for (int r = 0; r < kh; r++) {
                                int top = row * stride[0] + r * dilation[0] - pad[0];
                                for (int c = 0; c < kw; c++) {
                                    int left = column * stride[1] + c * dilation[1] - pad[1];
                                    if (top >= 0 && top < height && left >= 0 && left < width) {
                                        int image = (channel * height + top) * width + left;
                                        joint.at(image, ((o * in + i) * kh + r) * kw + c, result);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static int images(PlainRules in, Value image) {
        return image.batched() ? in.rows : 1;
    }

    static Runnable convolution(
            PlainRules in, Products.Convolution operator, Value v, List<Value> inputs, double[] out) {
        return convolved(in, operator.kernel(), v, inputs, out, false);
    }

    /** The gradient of a convolution by its image. */
    static Runnable transposedConvolution(
            PlainRules in, Products.TransposedConvolution operator, Value v, List<Value> inputs, double[] out) {
        return convolved(in, operator.kernel(), v, inputs, out, true);
    }

    private static Runnable convolved(
            PlainRules in, Window kernel, Value v, List<Value> inputs, double[] out, boolean transposed) {
        double[] x = in.array(inputs.get(0));
        double[] weight = in.array(inputs.get(1));
        Shape window = inputs.get(1).shape();
        Shape from = inputs.get(0).shape();
        Runnable bias = bias(in, v, inputs, out);
        Joint joint = transposed
                ? (image, w, result) -> out[image] += x[result] * weight[w]
                : (image, w, result) -> out[result] += x[image] * weight[w];
        Shape image = transposed ? v.shape() : from;
        Shape result = transposed ? from : v.shape();
        return () -> {
            bias.run();
            convolve(kernel, images(in, v), image, result, window.get(2), window.get(3), joint);
        };
    }

    static Runnable convolutionWeight(
            PlainRules in, Products.ConvolutionWeight operator, Value v, List<Value> inputs, double[] out) {
        double[] x = in.array(inputs.get(0));
        double[] g = in.array(inputs.get(1));
        return () -> {
            Arrays.fill(out, 0);
            convolve(
                    operator.kernel(),
                    images(in, inputs.get(0)),
                    inputs.get(0).shape(),
                    inputs.get(1).shape(),
                    operator.window().get(0),
                    operator.window().get(1),
                    (image, w, result) -> out[w] += x[image] * g[result]);
        };
    }

    /** Fills images with the bias of their channels, or zeros. */
    private static Runnable bias(PlainRules in, Value v, List<Value> inputs, double[] out) {
        int channels = v.shape().get(0);
        int pixels = v.shape().size() / channels;
        double[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : new double[channels];
        return () -> {
            for (int i = 0; i < out.length; i++) {
                out[i] = bias[i / pixels % channels];
            }
        };
    }

    static Runnable embedding(PlainRules in, Products.Embedding operator, Value v, List<Value> inputs, double[] out) {
        double[] index = in.array(inputs.get(0));
        double[] table = in.array(inputs.get(1));
        int width = v.shape().get(-1);
        return () -> {
            for (int i = 0; i < index.length; i++) {
                System.arraycopy(table, (int) index[i] * width, out, i * width, width);
            }
        };
    }
}
