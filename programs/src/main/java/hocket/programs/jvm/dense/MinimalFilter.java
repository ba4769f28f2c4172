package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.PlaneSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * Winograd's minimal filtering along an axis (Lavin and Gray 2016): two results of a window take one product for each kind,
 * fewer than two for each tap. A kind multiplies a combination of elements d by one of taps g; results are combinations of
 * products, and so is the gradient by a tap, where a combination of gradients e takes the place of that of taps. Factors of
 * ½ that Lavin and Gray give to weights belong to results here: no weight and no image is rounded more than by sums.
 *
 * <p>A window with a stride has a phase for each of its first taps: every stride-th tap is one of the phase's.
 *
 * @param stride of the window
 * @param worth channels and filters from which the transforms cost less than they save
 * @param weights for each kind, of taps
 * @param taps for each tap, of kinds
 * @param pair of two results
 * @param single of one, where a second would lie outside
 */
record MinimalFilter(int stride, int worth, PlaneSum[] weights, PlaneSum[] taps, Results pair, Results single) {
    /**
     * The transforms that depend on the number of results.
     *
     * @param image for each kind, of elements; zeros for a kind that is not needed
     * @param results for each result, of kinds
     * @param gradients for each kind, of results
     */
    record Results(PlaneSum[] image, PlaneSum[] results, PlaneSum[] gradients) {}

    /** F(2, 2) of 4 taps with stride 2: 3 products instead of 4; a single result takes 2. */
    static final MinimalFilter TWO_TAPS = new MinimalFilter(
            2,
            32,
            all(PlaneSum.of(0), PlaneSum.sum(0, 1, 1), PlaneSum.of(1)),
            all(PlaneSum.sum(0, 1, 1), PlaneSum.sum(1, 1, 2)),
            new Results(
                    all(PlaneSum.sum(0, -1, 1), PlaneSum.of(1), PlaneSum.sum(2, -1, 1)),
                    all(PlaneSum.sum(0, 1, 1), PlaneSum.sum(1, 1, 2)),
                    all(PlaneSum.of(0), PlaneSum.sum(0, 1, 1), PlaneSum.of(1))),
            new Results(
                    all(PlaneSum.of(0), PlaneSum.NONE, PlaneSum.of(1)),
                    all(PlaneSum.sum(0, 1, 2)),
                    all(PlaneSum.of(0), PlaneSum.NONE, PlaneSum.of(0))));

    private static final PlaneSum FIRST = new PlaneSum(1, 0.5f, 0, -1, 1, 2);
    private static final PlaneSum SECOND = new PlaneSum(-1, 0.5f, 3, -1, 1, 2);

    /** F(2, 3) of 3 taps with stride 1: 4 products instead of 6; a single result takes 3. */
    static final MinimalFilter THREE_TAPS = new MinimalFilter(
            1,
            16,
            all(PlaneSum.of(0), new PlaneSum(1, 1, 0, 1, 2, -1), new PlaneSum(-1, 1, 0, 1, 2, -1), PlaneSum.of(2)),
            all(FIRST, new PlaneSum(-1, 0.5f, -1, -1, 1, 2), new PlaneSum(1, 0.5f, 3, -1, 1, 2)),
            new Results(
                    all(PlaneSum.sum(0, -1, 2), PlaneSum.sum(1, 1, 2), PlaneSum.sum(2, -1, 1), PlaneSum.sum(3, -1, 1)),
                    all(FIRST, SECOND),
                    all(PlaneSum.of(0), PlaneSum.sum(0, 1, 1), PlaneSum.sum(0, -1, 1), PlaneSum.of(1))),
            new Results(
                    all(PlaneSum.sum(0, -1, 2), PlaneSum.sum(1, 1, 2), PlaneSum.sum(2, -1, 1), PlaneSum.NONE),
                    all(FIRST),
                    all(PlaneSum.of(0), PlaneSum.of(0), PlaneSum.of(0), PlaneSum.NONE)));

    private static PlaneSum[] all(PlaneSum... combinations) {
        return combinations;
    }

    /** Returns the number of products along an axis. */
    int kinds() {
        return weights.length;
    }

    /** Returns the number of taps of the window along an axis. */
    int side() {
        return stride * taps.length;
    }

    /** Returns the number of phases of both axes. */
    int phases() {
        return stride * stride;
    }

    /** Returns the window's taps of a phase along an axis, in the order of the elements that they are multiplied with. */
    int[] taps(boolean transposed, int phase, int pad) {
        int first = transposed ? (phase + pad) % stride : phase;
        int[] all = new int[taps.length];
        Arrays.setAll(all, i -> first + stride * (transposed ? taps.length - 1 - i : i));
        return all;
    }

    /**
     * A transform along two axes, from planes to planes: pairs in one stage, others with planes between two stages.
     *
     * @param between the first stage; may be empty
     * @param results of the planes between, or of the first ones; row by row
     */
    record Transform(PlaneSum[] between, PlaneSum[] results) {
        private static final float[] NONE = {};

        /**
         * @param inputs of a combination of rows
         * @param plane the plane of an input of rows and one of columns, −1 for zeros
         */
        static Transform of(PlaneSum[] rows, PlaneSum[] columns, int inputs, IntBinaryOperator plane) {
            List<PlaneSum> between = new ArrayList<>();
            List<PlaneSum> results = new ArrayList<>();
            boolean pairs = true;
            for (PlaneSum[] axis : List.of(rows, columns)) {
                for (PlaneSum each : axis) {
                    pairs &= each.isPair();
                }
            }
            for (int i = 0; i < (pairs ? 0 : inputs); i++) {
                for (PlaneSum column : columns) {
                    int row = i;
                    between.add(column.of(j -> plane.applyAsInt(row, j)));
                }
            }
            for (PlaneSum row : rows) {
                for (int c = 0; c < columns.length; c++) {
                    int column = c;
                    results.add(
                            pairs
                                    ? PlaneSum.ofPairs(row, columns[c], plane)
                                    : row.of(i -> {
                                        int at = i * columns.length + column;
                                        return between.get(at).isZero() ? -1 : at;
                                    }));
                }
            }
            return new Transform(between.toArray(PlaneSum[]::new), results.toArray(PlaneSum[]::new));
        }

        /**
         * Transforms planes of {@code width} numbers.
         *
         * @param plane elements from one plane to the next, also of those between
         * @param place returns where a result begins
         */
        void run(
                DenseKernels kernels,
                Floats from,
                Floats middle,
                int plane,
                int width,
                float[] to,
                IntUnaryOperator place) {
            for (int i = 0; i < between.length; i++) {
                int into = middle.at() + i * plane;
                kernels.combine(
                        between[i], from.values(), from.at(), plane, 0, 1, width, NONE, middle.values(), into, 0);
            }
            Floats read = between.length == 0 ? from : middle;
            for (int i = 0; i < results.length; i++) {
                int into = place.applyAsInt(i);
                kernels.combine(results[i], read.values(), read.at(), plane, 0, 1, width, NONE, to, into, 0);
            }
        }
    }
}
