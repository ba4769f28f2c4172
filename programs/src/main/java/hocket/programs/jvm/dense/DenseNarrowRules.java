package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.dense.ConvolutionPanels.Panel;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.PairwiseSums;
import hocket.programs.jvm.kernels.PlaneSum;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.layers.Window;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions to few filters and gradients by weights of few channels, such as those next to an image: what is gathered
 * there would be used too few times. No bit depends on the number of threads: they share pixels, and in gradients by
 * weights filters.
 */
final class DenseNarrowRules {
    /** The most numbers of a window, or results of its taps, that are few. */
    private static final int FEW = 64;

    /** Columns of a gradient's panel: as many as a reduction adds up in FLOAT32. */
    private static final int COLUMNS = 256;

    /** Filters that a reduction computes at a time. */
    private static final int FILTERS = 4;

    private static final float[] NONE = {};

    private DenseNarrowRules() {}

    /** Returns whether the windows of an image have few numbers. */
    static boolean fewChannels(int channels, ConvolutionTaps taps) {
        return channels * taps.order().length <= FEW;
    }

    /** Returns whether a convolution of many rows to few filters is computed by its taps. */
    static boolean fewFilters(int channels, int filters, ConvolutionTaps taps, int stride) {
        int products = filters * taps.order().length;
        return stride >= Scratch.LANES && products <= FEW && 4 * filters <= channels && products <= 2 * channels;
    }

    /**
     * A convolution to few filters: one product for all taps and filters with every pixel of the image, from which each
     * pixel of the result adds up its taps.
     *
     * @param transposed whether the weight holds channels, then filters, instead of filters, then channels
     */
    static Runnable convolution(
            DenseRules in,
            ConvolutionTaps taps,
            boolean transposed,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        int channels = x.shape().get(0);
        int filters = y.shape().get(0);
        int count = taps.order().length;
        float[] from = in.array(x);
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : NONE;
        int stride = in.memory.stride(y);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = taps.pixels() * stride;
        float[] arranged = in.memory.working(count * filters * channels);
        float[] products = in.memory.working(Math.multiplyExact(count * filters, channel));
        long multiplyAdds = DenseConvolutionRules.multiplyAdds(inputs.get(1), y, in.memory.rows(y));
        DenseKernels kernels = in.kernels;
        Runnable arrange = in.threads.products(multiplyAdds, share -> {
            int begin = WorkShare.first(share.index(), share.count(), filters, 1);
            int end = WorkShare.first(share.index() + 1, share.count(), filters, 1);
            int at = begin * channels;
            int plane = filters * channels;
            DenseConvolutionRules.byTap(
                    kernels,
                    weight,
                    transposed,
                    channels,
                    filters,
                    count,
                    begin,
                    end,
                    arranged,
                    at,
                    plane,
                    share.scratch());
        });
        Runnable multiply = in.threads.products(multiplyAdds, share -> {
            int begin = WorkShare.first(share.index(), share.count(), channel, Scratch.PANEL);
            int end = WorkShare.first(share.index() + 1, share.count(), channel, Scratch.PANEL);
            MatrixProduct size = new MatrixProduct(count * filters, end - begin, channels, channels, channel, channel);
            Floats left = new Floats(arranged, 0);
            Floats to = new Floats(products, begin);
            kernels.product(size, left, new Floats(from, begin), to, false, null, share.scratch());
        });
        PlaneSum[][] sums = new PlaneSum[taps.pixels()][];
        Arrays.setAll(sums, pixel -> sums(taps, pixel, filters * channel, stride));
        Runnable add = in.threads.products(multiplyAdds, share -> {
            float[] more = share.scratch().gathered(filters * stride + DenseMemory.SLACK);
            int end = WorkShare.first(share.index() + 1, share.count(), taps.pixels(), 1);
            for (int p = WorkShare.first(share.index(), share.count(), taps.pixels(), 1); p < end; p++) {
                int at = p * stride;
                kernels.combine(sums[p][0], products, 0, 1, channel, filters, stride, bias, out, at, filter);
                for (int i = 1; i < sums[p].length; i++) {
                    kernels.combine(sums[p][i], products, 0, 1, channel, filters, stride, NONE, more, 0, stride);
                    for (int f = 0; f < filters; f++) {
                        int to = at + f * filter;
                        kernels.binary(Binary.ADD, out, to, 1, more, f * stride, 1, out, to, stride);
                    }
                }
                for (int f = 0; activated != null && f < filters; f++) {
                    activated.apply(kernels, out, at + f * filter, stride);
                }
            }
        });
        return () -> {
            arrange.run();
            multiply.run();
            add.run();
        };
    }

    /** Returns the sums of four that add up the taps of a pixel, whose elements of a channel and filter they name. */
    private static PlaneSum[] sums(ConvolutionTaps taps, int pixel, int tap, int stride) {
        int[] sources = taps.sources()[pixel];
        int[] positions = taps.positions()[pixel];
        PlaneSum[] sums = new PlaneSum[Math.max(1, (sources.length + 3) / 4)];
        for (int i = 0; i < sums.length; i++) {
            int first = 4 * i;
            sums[i] = new PlaneSum(1, 1, 0, 1, 2, 3)
                    .of(k -> first + k < sources.length
                            ? taps.order()[positions[first + k]] * tap + sources[first + k] * stride
                            : -1);
        }
        return sums;
    }

    /** The gradient by the weight of a convolution of few channels: the reduction of each filter's and tap's products. */
    static Runnable weight(
            DenseRules in, Window kernel, ConvolutionTaps taps, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        Value g = inputs.get(1);
        Shape weight = value.shape();
        int groups = kernel.groups();
        int channels = weight.get(1);
        int filters = weight.get(0) / groups;
        int count = taps.order().length;
        int stride = in.memory.stride(x);
        int rows = in.memory.rows(x);
        float[] from = in.array(x);
        float[] upstream = in.array(g);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = taps.pixels() * stride;
        Panel[] panels =
                ConvolutionPanels.whole(taps, rows, stride, COLUMNS, false).toArray(Panel[]::new);
        DenseKernels kernels = in.kernels;
        return in.threads.products(DenseConvolutionRules.multiplyAdds(value, g, rows), share -> {
            int begin = WorkShare.first(share.index(), share.count(), filters, FILTERS);
            int part = WorkShare.first(share.index() + 1, share.count(), filters, FILTERS) - begin;
            if (part == 0) {
                return;
            }
            Scratch scratch = share.scratch();
            float[] panel = scratch.gathered(count * channels * COLUMNS + DenseMemory.SLACK);
            float[] reduced = scratch.products(part * count * channels + DenseMemory.SLACK);
            PairwiseSums sums = scratch.sums();
            for (int group = 0; group < groups; group++) {
                int first = group * filters + begin;
                sums.begin(part * count * channels);
                for (Panel of : panels) {
                    of.gather(kernels, from, group * channels * channel, channel, channels, panel);
                    ConvolutionPanels.Part only = of.parts().get(0);
                    MatrixProduct size = new MatrixProduct(
                            part, count * channels, only.columns(), filter, COLUMNS, count * channels);
                    Floats left = new Floats(upstream, first * filter + only.at());
                    kernels.reductions(size, left, new Floats(panel, 0), new Floats(reduced, 0), scratch);
                    sums.add(kernels, reduced, 0);
                }
                float[] sum = sums.sum(kernels);
                for (int f = 0; f < part; f++) {
                    int at = f * count * channels;
                    kernels.turn(
                            sum, at, count, channels, channels, out, (first + f) * channels * count, count, scratch);
                }
            }
        });
    }
}
