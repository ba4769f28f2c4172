package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WinogradTile;
import hocket.programs.layers.Window;
import hocket.programs.operators.Products;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions with 3×3 windows and stride 1 by Winograd's F(2×2, 3×3) (Lavin and Gray 2016): 16 products for a tile of 2×2
 * pixels, where the definition takes 36. The weight's transform is rounded once; those of the image and the result add up to
 * 16 numbers, so that a result's error is a few times that of the definition.
 */
final class DenseWinogradRules {
    private static final int PANEL = Scratch.PANEL;
    private static final int POSITIONS = WinogradTile.POSITIONS;

    /** With fewer channels or filters, the transforms cost more than they save. */
    private static final int WORTH_TRANSFORMING = 16;

    /** {@code G} of the transform {@code G·g·Gᵀ} of a window g. */
    private static final double[][] WEIGHT = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};

    private DenseWinogradRules() {}

    /** Returns whether a convolution, or a transposed one, of many rows takes fewer products than by its definition. */
    static boolean covers(Value value) {
        boolean transposed = value.operator() instanceof Products.TransposedConvolution;
        Window kernel;
        if (value.operator() instanceof Products.Convolution convolution) {
            kernel = convolution.kernel();
        } else if (value.operator() instanceof Products.TransposedConvolution operator) {
            kernel = operator.kernel();
        } else {
            return false;
        }
        Shape weight = value.inputs().get(1).shape();
        int channels = weight.get(transposed ? 0 : 1);
        int filters = weight.get(transposed ? 1 : 0);
        Shape x = value.inputs().get(0).shape();
        return covers(kernel, weight, channels, filters, Scratch.LANES)
                || !PhaseTile.of(kernel, transposed, weight, channels, filters, x, value.shape(), Scratch.LANES)
                        .isEmpty();
    }

    /**
     * Returns whether a convolution is computed by these rules.
     *
     * @param channels of x
     * @param stride of the rows
     */
    static boolean covers(Window kernel, Shape weight, int channels, int filters, int stride) {
        return weight.get(2) == 3
                && weight.get(3) == 3
                && kernel.stride().equals(List.of(1, 1))
                && kernel.dilation().equals(List.of(1, 1))
                && kernel.groups() == 1
                && stride >= Scratch.LANES
                && channels >= WORTH_TRANSFORMING
                && filters >= WORTH_TRANSFORMING;
    }

    /**
     * A convolution, or a transposed one, which is a convolution with the window turned around and other padding.
     *
     * @param transposed whether the weight is (channels, filters, 3, 3) and is to be turned around
     */
    static Runnable convolution(
            DenseRules in,
            Window kernel,
            boolean transposed,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        int channels = x.shape().get(0);
        int filters = y.shape().get(0);
        float[] from = in.array(x);
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : new float[0];
        int stride = in.memory.stride(y);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = y.shape().get(1) * y.shape().get(2) * stride;
        float[] arranged = in.memory.working(POSITIONS * filters * channels);
        WinogradTile[] tiles = tiles(kernel, transposed, x.shape(), y.shape(), stride);
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(inputs.get(1), y, in.memory.rows(y));
        DenseKernels kernels = in.kernels;
        Runnable arrange = in.threads.products(multiplyAdds, share -> {
            int end = ProductBlocking.first(share.index() + 1, share.count(), filters, 1);
            for (int f = ProductBlocking.first(share.index(), share.count(), filters, 1); f < end; f++) {
                for (int c = 0; c < channels; c++) {
                    int at = 9 * (transposed ? c * filters + f : f * channels + c);
                    transform(weight, at, transposed, arranged, f * channels + c, filters * channels);
                }
            }
        });
        Runnable products = in.threads.products(multiplyAdds, share -> {
            Scratch scratch = share.scratch();
            int image = POSITIONS * channels * PANEL;
            float[] gathered = scratch.gathered(image + DenseMemory.SLACK);
            float[] sums = scratch.products(POSITIONS * filters * PANEL + DenseMemory.SLACK);
            int end = ProductBlocking.first(share.index() + 1, share.count(), tiles.length, 1);
            for (int t = ProductBlocking.first(share.index(), share.count(), tiles.length, 1); t < end; t++) {
                WinogradTile tile = tiles[t];
                kernels.winogradImage(tile, from, 0, channel, channels, gathered, scratch);
                MatrixProduct size = new MatrixProduct(filters, tile.width(), channels, channels, PANEL, PANEL);
                for (int i = 0; i < POSITIONS; i++) {
                    Floats left = new Floats(arranged, i * filters * channels);
                    Floats right = new Floats(gathered, i * channels * PANEL);
                    kernels.product(size, left, right, new Floats(sums, i * filters * PANEL), false, null, scratch);
                }
                kernels.winogradResult(tile, sums, filters, bias, out, filter, scratch);
                activate(kernels, activated, tile, filters, filter, out);
            }
        });
        return () -> {
            arrange.run();
            products.run();
        };
    }

    private static void activate(
            DenseKernels kernels,
            DenseFusion.@Nullable Activated activated,
            WinogradTile tile,
            int filters,
            int step,
            float[] out) {
        for (int f = 0; activated != null && f < filters; f++) {
            for (int pixel : tile.result()) {
                if (pixel >= 0) {
                    activated.apply(kernels, out, f * step + pixel, tile.width());
                }
            }
        }
    }

    /** Transforms a window: position i is written at {@code to + i·step}. */
    private static void transform(float[] weight, int at, boolean turned, float[] arranged, int to, int step) {
        double[] between = new double[12];
        for (int i = 0; i < 4; i++) {
            for (int b = 0; b < 3; b++) {
                double sum = 0;
                for (int a = 0; a < 3; a++) {
                    sum += WEIGHT[i][a] * weight[at + (turned ? 8 - 3 * a - b : 3 * a + b)];
                }
                between[3 * i + b] = sum;
            }
        }
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                double sum = 0;
                for (int b = 0; b < 3; b++) {
                    sum += between[3 * i + b] * WEIGHT[j][b];
                }
                arranged[to + (4 * i + j) * step] = (float) sum;
            }
        }
    }

    /**
     * The gradient by the weight of a convolution: for each tile the products of the image's and the gradient's transforms,
     * whose sum is transformed back. Chains are as deep as in other products; they are added up pairwise.
     */
    static Runnable weight(DenseRules in, Window kernel, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        Value g = inputs.get(1);
        int channels = x.shape().get(0);
        int filters = g.shape().get(0);
        int rows = in.memory.rows(x);
        int stride = in.memory.stride(x);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int columns = g.shape().get(1) * g.shape().get(2) * stride;
        float[] from = in.array(x);
        float[] turned = in.memory.working(columns * filters);
        WinogradTile[] tiles = tiles(kernel, false, x.shape(), g.shape(), stride);
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(value, g, rows);
        DenseKernels kernels = in.kernels;
        Runnable turn = DenseConvolutionRules.filtersInnermost(in, g, filters, columns, multiplyAdds, turned);
        Runnable products = in.threads.products(multiplyAdds, share -> {
            int c0 = ProductBlocking.first(share.index(), share.count(), channels, 1);
            int part = ProductBlocking.first(share.index() + 1, share.count(), channels, 1) - c0;
            Scratch scratch = share.scratch();
            int size = part * filters;
            float[] image = scratch.gathered(POSITIONS * part * PANEL + DenseMemory.SLACK);
            float[] gradients = scratch.products(POSITIONS * PANEL * filters + DenseMemory.SLACK);
            float[] chain = scratch.chain(POSITIONS * size + DenseMemory.SLACK);
            PairwiseSums sums = scratch.sums();
            sums.begin(POSITIONS * size);
            int deep = 0;
            for (WinogradTile tile : tiles) {
                int depth = Math.min(tile.width(), rows - tile.first());
                if (depth <= 0) {
                    continue; // nothing but padding
                }
                if (deep + depth > Scratch.CHAIN) {
                    sums.add(kernels, chain, 0);
                    Arrays.fill(chain, 0, POSITIONS * size, 0);
                    deep = 0;
                }
                deep += depth;
                kernels.winogradImage(tile, from, c0 * channel, channel, part, image, scratch);
                kernels.winogradGradient(tile, turned, depth, filters, gradients, scratch);
                MatrixProduct product = new MatrixProduct(part, filters, depth, PANEL, filters, filters);
                for (int i = 0; i < POSITIONS; i++) {
                    Floats left = new Floats(image, i * part * PANEL);
                    Floats right = new Floats(gradients, i * PANEL * filters);
                    kernels.product(product, left, right, new Floats(chain, i * size), true, null, scratch);
                }
            }
            sums.add(kernels, chain, 0);
            float[] sum = sums.sum(kernels);
            for (int c = 0; c < part; c++) {
                for (int f = 0; f < filters; f++) {
                    transformBack(sum, c * filters + f, size, out, 9 * (f * channels + c0 + c));
                }
            }
        });
        return () -> {
            turn.run();
            products.run();
        };
    }

    /** Transforms the sums of products to a window: {@code Gᵀ·u·G}. */
    private static void transformBack(float[] sums, int at, int step, float[] out, int to) {
        double[] between = new double[12];
        for (int a = 0; a < 3; a++) {
            for (int j = 0; j < 4; j++) {
                double sum = 0;
                for (int i = 0; i < 4; i++) {
                    sum += WEIGHT[i][a] * sums[at + (4 * i + j) * step];
                }
                between[4 * a + j] = sum;
            }
        }
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                double sum = 0;
                for (int j = 0; j < 4; j++) {
                    sum += between[4 * a + j] * WEIGHT[j][b];
                }
                out[to + 3 * a + b] = (float) sum;
            }
        }
    }

    private static WinogradTile[] tiles(Window kernel, boolean transposed, Shape x, Shape y, int stride) {
        int above = transposed ? 2 - kernel.pad().get(0) : kernel.pad().get(0);
        int before = transposed ? 2 - kernel.pad().get(1) : kernel.pad().get(1);
        List<WinogradTile> tiles = new ArrayList<>();
        for (int row = 0; row < y.get(1); row += 2) {
            for (int column = 0; column < y.get(2); column += 2) {
                for (int first = 0; first < stride; first += PANEL) {
                    int[] image = pixels(x, row - above, column - before, 4, stride, first);
                    int[] result = pixels(y, row, column, 2, stride, first);
                    tiles.add(new WinogradTile(image, result, first, Math.min(PANEL, stride - first)));
                }
            }
        }
        return tiles.toArray(WinogradTile[]::new);
    }

    /** Returns the elements of a square of pixels in a channel, −1 for those outside of it. */
    private static int[] pixels(Shape shape, int row, int column, int side, int stride, int first) {
        int[] pixels = new int[side * side];
        Arrays.setAll(pixels, i -> {
            int r = row + i / side;
            int c = column + i % side;
            boolean inside = r >= 0 && r < shape.get(1) && c >= 0 && c < shape.get(2);
            return inside ? (r * shape.get(2) + c) * stride + first : -1;
        });
        return pixels;
    }
}
