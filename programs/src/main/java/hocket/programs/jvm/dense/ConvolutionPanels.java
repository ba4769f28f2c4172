package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The windows of an image as right operands of products. In feature-major order, the elements of a channel of the result
 * lie next to each other, all rows of a pixel and then those of the next one. They are divided into panels of at most 64
 * columns. What a panel reads is gathered position by position, and at each position channel by channel; positions outside
 * of the image are skipped, or 0 where only some pixels of the panel have them.
 */
final class ConvolutionPanels {
    static final int WIDTH = Scratch.PANEL;

    /**
     * A panel.
     *
     * @param at its first column, among the elements of a channel of the result
     * @param runs positions that follow each other: the first of them, how many, and where they begin in the panel
     * @param copies of the first channel: from which of its elements, to which column of which position, and how many
     * @param zeros to which column of which position, and how many
     */
    record Panel(int at, int columns, int[][] runs, int[][] copies, int[][] zeros) {
        /** Returns the number of positions that it holds. */
        int positions() {
            return Arrays.stream(runs).mapToInt(run -> run[1]).sum();
        }

        /**
         * Gathers some channels of an image.
         *
         * @param at the first element of the first channel
         * @param step elements from one channel to the next
         */
        void gather(DenseKernels kernels, float[] x, int at, int step, int channels, float[] to) {
            for (int[] zero : zeros) {
                for (int c = 0; c < channels; c++) {
                    int begin = (zero[1] * channels + c) * WIDTH + zero[0];
                    Arrays.fill(to, begin, begin + zero[2], 0);
                }
            }
            for (int[] copy : copies) {
                int begin = copy[2] * channels * WIDTH + copy[1];
                kernels.copyRuns(x, at + copy[0], step, channels, copy[3], to, begin, WIDTH);
            }
        }
    }

    private ConvolutionPanels() {}

    /**
     * Divides the elements of a channel.
     *
     * @param rows of the batch
     * @param stride elements from one pixel to the next
     * @param padded whether the padding of a pixel may be part of a panel
     */
    static List<Panel> of(ConvolutionTaps taps, int rows, int stride, boolean padded) {
        List<Panel> panels = new ArrayList<>();
        if (padded || rows == stride) {
            int end = taps.pixels() * stride;
            for (int at = 0; at < end; at += WIDTH) {
                panels.add(panel(taps, stride, at, Math.min(WIDTH, end - at)));
            }
        } else {
            for (int p = 0; p < taps.pixels(); p++) {
                for (int row = 0; row < rows; row += WIDTH) {
                    panels.add(panel(taps, stride, p * stride + row, Math.min(WIDTH, rows - row)));
                }
            }
        }
        return panels;
    }

    private static Panel panel(ConvolutionTaps taps, int stride, int at, int columns) {
        int first = at / stride;
        int last = (at + columns - 1) / stride;
        BitSet present = new BitSet();
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
            int[] before = runs.isEmpty() ? new int[] {-1, 0, 0} : runs.get(runs.size() - 1);
            if (before[0] + before[1] == k && before[1] > 0) {
                before[1]++;
            } else {
                runs.add(new int[] {k, 1, held});
            }
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
                at, columns, runs.toArray(int[][]::new), copies.toArray(int[][]::new), zeros.toArray(int[][]::new));
    }
}
