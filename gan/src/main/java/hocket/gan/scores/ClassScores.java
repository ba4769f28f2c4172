package hocket.gan.scores;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Scores of a set of samples from a classifier's probabilities: the share it is confident about, and the shares of the
 * classes. A sample belongs to the class of its largest probability (the first of equals). Immutable.
 *
 * @param confidentShare the share, 0..1, of samples whose largest probability exceeds the threshold
 * @param coverage the share, 0..1, of samples in each class, by class; they sum to 1
 */
public record ClassScores(double confidentShare, List<Double> coverage) {
    /** The usual threshold of confidence. */
    public static final double THRESHOLD = 0.9;

    /** The tolerance of the sum of a sample's probabilities, for float32 and many classes. */
    private static final double TOLERANCE = 1e-3;

    /**
     * Copies the coverage.
     *
     * @throws IllegalArgumentException if coverage is empty
     */
    public ClassScores {
        if (coverage.isEmpty()) {
            throw new IllegalArgumentException("class scores need at least 1 class, got none");
        }
        coverage = List.copyOf(coverage);
    }

    /**
     * The scores of n samples with the usual threshold.
     *
     * @param probabilities row-major (n, classes), n at least 1, rows in 0..1 that sum to 1
     * @param classes the number of classes, at least 1
     * @throws IllegalArgumentException as {@link #of(float[], int, double)}
     */
    public static ClassScores of(float[] probabilities, int classes) {
        return of(probabilities, classes, THRESHOLD);
    }

    /**
     * The scores of n samples.
     *
     * @param probabilities row-major (n, classes), n at least 1, rows in 0..1 that sum to 1 (within 0.001)
     * @param classes the number of classes, at least 1
     * @param threshold a sample counts as confident if its largest probability is above this
     * @throws IllegalArgumentException if there is no sample, the length is not a multiple of classes, or a row is not
     *     a probability distribution
     */
    public static ClassScores of(float[] probabilities, int classes, double threshold) {
        if (classes < 1 || probabilities.length == 0 || probabilities.length % classes != 0) {
            throw new IllegalArgumentException("class scores need at least 1 row of at least 1 probability, got "
                    + probabilities.length + " values in rows of " + classes);
        }
        int n = probabilities.length / classes;
        int sure = 0;
        int[] counts = new int[classes];
        for (int i = 0; i < n; i++) {
            int best = largest(probabilities, i, classes);
            counts[best]++;
            if (probabilities[i * classes + best] > threshold) {
                sure++;
            }
        }
        return new ClassScores(
                (double) sure / n,
                Arrays.stream(counts).mapToObj(count -> (double) count / n).toList());
    }

    /** The share, 0..1, of that of some classes with the fewest samples. */
    public double smallestClass(int... classes) {
        return IntStream.of(classes).mapToDouble(coverage::get).min().orElseThrow();
    }

    /** Returns the class of a row's largest probability. */
    static int largest(float[] probabilities, int row, int classes) {
        int best = 0;
        double sum = 0;
        for (int k = 0; k < classes; k++) {
            float p = probabilities[row * classes + k];
            if (!(p >= 0 && p <= 1 + TOLERANCE)) {
                throw new IllegalArgumentException(
                        "probabilities must be in 0..1, sample " + row + " has " + p + " for class " + k);
            }
            sum += p;
            if (p > probabilities[row * classes + best]) {
                best = k;
            }
        }
        if (Math.abs(sum - 1) > TOLERANCE) {
            throw new IllegalArgumentException(
                    "probabilities of a sample must sum to 1, sample " + row + " has " + sum);
        }
        return best;
    }
}
