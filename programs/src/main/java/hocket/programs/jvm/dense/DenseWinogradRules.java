package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WinogradTile;
import hocket.programs.layers.Window;
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
        float[] arranged = new float[POSITIONS * filters * channels + DenseMemory.SLACK];
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
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                double sum = 0;
                for (int k = 0; k < 9; k++) {
                    sum += WEIGHT[i][k / 3] * WEIGHT[j][k % 3] * weight[at + (turned ? 8 - k : k)];
                }
                arranged[to + (4 * i + j) * step] = (float) sum;
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
                    tiles.add(new WinogradTile(image, result, Math.min(PANEL, stride - first)));
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
