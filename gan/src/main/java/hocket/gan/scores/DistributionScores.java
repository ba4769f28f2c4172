package hocket.gan.scores;

import hocket.schedulers.evaluation.Evaluation.Range;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scores that compare two sets of rows: {@code frechet_distance}, {@code kid} ({@link KernelDistance}), {@code precision},
 * {@code recall}, {@code density} and {@code coverage} ({@link PrecisionRecall} with k = 5), and {@code
 * sliced_wasserstein}, W2 along 128 random directions. The parts that depend on the real rows alone are computed once.
 */
final class DistributionScores {
    /** The ranges of the scores. */
    static final Map<String, Range> RANGES = Map.of(
            "frechet_distance", Range.FROM_ZERO,
            "precision", Range.SHARE,
            "recall", Range.SHARE,
            "density", Range.FROM_ZERO,
            "coverage", Range.SHARE,
            "sliced_wasserstein", Range.FROM_ZERO);

    private static final int DIRECTIONS = 128;

    private final FeatureRows real;
    private final RowMoments moments;
    private final boolean isLarge;
    private final double withinReal;
    private final double[] squaredRadii;
    private final double[] directions;

    /** @throws IllegalArgumentException if there are fewer than 2 rows */
    DistributionScores(FeatureRows real) {
        this.real = real;
        moments = RowMoments.of(real.values(), real.dimension());
        isLarge = isLarge(real);
        withinReal = isLarge ? KernelDistance.within(real) : Double.NaN;
        squaredRadii = isLarge ? PrecisionRecall.squaredRadii(real, PrecisionRecall.NEAREST) : new double[0];
        directions = SlicedWasserstein.directions(DIRECTIONS, real.dimension());
    }

    /** Returns whether rows have balls of their five nearest others. */
    static boolean isLarge(FeatureRows rows) {
        return rows.count() > PrecisionRecall.NEAREST;
    }

    /**
     * Returns the scores of generated rows; where a set has five rows or fewer, only the Fréchet distance.
     *
     * @throws IllegalArgumentException if the dimensions differ, or there are fewer than 2 rows
     */
    SortedMap<String, Double> of(FeatureRows generated) {
        SortedMap<String, Double> scores = new TreeMap<>();
        RowMoments ofGenerated = RowMoments.of(generated.values(), generated.dimension());
        scores.put("frechet_distance", FrechetDistance.between(moments, ofGenerated));
        if (isLarge && isLarge(generated)) {
            scores.put("kid", KernelDistance.between(real, withinReal, generated));
            PrecisionRecall balls = PrecisionRecall.of(real, squaredRadii, generated, PrecisionRecall.NEAREST);
            scores.put("precision", balls.precision());
            scores.put("recall", balls.recall());
            scores.put("density", balls.density());
            scores.put("coverage", balls.coverage());
            scores.put(
                    "sliced_wasserstein",
                    SlicedWasserstein.between(real, generated, directions).w2());
        }
        return scores;
    }
}
