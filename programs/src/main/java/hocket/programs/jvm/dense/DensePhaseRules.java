package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.layers.Window;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions with 4×4 windows and stride 2 in {@linkplain PhaseTile tiles}: 9 products for 2×2 pixels and taps, where the
 * definition takes 16. Images, weights and results are transformed by sums of at most four numbers, so that a result's
 * error is a few times that of the definition. No bit depends on the number of threads: they share tiles, and in gradients
 * by weights channels.
 */
final class DensePhaseRules {
    private static final int PANEL = Scratch.PANEL;
    private static final int KINDS = PhaseTile.KINDS;
    private static final int PHASES = PhaseTile.PHASES;
    private static final int TAPS = 16;
    private static final float[] NONE = {};

    private DensePhaseRules() {}

    /** A convolution, or a transposed one, whose weight is (channels, filters, 4, 4). */
    static Runnable convolution(
            DenseRules in,
            Window kernel,
            boolean transposed,
            List<PhaseTile> tiles,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        int channels = x.shape().get(0);
        int filters = y.shape().get(0);
        float[] from = in.array(x);
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : NONE;
        int stride = in.memory.stride(y);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = y.shape().get(1) * y.shape().get(2) * stride;
        float[] turned = in.memory.working(TAPS * filters * channels);
        float[] arranged = in.memory.working(PHASES * KINDS * filters * channels);
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(inputs.get(1), y, in.memory.rows(y));
        DenseKernels kernels = in.kernels;
        PhaseTile[] all = tiles.toArray(PhaseTile[]::new);
        Runnable arrange = in.threads.products(multiplyAdds, share -> {
            int begin = ProductBlocking.first(share.index(), share.count(), filters, 1);
            int end = ProductBlocking.first(share.index() + 1, share.count(), filters, 1);
            DenseConvolutionRules.byTap(
                    kernels, weight, transposed, channels, filters, TAPS, begin, end, turned, share.scratch());
            for (int phase = 0; phase < PHASES; phase++) {
                int[] rows = PhaseTile.taps(transposed, phase / 2, kernel.pad().get(0));
                int[] columns =
                        PhaseTile.taps(transposed, phase % 2, kernel.pad().get(1));
                for (int kind = 0; kind < KINDS; kind++) {
                    int[] taps = new int[4];
                    for (int k = 0; k < 4; k++) {
                        int row = PhaseTile.PARTS[kind / 3][k / 2];
                        int column = PhaseTile.PARTS[kind % 3][k % 2];
                        taps[k] = row < 0 || column < 0
                                ? -1
                                : ((4 * rows[row] + columns[column]) * filters + begin) * channels;
                    }
                    int to = ((phase * KINDS + kind) * filters + begin) * channels;
                    kernels.combine(1, turned, taps, 0, 1, (end - begin) * channels, NONE, arranged, to, 0);
                }
            }
        });
        Runnable products = in.threads.products(multiplyAdds, share -> {
            Scratch scratch = share.scratch();
            float[] image = scratch.gathered(channels * PANEL + DenseMemory.SLACK);
            float[] sums = scratch.products(KINDS * filters * PANEL + DenseMemory.SLACK);
            boolean[] begun = new boolean[KINDS];
            int[] planes = new int[4];
            for (int t = share.index(); t < all.length; t += share.count()) {
                PhaseTile tile = all[t];
                Arrays.fill(begun, false);
                for (int phase = 0; phase < tile.image().length; phase++) { // whose pixels stay in a cache
                    for (int kind = 0; kind < KINDS; kind++) {
                        int[] elements = tile.image()[phase][kind];
                        if (elements == null) {
                            continue;
                        }
                        kernels.combine(-1, from, elements, channel, channels, tile.width(), NONE, image, 0, PANEL);
                        int left = ((tile.phase() + phase) * KINDS + kind) * filters * channels;
                        kernels.product(
                                new MatrixProduct(filters, tile.width(), channels, channels, PANEL, PANEL),
                                new Floats(arranged, left),
                                new Floats(image, 0),
                                new Floats(sums, kind * filters * PANEL),
                                begun[kind],
                                null,
                                scratch);
                        begun[kind] = true;
                    }
                }
                for (int[] result : tile.results()) {
                    for (int k = 0; k < 4; k++) {
                        planes[k] = result[1 + k] < 0 ? -1 : result[1 + k] * filters * PANEL;
                    }
                    kernels.combine(1, sums, planes, PANEL, filters, tile.width(), bias, out, result[0], filter);
                    for (int f = 0; activated != null && f < filters; f++) {
                        activated.apply(kernels, out, f * filter + result[0], tile.width());
                    }
                }
            }
        });
        return () -> {
            arrange.run();
            products.run();
        };
    }

    /**
     * The gradient by the weight of a convolution: for each tile and kind the products of the image and the gradient, whose
     * sums are added up to those of the taps. Chains are as deep as in other products; they are added up pairwise.
     */
    static Runnable weight(
            DenseRules in, Window kernel, List<PhaseTile> tiles, Value value, List<Value> inputs, float[] out) {
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
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(value, g, rows);
        DenseKernels kernels = in.kernels;
        PhaseTile[] all = tiles.stream().filter(tile -> tile.first() < rows).toArray(PhaseTile[]::new);
        Runnable turn = DenseConvolutionRules.filtersInnermost(in, g, filters, columns, multiplyAdds, turned);
        Runnable products = in.threads.products(multiplyAdds, share -> {
            int c0 = ProductBlocking.first(share.index(), share.count(), channels, 1);
            int part = ProductBlocking.first(share.index() + 1, share.count(), channels, 1) - c0;
            if (part == 0) {
                return;
            }
            int size = PHASES * part * filters;
            Scratch scratch = share.scratch();
            float[] image = scratch.gathered(part * PANEL + DenseMemory.SLACK);
            float[] gradient = scratch.products(Math.max(KINDS * PANEL, TAPS * part) * filters + DenseMemory.SLACK);
            float[] chain = scratch.chain(KINDS * size + DenseMemory.SLACK);
            PairwiseSums sums = scratch.sums();
            sums.begin(KINDS * size);
            int[] planes = new int[4];
            int deep = 0;
            for (PhaseTile tile : all) {
                int depth = Math.min(tile.width(), rows - tile.first());
                if (deep + depth > Scratch.CHAIN) {
                    sums.add(kernels, chain, 0);
                    Arrays.fill(chain, 0, KINDS * size, 0);
                    deep = 0;
                }
                deep += depth;
                for (int kind = 0; kind < KINDS; kind++) {
                    int[] elements = tile.gradients()[kind];
                    if (elements != null) {
                        shifted(elements, 0, filters, planes);
                        int to = kind * PANEL * filters;
                        kernels.combine(1, turned, planes, 0, 1, depth * filters, NONE, gradient, to, 0);
                    }
                }
                for (int phase = 0; phase < PHASES; phase++) {
                    for (int kind = 0; kind < KINDS; kind++) {
                        int[] elements = tile.image()[phase][kind];
                        if (elements == null) {
                            continue;
                        }
                        shifted(elements, c0 * channel, 1, planes);
                        kernels.combine(-1, from, planes, channel, part, tile.width(), NONE, image, 0, PANEL);
                        kernels.product(
                                new MatrixProduct(part, filters, depth, PANEL, filters, filters),
                                new Floats(image, 0),
                                new Floats(gradient, kind * PANEL * filters),
                                new Floats(chain, (kind * PHASES + phase) * part * filters),
                                true,
                                null,
                                scratch);
                    }
                }
            }
            sums.add(kernels, chain, 0);
            write(kernels, kernel, sums.sum(kernels), channels, c0, part, filters, gradient, out, share);
        });
        return () -> {
            turn.run();
            products.run();
        };
    }

    /** Multiplies the elements that are there, and adds to them. */
    private static void shifted(int[] elements, int by, int times, int[] to) {
        for (int k = 0; k < 4; k++) {
            to[k] = elements[k] < 0 ? -1 : elements[k] * times + by;
        }
    }

    /** Writes the gradient of some channels from the sums by kind, phase, channel and filter. */
    private static void write(
            DenseKernels kernels,
            Window kernel,
            float[] sums,
            int channels,
            int firstChannel,
            int part,
            int filters,
            float[] taps,
            float[] out,
            WorkShare share) {
        int[] planes = new int[4];
        for (int phase = 0; phase < PHASES; phase++) {
            for (int k = 0; k < 4; k++) {
                int[] rows = PhaseTile.SUMS[k / 2];
                int[] columns = PhaseTile.SUMS[k % 2];
                for (int i = 0; i < 4; i++) {
                    int kind = 3 * rows[i / 2] + columns[i % 2];
                    planes[i] = (kind * PHASES + phase) * part * filters;
                }
                int row = PhaseTile.taps(false, phase / 2, kernel.pad().get(0))[k / 2];
                int column = PhaseTile.taps(false, phase % 2, kernel.pad().get(1))[k % 2];
                int to = (4 * row + column) * part * filters;
                kernels.combine(1, sums, planes, 0, 1, part * filters, NONE, taps, to, 0);
            }
        }
        for (int c = 0; c < part; c++) {
            int to = (firstChannel + c) * TAPS;
            kernels.turn(taps, c * filters, TAPS, filters, part * filters, out, to, channels * TAPS, share.scratch());
        }
    }
}
