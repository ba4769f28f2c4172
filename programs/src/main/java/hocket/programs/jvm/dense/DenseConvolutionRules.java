package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.dense.ConvolutionPanels.Panel;
import hocket.programs.jvm.dense.ConvolutionPanels.Part;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.operators.Products;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Convolutions as products of their weight with the {@linkplain ConvolutionPanels windows} of the image. The weight is
 * arranged once a run, by filter, position and channel, so that a product begins at any position. No bit depends on the
 * number of threads: they share panels, and in gradients by weights channels or filters.
 */
final class DenseConvolutionRules {
    private static final int WIDTH = ConvolutionPanels.WIDTH;

    /** Channels that a thread needs at least, so that threads share channels. */
    private static final int CHANNELS = 8;

    private DenseConvolutionRules() {}

    /** Returns the number of multiply-adds with a weight for a result of that many images, padding included. */
    static long multiplyAdds(Value weight, Value result, int images) {
        return (long) weight.shape().size()
                * result.shape().get(1)
                * result.shape().get(2)
                * images;
    }

    /** The channels and filters of one of a convolution's groups; filters are channels of the result. */
    private record Groups(int count, int channels, int filters) {}

    static Runnable convolution(
            DenseRules in,
            Products.Convolution operator,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        Shape weight = inputs.get(1).shape();
        List<WinogradTile> tiles =
                WinogradTile.of(operator.kernel(), false, weight, x.shape(), y.shape(), in.memory.stride(y));
        if (!tiles.isEmpty()) {
            return DenseWinogradRules.convolution(in, operator.kernel(), false, tiles, y, inputs, activated, out);
        }
        Groups groups = new Groups(
                operator.kernel().groups(),
                weight.get(1),
                weight.get(0) / operator.kernel().groups());
        ConvolutionTaps taps =
                ConvolutionTaps.of(operator.kernel(), weight.get(2), weight.get(3), x.shape(), y.shape());
        return gathered(in, groups, taps, y, inputs, false, activated, out);
    }

    static Runnable transposedConvolution(
            DenseRules in,
            Products.TransposedConvolution operator,
            Value y,
            List<Value> inputs,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        Shape weight = inputs.get(1).shape();
        List<WinogradTile> tiles =
                WinogradTile.of(operator.kernel(), true, weight, x.shape(), y.shape(), in.memory.stride(y));
        if (!tiles.isEmpty()) {
            return DenseWinogradRules.convolution(in, operator.kernel(), true, tiles, y, inputs, activated, out);
        }
        Groups groups = new Groups(
                operator.kernel().groups(), weight.get(0) / operator.kernel().groups(), weight.get(1));
        ConvolutionTaps taps =
                ConvolutionTaps.ofTransposed(operator.kernel(), weight.get(2), weight.get(3), x.shape(), y.shape());
        return gathered(in, groups, taps, y, inputs, true, activated, out);
    }

    /** @param transposed whether the weight holds channels, then filters, instead of filters, then channels */
    private static Runnable gathered(
            DenseRules in,
            Groups groups,
            ConvolutionTaps taps,
            Value y,
            List<Value> inputs,
            boolean transposed,
            DenseFusion.@Nullable Activated activated,
            float[] out) {
        Value x = inputs.get(0);
        int stride = in.memory.stride(y);
        if (groups.count() == 1 && DenseNarrowRules.fewFilters(groups.channels(), groups.filters(), taps, stride)) {
            return DenseNarrowRules.convolution(in, taps, transposed, y, inputs, activated, out);
        }
        float[] from = in.array(x);
        float[] weight = in.array(inputs.get(1));
        float[] bias = inputs.size() > 2 ? in.array(inputs.get(2)) : new float[0];
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        int filter = taps.pixels() * stride;
        int count = taps.order().length;
        List<Panel> all = DenseNarrowRules.fewChannels(groups.channels(), taps)
                ? ConvolutionPanels.whole(taps, in.memory.rows(y), stride, WIDTH, true)
                : ConvolutionPanels.of(taps, y.shape().get(2), in.memory.rows(y), stride, true);
        Panel[] panels = all.toArray(Panel[]::new);
        int places = mostPlaces(panels);
        float[] arranged = in.memory.working(groups.count() * groups.filters() * count * groups.channels());
        int depth = count * groups.channels();
        long multiplyAdds = multiplyAdds(inputs.get(1), y, in.memory.rows(y));
        DenseKernels kernels = in.kernels;
        Runnable arrange = in.threads.products(
                multiplyAdds,
                workShare -> arrange(kernels, groups, taps.order(), weight, transposed, arranged, workShare));
        Runnable products = in.threads.products(multiplyAdds, workShare -> {
            Scratch scratch = workShare.scratch();
            float[] panel = scratch.gathered(places * groups.channels() * WIDTH + DenseMemory.SLACK);
            int end = WorkShare.first(workShare.index() + 1, workShare.count(), panels.length, 1);
            for (int i = WorkShare.first(workShare.index(), workShare.count(), panels.length, 1); i < end; i++) {
                Panel of = panels[i];
                for (int g = 0; g < groups.count(); g++) {
                    of.gather(kernels, from, g * groups.channels() * channel, channel, groups.channels(), panel);
                    for (Part part : of.parts()) {
                        Floats to = new Floats(out, g * groups.filters() * filter + part.at());
                        Floats start = bias.length == 0 ? null : new Floats(bias, g * groups.filters());
                        boolean add = false;
                        for (int[] run : part.runs()) {
                            MatrixProduct size = new MatrixProduct(
                                    groups.filters(), part.columns(), run[1] * groups.channels(), depth, WIDTH, filter);
                            Floats left =
                                    new Floats(arranged, g * groups.filters() * depth + run[0] * groups.channels());
                            Floats right = new Floats(panel, run[2] * groups.channels() * WIDTH);
                            kernels.product(size, left, right, to, add, start, scratch);
                            add = true;
                        }
                        if (!add) { // output padding: nothing but the bias
                            for (int o = 0; o < groups.filters(); o++) {
                                int at = to.at() + o * filter;
                                float value = start == null ? 0 : bias[start.at() + o];
                                Arrays.fill(out, at, at + part.columns(), value);
                            }
                        }
                        for (int o = 0; activated != null && o < groups.filters(); o++) {
                            activated.apply(kernels, out, to.at() + o * filter, part.columns());
                        }
                    }
                }
            }
        });
        return () -> {
            arrange.run();
            products.run();
        };
    }

    private static int mostPlaces(Panel[] panels) {
        return Arrays.stream(panels).mapToInt(Panel::places).max().orElse(0);
    }

    /**
     * Arranges some filters of a weight of one group by tap, filter and channel, from an element on.
     *
     * @param transposed whether the weight holds channels, then filters, instead of filters, then channels
     * @param plane elements from one tap to the next
     */
    static void byTap(
            DenseKernels kernels,
            float[] weight,
            boolean transposed,
            int channels,
            int filters,
            int taps,
            int begin,
            int end,
            float[] to,
            int toAt,
            int plane,
            Scratch scratch) {
        for (int f = begin; f < end; f++) {
            int at = taps * (transposed ? f : f * channels);
            int step = transposed ? taps * filters : taps;
            kernels.turn(weight, at, channels, taps, step, to, toAt + (f - begin) * channels, plane, scratch);
        }
    }

    /** Arranges a weight by group, filter, position and channel. */
    private static void arrange(
            DenseKernels kernels,
            Groups groups,
            int[] order,
            float[] weight,
            boolean transposed,
            float[] to,
            WorkShare workShare) {
        int channels = groups.channels();
        int taps = order.length;
        int all = groups.count() * groups.filters();
        float[] turned = workShare.scratch().gathered(taps * channels + DenseMemory.SLACK);
        int end = WorkShare.first(workShare.index() + 1, workShare.count(), all, 1);
        for (int o = WorkShare.first(workShare.index(), workShare.count(), all, 1); o < end; o++) {
            int group = o / groups.filters();
            int first = transposed ? group * channels * groups.filters() + o % groups.filters() : o * channels;
            int step = transposed ? groups.filters() * taps : taps;
            kernels.turn(weight, first * taps, channels, taps, step, turned, 0, channels, workShare.scratch());
            for (int k = 0; k < taps; k++) {
                System.arraycopy(turned, order[k] * channels, to, (o * taps + k) * channels, channels);
            }
        }
    }

    /**
     * The gradient by the weight: for each panel, its positions and channels times the gradients of the filters, over the
     * panel's columns. Chains are as deep as in other products; they are added up pairwise.
     */
    static Runnable weight(
            DenseRules in, Products.ConvolutionWeight operator, Value value, List<Value> inputs, float[] out) {
        Value x = inputs.get(0);
        Value g = inputs.get(1);
        Shape shape = value.shape();
        List<WinogradTile> tiles =
                WinogradTile.of(operator.kernel(), false, shape, x.shape(), g.shape(), in.memory.stride(x));
        if (!tiles.isEmpty()) {
            return DenseWinogradRules.weight(in, operator.kernel(), tiles, value, inputs, out);
        }
        int groupCount = operator.kernel().groups();
        Groups groups =
                new Groups(groupCount, value.shape().get(1), value.shape().get(0) / groupCount);
        ConvolutionTaps taps = ConvolutionTaps.of(
                operator.kernel(), operator.window().get(0), operator.window().get(1), x.shape(), g.shape());
        int stride = in.memory.stride(x);
        if (stride >= Scratch.LANES && DenseNarrowRules.fewChannels(groups.channels(), taps)) {
            return DenseNarrowRules.weight(in, operator.kernel(), taps, value, inputs, out);
        }
        int filters = value.shape().get(0);
        int columns = taps.pixels() * stride;
        float[] turned = in.memory.working(columns * filters);
        Panel[] panels = ConvolutionPanels.of(taps, g.shape().get(2), in.memory.rows(x), stride, false)
                .toArray(Panel[]::new);
        int places = mostPlaces(panels);
        long multiplyAdds = multiplyAdds(value, g, in.memory.rows(g));
        DenseKernels kernels = in.kernels;
        Runnable turn = filtersInnermost(in, g, filters, columns, multiplyAdds, turned);
        float[] from = in.array(x);
        int channel = x.shape().get(1) * x.shape().get(2) * stride;
        Runnable products = in.threads.products(multiplyAdds, workShare -> {
            int index = workShare.index();
            int count = workShare.count();
            boolean byChannels = groups.channels() >= CHANNELS * count;
            int c0 = byChannels ? WorkShare.first(index, count, groups.channels(), 1) : 0;
            int c1 = byChannels ? WorkShare.first(index + 1, count, groups.channels(), 1) : groups.channels();
            int o0 = byChannels ? 0 : WorkShare.first(index, count, groups.filters(), Scratch.LANES);
            int o1 = byChannels ? groups.filters() : WorkShare.first(index + 1, count, groups.filters(), Scratch.LANES);
            if (c0 == c1 || o0 == o1) {
                return;
            }
            for (int group = 0; group < groups.count(); group++) {
                Share part = new Share(group, c0, c1 - c0, o0, o1 - o0);
                float[] sums =
                        summed(kernels, panels, places, taps, groups, part, from, channel, turned, workShare.scratch());
                part.write(kernels, sums, groups, taps.order().length, out, workShare.scratch());
            }
        });
        return () -> {
            turn.run();
            products.run();
        };
    }

    /** Arranges a gradient by pixel, row and filter. */
    static Runnable filtersInnermost(
            DenseRules in, Value gradient, int filters, int columns, long multiplyAdds, float[] to) {
        float[] from = in.array(gradient);
        return in.threads.products(multiplyAdds, share -> {
            int first = WorkShare.first(share.index(), share.count(), columns, Scratch.LANES);
            int end = WorkShare.first(share.index() + 1, share.count(), columns, Scratch.LANES);
            in.kernels.turn(from, first, filters, end - first, columns, to, first * filters, filters, share.scratch());
        });
    }

    /** Some channels and filters of a group. */
    private record Share(int group, int firstChannel, int channels, int firstFilter, int filters) {
        /** Writes the part of the gradient from sums by position, channel and filter. */
        void write(DenseKernels kernels, float[] sums, Groups groups, int taps, float[] out, Scratch scratch) {
            int all = groups.channels() * taps;
            int first = (group * groups.filters() + firstFilter) * all + firstChannel * taps;
            for (int c = 0; c < channels; c++) {
                int to = first + c * taps;
                kernels.turn(sums, c * filters, taps, filters, channels * filters, out, to, all, scratch);
            }
        }
    }

    private static float[] summed(
            DenseKernels kernels,
            Panel[] panels,
            int places,
            ConvolutionTaps taps,
            Groups groups,
            Share share,
            float[] from,
            int channel,
            float[] turned,
            Scratch scratch) {
        int size = taps.order().length * share.channels() * share.filters();
        int filters = groups.count() * groups.filters();
        float[] panel = scratch.gathered(places * share.channels() * WIDTH + DenseMemory.SLACK);
        ChainedSums sums = new ChainedSums(kernels, size, scratch);
        for (Panel of : panels) {
            int begin = (share.group() * groups.channels() + share.firstChannel()) * channel;
            of.gather(kernels, from, begin, channel, share.channels(), panel);
            for (Part part : of.parts()) {
                float[] chain = sums.next(part.columns());
                Floats right = new Floats(
                        turned, part.at() * filters + share.group() * groups.filters() + share.firstFilter());
                for (int[] run : part.runs()) {
                    MatrixProduct product = new MatrixProduct(
                            run[1] * share.channels(),
                            share.filters(),
                            part.columns(),
                            WIDTH,
                            filters,
                            share.filters());
                    Floats left = new Floats(panel, run[2] * share.channels() * WIDTH);
                    Floats to = new Floats(chain, run[0] * share.channels() * share.filters());
                    kernels.product(product, left, right, to, true, null, scratch);
                }
            }
        }
        return sums.total();
    }
}
