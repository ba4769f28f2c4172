package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The windows of an image as right operands of products. In feature-major order, the elements of a channel of the result
 * lie next to each other, all rows of a pixel and then those of the next one. They are divided into panels of at most 64
 * columns. What a panel reads is gathered position by position, and at each position channel by channel; positions outside
 * of the image are skipped, or 0 where only some pixels of the panel have them.
 */
final class ConvolutionPanels {
    static final int WIDTH = Scratch.PANEL;

    /** How many pixels of a row share what they read. */
    private static final int STRIP = 4;

    /**
     * Some columns of the result.
     *
     * @param at the first of them, among the elements of a channel of the result
     * @param runs positions that follow each other: the first of them, how many, and where they begin in the panel
     */
    record Part(int at, int columns, int[][] runs) {}

    /**
     * The inputs that several parts read.
     *
     * @param parts which share it
     * @param copies of the first channel: from which of its elements, to which column of which place, and how many
     * @param zeros to which column of which place, and how many
     * @param places how many it holds: of a position, or of a pixel that several positions of several parts read
     * @param width columns of each place
     */
    record Panel(List<Part> parts, int[][] copies, int[][] zeros, int places, int width) {
        /**
         * Gathers some channels of an image.
         *
         * @param at the first element of the first channel
         * @param step elements from one channel to the next
         */
        void gather(DenseKernels kernels, float[] x, int at, int step, int channels, float[] to) {
            for (int[] zero : zeros) {
                for (int c = 0; c < channels; c++) {
                    int begin = (zero[1] * channels + c) * width + zero[0];
                    Arrays.fill(to, begin, begin + zero[2], 0);
                }
            }
            for (int[] copy : copies) {
                int begin = copy[2] * channels * width + copy[1];
                kernels.copyRuns(x, at + copy[0], step, channels, copy[3], to, begin, width);
            }
        }
    }

    private ConvolutionPanels() {}

    /**
     * Divides the elements of a channel.
     *
     * @param wide the width of the result
     * @param rows of the batch
     * @param stride elements from one pixel to the next
     * @param padded whether the padding of a pixel may be part of a panel
     */
    static List<Panel> of(ConvolutionTaps taps, int wide, int rows, int stride, boolean padded) {
        List<Panel> panels = new ArrayList<>();
        if (stride % WIDTH == 0 && (padded || rows == stride)) {
            for (int pixel = 0, count; pixel < taps.pixels(); pixel += count) {
                count = Math.min(STRIP, wide - pixel % wide);
                for (int row = 0; row < stride; row += WIDTH) {
                    panels.addAll(strip(taps, stride, pixel, count, row));
                }
            }
        } else {
            panels.addAll(single(taps, rows, stride, WIDTH, padded, false));
        }
        return panels;
    }

    /** Divides the elements of a channel into panels of one part, which hold every position of the window, outside too. */
    static List<Panel> whole(ConvolutionTaps taps, int rows, int stride, int width, boolean padded) {
        return single(taps, rows, stride, width, padded, true);
    }

    private static List<Panel> single(
            ConvolutionTaps taps, int rows, int stride, int width, boolean padded, boolean whole) {
        List<Panel> panels = new ArrayList<>();
        boolean joined = padded || rows == stride;
        int run = joined ? taps.pixels() * stride : rows;
        for (int begin = 0; begin < taps.pixels() * stride; begin += joined ? run : stride) {
            for (int at = 0; at < run; at += width) {
                panels.add(panel(taps, stride, begin + at, Math.min(width, run - at), width, whole));
            }
        }
        return panels;
    }

    /** Some neighbouring pixels that share what they read; each its own panel where that would tear their positions apart. */
    private static List<Panel> strip(ConvolutionTaps taps, int stride, int pixel, int count, int row) {
        TreeSet<Integer> read =
                new TreeSet<>(taps.descending() ? Comparator.<Integer>reverseOrder() : Comparator.naturalOrder());
        for (int p = pixel; p < pixel + count; p++) {
            Arrays.stream(taps.sources()[p]).forEach(read::add);
        }
        List<Integer> places = List.copyOf(read);
        List<Part> parts = new ArrayList<>();
        boolean whole = true;
        for (int p = pixel; p < pixel + count; p++) {
            List<int[]> runs = new ArrayList<>();
            for (int k = 0; k < taps.positions()[p].length; k++) {
                append(runs, taps.positions()[p][k], places.indexOf(taps.sources()[p][k]));
            }
            whole &= 2 * runs.size() <= Math.max(2, taps.positions()[p].length);
            parts.add(new Part(p * stride + row, WIDTH, runs.toArray(int[][]::new)));
        }
        if (!whole) {
            return IntStream.range(pixel, pixel + count)
                    .mapToObj(p -> panel(taps, stride, p * stride + row, WIDTH, WIDTH, false))
                    .toList();
        }
        int[][] copies = IntStream.range(0, places.size())
                .mapToObj(i -> new int[] {places.get(i) * stride + row, 0, i, WIDTH})
                .toArray(int[][]::new);
        return List.of(new Panel(parts, copies, new int[0][], places.size(), WIDTH));
    }

    /** Appends a position and its place to runs. */
    private static void append(List<int[]> runs, int position, int place) {
        int[] last = runs.isEmpty() ? new int[] {-1, 0, -1} : runs.get(runs.size() - 1);
        if (last[1] > 0 && last[0] + last[1] == position && last[2] + last[1] == place) {
            last[1]++;
        } else {
            runs.add(new int[] {position, 1, place});
        }
    }

    /** @param whole whether every position is held, not only those that a pixel reads */
    private static Panel panel(ConvolutionTaps taps, int stride, int at, int columns, int width, boolean whole) {
        int first = at / stride;
        int last = (at + columns - 1) / stride;
        BitSet present = new BitSet();
        present.set(0, whole ? taps.order().length : 0);
        for (int p = first; p <= last; p++) {
            for (int position : taps.positions()[p]) {
                present.set(position);
            }
        }
        List<int[]> runs = new ArrayList<>();
        List<int[]> copies = new ArrayList<>();
        List<int[]> zeros = new ArrayList<>();
        int held = 0;
        for (int k = present.nextSetBit(0); k >= 0; k = present.nextSetBit(k + 1), held++) {
            append(runs, k, held);
            int[] copy = new int[4];
            for (int p = first; p <= last; p++) {
                int begin = Math.max(at, p * stride);
                int count = Math.min(at + columns, (p + 1) * stride) - begin;
                int source = taps.source(p, k);
                if (source < 0) {
                    zeros.add(new int[] {begin - at, held, count});
                    continue;
                }
                int from = source * stride + begin - p * stride;
                if (copy[3] > 0 && copy[0] + copy[3] == from && copy[1] + copy[3] == begin - at) {
                    copy[3] += count;
                } else {
                    copy = new int[] {from, begin - at, held, count};
                    copies.add(copy);
                }
            }
        }
        return new Panel(
                List.of(new Part(at, columns, runs.toArray(int[][]::new))),
                copies.toArray(int[][]::new),
                zeros.toArray(int[][]::new),
                held,
                width);
    }
}
