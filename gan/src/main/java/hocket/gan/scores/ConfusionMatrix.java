package hocket.gan.scores;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How often a classifier predicts each class for the rows of each true class.
 *
 * @param counts by true class, then by predicted class: (classes, classes)
 */
public record ConfusionMatrix(List<List<Integer>> counts) {
    /**
     * The counts of n rows.
     *
     * @param truth the true class of each row, 0..classes-1; at least one row
     * @param predicted the predicted class of each row, 0..classes-1
     * @param classes at least 1
     * @throws IllegalArgumentException if there is no row, the lengths differ, or a class is out of range
     */
    public static ConfusionMatrix of(int[] truth, int[] predicted, int classes) {
        if (truth.length == 0 || truth.length != predicted.length) {
            throw new IllegalArgumentException("a confusion matrix needs a prediction for each row, at least 1, got "
                    + truth.length + " rows and " + predicted.length + " predictions");
        }
        int[][] counts = new int[classes][classes];
        for (int i = 0; i < truth.length; i++) {
            counts[checked(truth[i], classes)][checked(predicted[i], classes)]++;
        }
        return new ConfusionMatrix(Arrays.stream(counts)
                .map(row -> IntStream.of(row).boxed().toList())
                .toList());
    }

    private static int checked(int label, int classes) {
        if (label < 0 || label >= classes) {
            throw new IllegalArgumentException("a class must be in 0.." + (classes - 1) + ", was " + label);
        }
        return label;
    }

    /** Returns the share, 0..1, of rows whose prediction is right. */
    public double accuracy() {
        return (double) right() / rows();
    }

    /** Returns the share, 0..1, of rows whose prediction is wrong. */
    public double errorRate() {
        return (double) (rows() - right()) / rows();
    }

    /** Returns the accuracy (recall) of each true class; NaN for a class without rows. */
    public List<Double> perClass() {
        return IntStream.range(0, counts.size())
                .mapToObj(k -> (double) counts.get(k).get(k) / sum(counts.get(k)))
                .toList();
    }

    /** Returns the mean accuracy of the classes that have rows. */
    public double balancedAccuracy() {
        return perClass().stream()
                .mapToDouble(Double::doubleValue)
                .filter(accuracy -> !Double.isNaN(accuracy))
                .average()
                .orElseThrow();
    }

    private int right() {
        return IntStream.range(0, counts.size()).map(k -> counts.get(k).get(k)).sum();
    }

    private int rows() {
        return counts.stream().mapToInt(ConfusionMatrix::sum).sum();
    }

    private static int sum(List<Integer> row) {
        return row.stream().mapToInt(Integer::intValue).sum();
    }
}
