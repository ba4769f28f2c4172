package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.layers.Window;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some pixels of the result of a convolution with 4×4 windows and stride 2, or of a transposed one, in the terms of
 * Winograd's F(2×2, 2×2). A phase of the window is every other tap of each axis, so 2×2 taps: a convolution sums four
 * phases, each over every other pixel of the image, and in a transposed one each phase gives every other pixel of the
 * result. Along an axis, two results {@code d0·g0 + d1·g1} and {@code d1·g0 + d2·g1} take three products, the kinds
 * {@code (d0 − d1)·g0}, {@code d1·(g0 + g1)} and {@code (d2 − d1)·g1}, as the sums of the first two and the last two. A
 * single result takes the kinds {@code d0·g0} and {@code d1·g1}. There are nine kinds for two axes: 3·row + column.
 *
 * @param phase the phase of the result, in a transposed convolution; else 0
 * @param image for each phase of the image and kind, the four elements of a channel that are combined as {@code (a − b) −
 *     (c − d)}, −1 for those outside of the image; null for a kind that is 0
 * @param results for each pixel of the result, its element in a channel and the four kinds whose sum it is, −1 for none
 * @param gradients for each kind, the four elements of a gradient's channel whose sum it is multiplied with, −1 for none;
 *     null for a kind that is 0 in all phases
 * @param first row of the batch
 * @param width number of rows, with padding
 */
record PhaseTile(
        int phase, int[][] @Nullable [] image, int[][] results, int[] @Nullable [] gradients, int first, int width) {
    static final int KINDS = 9;
    static final int PHASES = 4;

    /** With fewer channels or filters, the transforms cost what they save. */
    private static final int WORTH_TRANSFORMING = 32;

    /** The weights or results that make kinds along an axis: the first, both, or the second. */
    static final int[][] PARTS = {{0, -1}, {0, 1}, {1, -1}};

    /** The kinds that make a result or a weight's gradient along an axis. */
    static final int[][] SUMS = {{0, 1}, {1, 2}};

    /**
     * One or two results along an axis.
     *
     * @param results the last is −1 where there is one
     * @param sources for each phase of the image, what the kinds are made of
     */
    private record Segment(int[] results, int[][] sources) {
        boolean single() {
            return results[1] < 0;
        }

        /** Returns what is added, and what is subtracted, −1 for nothing. */
        int[] image(int phase, int kind) {
            int[] d = sources[phase];
            return new int[] {d[kind], kind == 1 ? -1 : d[1]};
        }

        int[] kinds(int result) {
            return single() ? new int[] {0, 2} : SUMS[result];
        }

        int[] gradient(int kind) {
            int[] part = PARTS[single() ? 0 : kind];
            return new int[] {results[part[0]], part[1] < 0 || single() ? -1 : results[part[1]]};
        }
    }

    /** Returns the taps of a phase along an axis. */
    static int[] taps(boolean transposed, int phase, int pad) {
        int first = transposed ? (phase + pad) % 2 : phase;
        return transposed ? new int[] {2 + first, first} : new int[] {first, 2 + first};
    }

    /**
     * Returns the tiles of a result, most work first; none where they take more than four fifths of the products of the
     * definition.
     *
     * @param weight its last two axes are the window
     * @param channels of x
     * @param stride of the rows
     */
    static List<PhaseTile> of(
            Window kernel, boolean transposed, Shape weight, int channels, int filters, Shape x, Shape y, int stride) {
        if (weight.get(2) != 4
                || weight.get(3) != 4
                || !kernel.stride().equals(List.of(2, 2))
                || !kernel.dilation().equals(List.of(1, 1))
                || kernel.groups() != 1
                || stride < Scratch.LANES
                || Math.min(channels, filters) < WORTH_TRANSFORMING) {
            return List.of();
        }
        List<PhaseTile> tiles = new ArrayList<>();
        for (int phase = 0; phase < (transposed ? PHASES : 1); phase++) {
            List<Segment> rows = segments(kernel, transposed, 0, phase / 2, x, y);
            List<Segment> columns = segments(kernel, transposed, 1, phase % 2, x, y);
            for (Segment row : rows) {
                for (Segment column : columns) {
                    for (int first = 0; first < stride; first += ConvolutionPanels.WIDTH) {
                        tiles.add(of(phase, row, column, x.get(2), y.get(2), stride, first));
                    }
                }
            }
        }
        ConvolutionTaps taps =
                transposed ? ConvolutionTaps.ofTransposed(kernel, 4, 4, x, y) : ConvolutionTaps.of(kernel, 4, 4, x, y);
        long blocks = (stride + ConvolutionPanels.WIDTH - 1) / ConvolutionPanels.WIDTH;
        long defined = blocks
                * Arrays.stream(taps.positions()).mapToLong(of -> of.length).sum();
        if (5 * tiles.stream().mapToLong(PhaseTile::products).sum() > 4 * defined) {
            return List.of();
        }
        tiles.sort(Comparator.comparing(PhaseTile::products).reversed());
        return tiles;
    }

    /** Returns how many kinds of all phases are not 0. */
    private long products() {
        long products = 0;
        for (int[][] kinds : image) {
            for (int[] kind : kinds) {
                products += kind == null ? 0 : 1;
            }
        }
        return products;
    }

    private static List<Segment> segments(Window kernel, boolean transposed, int axis, int phase, Shape x, Shape y) {
        int pad = kernel.pad().get(axis);
        int step = transposed ? 2 : 1;
        int size = y.get(1 + axis);
        int read = x.get(1 + axis);
        List<Segment> segments = new ArrayList<>();
        for (int result = transposed ? phase : 0; result < size; result += 2 * step) {
            int second = result + step < size ? result + step : -1;
            int[][] sources = new int[transposed ? 1 : 2][];
            for (int of = 0; of < sources.length; of++) {
                int first = transposed ? Math.floorDiv(result + pad, 2) - 1 : 2 * result + of - pad;
                int apart = transposed ? 1 : 2;
                int[] d = {first, first + apart, first + 2 * apart};
                if (second < 0) {
                    d = new int[] {d[0], -1, d[1]};
                }
                for (int i = 0; i < 3; i++) {
                    d[i] = d[i] < read ? d[i] : -1;
                }
                sources[of] = d;
            }
            segments.add(new Segment(new int[] {result, second}, sources));
        }
        return segments;
    }

    private static PhaseTile of(
            int phase, Segment row, Segment column, int wide, int resultWide, int stride, int first) {
        int[][][] image = new int[row.sources().length * column.sources().length][KINDS][];
        int[][] gradients = new int[KINDS][];
        boolean[] used = new boolean[KINDS];
        for (int kind = 0; kind < KINDS; kind++) {
            for (int of = 0; of < image.length; of++) {
                int[] four = elements(row.image(of / 2, kind / 3), column.image(of % 2, kind % 3), wide, stride, first);
                boolean middle = row.single() && kind / 3 == 1 || column.single() && kind % 3 == 1;
                if (!middle && (four[0] >= 0 || four[1] >= 0 || four[2] >= 0 || four[3] >= 0)) {
                    image[of][kind] = four;
                    used[kind] = true;
                }
            }
            if (used[kind]) {
                gradients[kind] =
                        elements(row.gradient(kind / 3), column.gradient(kind % 3), resultWide, stride, first);
            }
        }
        List<int[]> results = new ArrayList<>();
        for (int i = 0; i < (row.single() ? 1 : 2); i++) {
            for (int j = 0; j < (column.single() ? 1 : 2); j++) {
                int[] result = new int[5];
                result[0] = (row.results()[i] * resultWide + column.results()[j]) * stride + first;
                for (int k = 0; k < 4; k++) {
                    int kind = 3 * row.kinds(i)[k / 2] + column.kinds(j)[k % 2];
                    result[1 + k] = used[kind] ? kind : -1;
                }
                results.add(result);
            }
        }
        int width = Math.min(ConvolutionPanels.WIDTH, stride - first);
        return new PhaseTile(phase, image, results.toArray(int[][]::new), gradients, first, width);
    }

    /** Returns the elements of a channel at two rows and two columns of pixels. */
    private static int[] elements(int[] rows, int[] columns, int wide, int stride, int first) {
        int[] elements = new int[4];
        for (int k = 0; k < 4; k++) {
            int row = rows[k / 2];
            int column = columns[k % 2];
            elements[k] = row < 0 || column < 0 ? -1 : (row * wide + column) * stride + first;
        }
        return elements;
    }
}
