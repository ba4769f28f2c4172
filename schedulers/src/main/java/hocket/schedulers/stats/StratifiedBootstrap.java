package hocket.schedulers.stats;

import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A bootstrap over seeds (Efron 1979), stratified by task: each resample draws from the scores of each task as many as it
 * has, with replacement (Agarwal et al. 2021, section 4.1). The tasks stay the same, so an interval says how an aggregate
 * would vary with other seeds, and not with other tasks. An interval of tasks with one seed each has no width. The same seed
 * gives the same intervals.
 *
 * @param seed seed of the resamples
 * @param resamples their number
 */
public record StratifiedBootstrap(long seed, int resamples) {
    /** The usual number of resamples, which places the ends of an interval within some 3 % of a standard error. */
    public static final int USUAL = 10_000;

    /** @throws IllegalArgumentException if there is no resample */
    public StratifiedBootstrap {
        if (resamples < 1) {
            throw new IllegalArgumentException("resamples must be at least 1, was " + resamples);
        }
    }

    /** Returns a statistic of an algorithm, such as {@link Aggregates#interquartileMean}. */
    public Estimate estimate(TaskScores scores, ToDoubleFunction<TaskScores> statistic) {
        return estimates(scores, each -> new double[] {statistic.applyAsDouble(each)})
                .get(0);
    }

    /** Returns several statistics of an algorithm, of the same resamples; each interval is of one statistic alone. */
    public List<Estimate> estimates(TaskScores scores, Function<TaskScores, double[]> statistics) {
        return of(statistics.apply(scores), random -> statistics.apply(scores.resampled(random)));
    }

    /**
     * Returns a statistic of two algorithms, such as {@link ProbabilityOfImprovement#of}; they are resampled independently.
     */
    public Estimate estimate(TaskScores x, TaskScores y, ToDoubleBiFunction<TaskScores, TaskScores> statistic) {
        return of(new double[] {statistic.applyAsDouble(x, y)}, random ->
                        new double[] {statistic.applyAsDouble(x.resampled(random), y.resampled(random))})
                .get(0);
    }

    private List<Estimate> of(double[] values, Function<UniformRandomProvider, double[]> resampling) {
        UniformRandomProvider random = Streams.seed(seed).at("bootstrap").generator(0);
        double[][] resampled = new double[values.length][resamples];
        for (int i = 0; i < resamples; i++) {
            double[] each = resampling.apply(random);
            for (int j = 0; j < values.length; j++) {
                resampled[j][i] = each[j];
            }
        }
        List<Estimate> estimates = new ArrayList<>();
        for (int j = 0; j < values.length; j++) {
            estimates.add(Estimate.of(values[j], resampled[j]));
        }
        return estimates;
    }
}
