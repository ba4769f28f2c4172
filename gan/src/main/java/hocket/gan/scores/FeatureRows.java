package hocket.gan.scores;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of features that scores compare: pixels, points, or the features of a network.
 *
 * @param values row-major (n, d), finite; not copied, so do not change them
 * @param dimension d
 */
public record FeatureRows(float[] values, int dimension) {
    private static final int PART = 8192; // rows of the other set that are compared at a time

    /**
     * A near row of another set.
     *
     * @param row its number
     * @param distance the Euclidean distance
     */
    public record Neighbour(int row, double distance) {}

    /** @throws IllegalArgumentException if there is no row, the length is not a multiple of d, or a value is not finite */
    public FeatureRows {
        if (dimension < 1 || values.length == 0 || values.length % dimension != 0) {
            throw new IllegalArgumentException("features need at least 1 row of at least 1 value each, got "
                    + values.length + " values in rows of " + dimension);
        }
        for (int i = 0; i < values.length; i++) {
            if (!Float.isFinite(values[i])) {
                throw new IllegalArgumentException(
                        "features must be finite, row " + i / dimension + " has " + values[i] + " at " + i % dimension);
            }
        }
    }

    /** Returns n, the number of rows. */
    public int count() {
        return values.length / dimension;
    }

    /** Returns a copy of the rows of these numbers, in this order. */
    public FeatureRows at(int... numbers) {
        float[] some = new float[numbers.length * dimension];
        for (int i = 0; i < numbers.length; i++) {
            System.arraycopy(values, numbers[i] * dimension, some, i * dimension, dimension);
        }
        return new FeatureRows(some, dimension);
    }

    /**
     * Returns the k nearest rows of another set for each row, the nearest first; of rows at one distance the first ones.
     * Memory does not grow with the other set.
     *
     * @throws IllegalArgumentException if the dimensions differ, k is below 1, or the other set has fewer than k rows
     */
    public List<List<Neighbour>> nearest(FeatureRows others, int k) {
        if (k < 1 || k > others.count()) {
            throw new IllegalArgumentException(
                    "k must be 1 to " + others.count() + ", the rows of the other set, was " + k);
        }
        List<Neighbour[]> nearest = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            nearest.add(new Neighbour[k]);
            Arrays.fill(nearest.get(i), new Neighbour(-1, Double.POSITIVE_INFINITY));
        }
        for (int from = 0; from < others.count(); from += PART) {
            int first = from;
            FeatureRows part = others.at(IntStream.range(first, Math.min(first + PART, others.count()))
                    .toArray());
            RowPairs.squaredDistances(this, part, (i, squares) -> {
                Neighbour[] row = nearest.get(i);
                for (int j = 0; j < squares.length; j++) {
                    if (squares[j] < row[k - 1].distance) {
                        insert(new Neighbour(first + j, squares[j]), row);
                    }
                }
            });
        }
        return nearest.stream()
                .map(row -> Arrays.stream(row)
                        .map(each -> new Neighbour(each.row, Math.sqrt(each.distance)))
                        .toList())
                .toList();
    }

    /** @throws IllegalArgumentException if other rows have another dimension */
    void requireComparable(FeatureRows others) {
        if (others.dimension != dimension) {
            throw new IllegalArgumentException(
                    "rows that are compared must have one dimension, got " + dimension + " and " + others.dimension);
        }
    }

    private static void insert(Neighbour candidate, Neighbour[] nearest) {
        int at = nearest.length - 1;
        for (; at > 0 && nearest[at - 1].distance > candidate.distance; at--) {
            nearest[at] = nearest[at - 1];
        }
        nearest[at] = candidate;
    }
}
