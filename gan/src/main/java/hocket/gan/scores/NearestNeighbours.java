package hocket.gan.scores;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Distances of generated rows to their nearest training row and to their nearest held-out row, which the generator was not
 * trained on. A generator that returns training rows has the ratio 0 and the share 1. A generator of the true distribution
 * has about 1 and 0.5 with as many rows in both sets; the larger set has nearer rows, so compare with {@link #ofHeldOut}.
 *
 * <p>Source: Lopez-Paz and Oquab, "Revisiting Classifier Two-Sample Tests" (2017), section 4, use the nearest neighbour of
 * a sample to detect memorisation; Meehan et al., "A Non-Parametric Test to Detect Data-Copying in Generative Models"
 * (2020), compare distances to training and held-out rows.
 *
 * @param meanToTraining the mean distance to the nearest training row
 * @param meanToHeldOut the mean distance to the nearest held-out row
 * @param ratioOfMeans the first mean divided by the second
 * @param ratioOfMedians the same of medians
 * @param medianOfRatios the median of each row's own ratio
 * @param shareNearerToTraining the share, 0..1, of rows nearer to a training row; rows at equal distances count half
 */
public record NearestNeighbours(
        double meanToTraining,
        double meanToHeldOut,
        double ratioOfMeans,
        double ratioOfMedians,
        double medianOfRatios,
        double shareNearerToTraining) {
    /**
     * The distances of generated rows. Two distances of 0 have the ratio 1.
     *
     * @param training (n1, d)
     * @param heldOut (n2, d)
     * @param generated (n3, d)
     * @throws IllegalArgumentException if the dimensions differ
     */
    public static NearestNeighbours of(FeatureRows training, FeatureRows heldOut, FeatureRows generated) {
        return of(nearest(generated, training), nearest(generated, heldOut));
    }

    /**
     * The distances of the held-out rows themselves to training rows and to the other held-out rows: those of a generator
     * of the true distribution.
     *
     * @throws IllegalArgumentException if the dimensions differ, or there is one held-out row only
     */
    public static NearestNeighbours ofHeldOut(FeatureRows training, FeatureRows heldOut) {
        double[] toOthers = PrecisionRecall.squaredRadii(heldOut, 1);
        return of(
                nearest(heldOut, training),
                Arrays.stream(toOthers).map(Math::sqrt).toArray());
    }

    private static NearestNeighbours of(double[] toTraining, double[] toHeldOut) {
        double[] ratios = new double[toTraining.length];
        double nearer = 0;
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = ratio(toTraining[i], toHeldOut[i]);
            nearer += toTraining[i] < toHeldOut[i] ? 1 : toTraining[i] == toHeldOut[i] ? 0.5 : 0;
        }
        double meanToTraining = mean(toTraining);
        double meanToHeldOut = mean(toHeldOut);
        return new NearestNeighbours(
                meanToTraining,
                meanToHeldOut,
                ratio(meanToTraining, meanToHeldOut),
                ratio(median(toTraining), median(toHeldOut)),
                median(ratios),
                nearer / ratios.length);
    }

    private static double[] nearest(FeatureRows rows, FeatureRows among) {
        double[] nearest = new double[rows.count()];
        RowPairs.squaredDistances(
                rows,
                among,
                (i, squares) ->
                        nearest[i] = Math.sqrt(Arrays.stream(squares).min().orElseThrow()));
        return nearest;
    }

    private static double ratio(double numerator, double denominator) {
        return numerator == denominator ? 1 : numerator / denominator;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return IntStream.of((sorted.length - 1) / 2, sorted.length / 2)
                .mapToDouble(i -> sorted[i])
                .average()
                .orElseThrow();
    }
}
