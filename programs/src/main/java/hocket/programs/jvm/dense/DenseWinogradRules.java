package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.PlaneSum;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.layers.Window;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions in {@linkplain WinogradTile tiles} of 2×2 pixels: 16 products where a 3×3 window takes 36 by its definition,
 * and 9 for each phase of a 4×4 window with stride 2, where it takes 16. Images, weights and results are transformed by
 * sums of at most nine numbers, so that a result's error is a few times that of the definition. No bit depends on the number
 * of threads: they share tiles, and in gradients by weights channels.
 */
final class DenseWinogradRules {
    private static final int PANEL = Scratch.PANEL;
    private static final float[] NONE = {};

    /** Channels whose distance is a multiple of this number of elements displace one another from a cache. */
    private static final int DISPLACING = 1024;

    /** Channels whose pixels a cache keeps even so. */
    private static final int CHANNELS = 8;

    private DenseWinogradRules() {}

    /** The window of a convolution that is computed in tiles. */
    private record Windows(MinimalFilter filter, Window kernel, boolean transposed) {
        int phases() {
            return filter.phases();
        }

        /** Returns the number of kinds of both axes. */
        int kinds() {
            return filter.kinds() * filter.kinds();
        }

        /** Returns the number of taps of both axes. */
        int size() {
            return filter.side() * filter.side();
        }

        /** Returns the tap of the window for a tap of a phase's rows and one of its columns. */
        int tap(int phase, int row, int column) {
            int[] rows = filter.taps(
                    transposed, phase / filter.stride(), kernel.pad().get(0));
            int[] columns = filter.taps(
                    transposed, phase % filter.stride(), kernel.pad().get(1));
            return rows[row] * filter.side() + columns[column];
        }

        /** Returns for each phase the transform of its taps. */
        MinimalFilter.Transform[] weights() {
            MinimalFilter.Transform[] all = new MinimalFilter.Transform[phases()];
            Arrays.setAll(
                    all,
                    phase -> MinimalFilter.Transform.of(
                            filter.weights(),
                            filter.weights(),
                            filter.taps().length,
                            (row, column) -> tap(phase, row, column)));
            return all;
        }

        /** Returns for each phase the transform of sums, by kind and phase, to the gradients by its taps. */
        MinimalFilter.Transform[] taps() {
            MinimalFilter.Transform[] all = new MinimalFilter.Transform[phases()];
            Arrays.setAll(
                    all,
                    phase -> MinimalFilter.Transform.of(
                            filter.taps(),
                            filter.taps(),
                            filter.kinds(),
                            (row, column) -> (row * filter.kinds() + column) * phases() + phase));
            return all;
        }
    }

    /**
     * A convolution, or a transposed one.
     *
     * @param transposed whether the weight holds channels, then filters, instead of filters, then channels
     */
    static Runnable convolution(
            DenseRules in,
            Window kernel,
            boolean transposed,
            List<WinogradTile> tiles,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Windows windows = new Windows(tiles.get(0).filter(), kernel, transposed);
        Value x = inputs.get(0);
        int channels = x.shape().get(0);
        int filters = y.shape().get(0);
        float[] from = in.array(x);
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : NONE;
        int stride = in.memory.stride(y);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = y.shape().get(1) * y.shape().get(2) * stride;
        int kinds = windows.kinds();
        int plane = Scratch.lanes(filters) * channels;
        int taps = windows.size();
        MinimalFilter.Transform[] transforms = windows.weights();
        float[] turned = in.memory.working(taps * plane);
        float[] between = in.memory.working(transforms[0].between().length * plane);
        float[] arranged = in.memory.working(windows.phases() * kinds * plane);
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(inputs.get(1), y, in.memory.rows(y));
        DenseKernels kernels = in.kernels;
        WinogradTile[] all = tiles.toArray(WinogradTile[]::new);
        Runnable arrange = in.threads.products(multiplyAdds, share -> {
            int begin = WorkShare.first(share.index(), share.count(), filters, Scratch.LANES);
            int end = WorkShare.first(share.index() + 1, share.count(), filters, Scratch.LANES);
            Scratch scratch = share.scratch();
            int tap = Scratch.LANES * channels;
            float[] group = scratch.gathered(taps * tap + DenseMemory.SLACK);
            for (int f = begin; f < end; f += Scratch.LANES) {
                int some = Math.min(Scratch.LANES, end - f);
                DenseConvolutionRules.byTap(
                        kernels, weight, transposed, channels, filters, taps, f, f + some, group, 0, tap, scratch);
                for (int k = 0; k < taps; k++) {
                    int to = k * plane + f * channels;
                    kernels.turn(group, k * tap, some, channels, channels, turned, to, Scratch.LANES, scratch);
                }
            }
            int at = begin * channels;
            int width = Scratch.lanes(end - begin) * channels;
            for (int phase = 0; phase < transforms.length; phase++) {
                int first = at + phase * kinds * plane;
                Floats middle = new Floats(between, at);
                transforms[phase].run(
                        kernels, new Floats(turned, at), middle, plane, width, arranged, kind -> first + kind * plane);
            }
        });
        MatrixProduct[][] sizes = new MatrixProduct[PANEL / Scratch.LANES + 1][Scratch.lanes(filters) / Scratch.LANES];
        for (int i = 0; i < sizes.length; i++) {
            int columns = i * Scratch.LANES;
            Arrays.setAll(sizes[i], group -> {
                int rows = Math.min(Scratch.LANES, filters - group * Scratch.LANES);
                return MatrixProduct.ofGroup(rows, columns, channels, PANEL, PANEL);
            });
        }
        AtomicInteger next =
                new AtomicInteger(); // a thread takes the next tile when it is done with one, as cores differ
        Runnable products = in.threads.products(multiplyAdds, share -> {
            Scratch scratch = share.scratch();
            Image image = new Image(kernels, from, 0, channel, channels, kinds, scratch);
            int size = filters * PANEL;
            float[] sums = scratch.products(2 * kinds * size + DenseMemory.SLACK);
            boolean[] begun = new boolean[kinds];
            for (int t = next.getAndIncrement(); t < all.length; t = next.getAndIncrement()) {
                WinogradTile tile = all[t];
                Arrays.fill(begun, false);
                for (int phase = 0; phase < tile.image().length; phase++) { // whose pixels stay in a cache
                    image.begin(tile, phase);
                    for (int kind = 0; kind < kinds; kind++) {
                        if (tile.image()[phase][kind].isZero()) {
                            continue;
                        }
                        int left = ((tile.phase() + phase) * kinds + kind) * plane;
                        Floats right = image.kind(tile, phase, kind);
                        MatrixProduct[] groups = sizes[tile.width() / Scratch.LANES];
                        for (int g = 0; g < groups.length; g++) {
                            int first = g * Scratch.LANES;
                            kernels.product(
                                    groups[g],
                                    new Floats(arranged, left + first * channels),
                                    right,
                                    new Floats(sums, kind * size + first * PANEL),
                                    begun[kind],
                                    null,
                                    scratch);
                        }
                        begun[kind] = true;
                    }
                }
                PlaneSum[] first = tile.results().between();
                for (int i = 0; i < first.length; i++) {
                    int to = (kinds + i) * size;
                    kernels.combine(first[i], sums, 0, size, PANEL, filters, tile.width(), NONE, sums, to, PANEL);
                }
                int read = first.length == 0 ? 0 : kinds * size;
                for (int i = 0; i < tile.pixels().length; i++) {
                    int to = tile.pixels()[i];
                    PlaneSum of = tile.results().results()[i];
                    kernels.combine(of, sums, read, size, PANEL, filters, tile.width(), bias, out, to, filter);
                    for (int f = 0; activated != null && f < filters; f++) {
                        activated.apply(kernels, out, f * filter + to, tile.width());
                    }
                }
            }
        });
        return () -> {
            arrange.run();
            next.set(0);
            products.run();
        };
    }

    /** Some channels of an image, transformed kind by kind. */
    private static final class Image {
        private final DenseKernels kernels;
        private final float[] from;
        private final int at;
        private final int channel;
        private final int channels;
        private final float[] planes;
        private final boolean apart;

        /**
         * @param at the first element of the first channel
         * @param channel elements from one channel to the next
         */
        Image(DenseKernels kernels, float[] from, int at, int channel, int channels, int kinds, Scratch scratch) {
            this.kernels = kernels;
            this.from = from;
            this.at = at;
            this.channel = channel;
            this.channels = channels;
            this.apart = channel % DISPLACING == 0;
            this.planes = scratch.gathered((apart ? kinds : 1) * channels * PANEL + DenseMemory.SLACK);
        }

        /** Prepares a phase. Channels that displace one another are read once, and all kinds are kept. */
        void begin(WinogradTile tile, int phase) {
            for (int c = 0; apart && c < channels; c += CHANNELS) {
                int count = Math.min(CHANNELS, channels - c);
                for (int kind = 0; kind < tile.image()[phase].length; kind++) {
                    transform(tile, phase, kind, c, count, kind);
                }
            }
        }

        /** Returns a kind, which is not 0: for each channel a run of {@value Scratch#PANEL}. */
        Floats kind(WinogradTile tile, int phase, int kind) {
            if (!apart) {
                transform(tile, phase, kind, 0, channels, 0);
            }
            return new Floats(planes, apart ? kind * channels * PANEL : 0);
        }

        private void transform(WinogradTile tile, int phase, int kind, int first, int count, int plane) {
            PlaneSum of = tile.image()[phase][kind];
            int to = (plane * channels + first) * PANEL;
            if (!of.isZero()) {
                int begin = at + first * channel + tile.imageAt()[phase];
                kernels.combine(of, from, begin, 1, channel, count, tile.width(), NONE, planes, to, PANEL);
            }
        }
    }

    /**
     * The gradient by the weight of a convolution: for each tile and kind the products of the image and the gradient, whose
     * sums are transformed to those of the taps. Chains are as deep as in other products; they are added up pairwise.
     */
    static Runnable weight(
            DenseRules in, Window kernel, List<WinogradTile> tiles, Value value, List<Value> inputs, float[] out) {
        Windows windows = new Windows(tiles.get(0).filter(), kernel, false);
        Value x = inputs.get(0);
        Value g = inputs.get(1);
        int channels = x.shape().get(0);
        int filters = g.shape().get(0);
        int rows = in.memory.rows(x);
        int stride = in.memory.stride(x);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int columns = g.shape().get(1) * g.shape().get(2) * stride;
        int kinds = windows.kinds();
        int phases = windows.phases();
        float[] from = in.array(x);
        float[] turned = in.memory.working(columns * filters);
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(value, g, rows);
        DenseKernels kernels = in.kernels;
        WinogradTile[] all = tiles.stream().filter(tile -> tile.first() < rows).toArray(WinogradTile[]::new);
        Runnable turn = DenseConvolutionRules.filtersInnermost(in, g, filters, columns, multiplyAdds, turned);
        MinimalFilter.Transform[] transforms = windows.taps();
        Runnable products = in.threads.products(multiplyAdds, share -> {
            int c0 = WorkShare.first(share.index(), share.count(), channels, 1);
            int part = WorkShare.first(share.index() + 1, share.count(), channels, 1) - c0;
            if (part == 0) {
                return;
            }
            int size = part * filters;
            int planes = kinds * phases;
            Scratch scratch = share.scratch();
            Image image = new Image(kernels, from, c0 * channel, channel, part, kinds, scratch);
            int written = windows.size() + transforms[0].between().length;
            float[] gradient = scratch.products(Math.max(kinds * PANEL * filters, written * size) + DenseMemory.SLACK);
            ChainedSums sums = new ChainedSums(kernels, planes * size, scratch);
            for (WinogradTile tile : all) {
                int depth = Math.min(tile.width(), rows - tile.first());
                float[] chain = sums.next(depth);
                for (int kind = 0; kind < kinds; kind++) {
                    if (!tile.gradients()[kind].isZero()) {
                        int to = kind * PANEL * filters;
                        PlaneSum of = tile.gradients()[kind];
                        int at = tile.pixels()[0] * filters;
                        kernels.combine(of, turned, at, filters, 0, 1, depth * filters, NONE, gradient, to, 0);
                    }
                }
                MatrixProduct product = new MatrixProduct(part, filters, depth, PANEL, filters, filters);
                for (int phase = 0; phase < phases; phase++) {
                    image.begin(tile, phase);
                    for (int kind = 0; kind < kinds; kind++) {
                        if (!tile.image()[phase][kind].isZero()) {
                            kernels.product(
                                    product,
                                    image.kind(tile, phase, kind),
                                    new Floats(gradient, kind * PANEL * filters),
                                    new Floats(chain, (kind * phases + phase) * size),
                                    true,
                                    null,
                                    scratch);
                        }
                    }
                }
            }
            float[] sum = sums.total();
            int taps = windows.size();
            int along = windows.filter().taps().length;
            Floats middle = new Floats(gradient, taps * size);
            for (int phase = 0; phase < phases; phase++) {
                int of = phase;
                transforms[phase].run(
                        kernels,
                        Floats.of(sum),
                        middle,
                        size,
                        size,
                        gradient,
                        i -> windows.tap(of, i / along, i % along) * size);
            }
            for (int c = 0; c < part; c++) {
                int to = (c0 + c) * taps;
                kernels.turn(gradient, c * filters, taps, filters, size, out, to, channels * taps, scratch);
            }
        });
        return () -> {
            turn.run();
            products.run();
        };
    }
}
