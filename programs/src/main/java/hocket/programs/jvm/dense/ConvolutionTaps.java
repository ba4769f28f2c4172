package hocket.programs.jvm.dense;

import hocket.programs.layers.Window;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The pixels that each pixel of a convolution's result reads. The taps of a window are numbered in an order in which those
 * that a pixel reads follow each other, also in a transposed convolution with a stride, where a pixel reads every other tap.
 *
 * @param order the tap of each position in that order: row·width + column of the window
 * @param positions for each pixel of the result, the positions that it reads, ascending
 * @param sources for each of these, the pixel that it reads there
 */
record ConvolutionTaps(int[] order, int[][] positions, int[][] sources) {
    /** A tap and a pixel of the result give a pixel to read, or −1 for none. */
    @FunctionalInterface
    private interface Axis {
        int source(int axis, int result, int tap);
    }

    /** Returns those of a convolution. */
    static ConvolutionTaps of(Window kernel, int high, int wide, Shape x, Shape y) {
        int[] order = IntStream.range(0, high * wide).toArray();
        return of(order, wide, x, y, (axis, result, tap) -> {
            int place = result * kernel.stride().get(axis)
                    + tap * kernel.dilation().get(axis)
                    - kernel.pad().get(axis);
            return place < x.get(1 + axis) ? place : -1;
        });
    }

    /** Returns those of a transposed convolution. */
    static ConvolutionTaps ofTransposed(Window kernel, int high, int wide, Shape x, Shape y) {
        Comparator<Integer> phase = Comparator.comparing((Integer tap) ->
                        tap / wide * kernel.dilation().get(0) % kernel.stride().get(0))
                .thenComparing(tap ->
                        tap % wide * kernel.dilation().get(1) % kernel.stride().get(1))
                .thenComparing(tap -> tap);
        int[] order = IntStream.range(0, high * wide)
                .boxed()
                .sorted(phase)
                .mapToInt(tap -> tap)
                .toArray();
        return of(order, wide, x, y, (axis, result, tap) -> {
            int place =
                    result + kernel.pad().get(axis) - tap * kernel.dilation().get(axis);
            boolean meets = place >= 0 && place % kernel.stride().get(axis) == 0;
            int source = place / kernel.stride().get(axis);
            return meets && source < x.get(1 + axis) ? source : -1;
        });
    }

    private static ConvolutionTaps of(int[] order, int wide, Shape x, Shape y, Axis axis) {
        int pixels = y.get(1) * y.get(2);
        int[][] positions = new int[pixels][];
        int[][] sources = new int[pixels][];
        for (int p = 0; p < pixels; p++) {
            int[] position = new int[order.length];
            int[] source = new int[order.length];
            int count = 0;
            for (int k = 0; k < order.length; k++) {
                int row = axis.source(0, p / y.get(2), order[k] / wide);
                int column = axis.source(1, p % y.get(2), order[k] % wide);
                if (row >= 0 && column >= 0) {
                    position[count] = k;
                    source[count++] = row * x.get(2) + column;
                }
            }
            positions[p] = Arrays.copyOf(position, count);
            sources[p] = Arrays.copyOf(source, count);
        }
        return new ConvolutionTaps(order, positions, sources);
    }

    /** Returns whether later positions read earlier pixels, as in a transposed convolution. */
    boolean descending() {
        return Arrays.stream(sources).anyMatch(read -> read.length > 1 && read[1] < read[0]);
    }

    int pixels() {
        return positions.length;
    }

    /** Returns the pixel that a pixel of the result reads at a position, −1 for none. */
    int source(int pixel, int position) {
        int k = Arrays.binarySearch(positions[pixel], position);
        return k < 0 ? -1 : sources[pixel][k];
    }
}
