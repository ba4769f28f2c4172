package hocket.gan.scores;

/**
 * Rows of features that scores compare: pixels, points, or the features of a network.
 *
 * @param values row-major (n, d), finite; not copied, so do not change them
 * @param dimension d
 */
public record FeatureRows(float[] values, int dimension) {
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

    /** @throws IllegalArgumentException if other rows have another dimension */
    void requireComparable(FeatureRows others) {
        if (others.dimension != dimension) {
            throw new IllegalArgumentException(
                    "rows that are compared must have one dimension, got " + dimension + " and " + others.dimension);
        }
    }
}
