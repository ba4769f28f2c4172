package hocket.workbench.sweeps.aggregates;

import hocket.schedulers.stats.Aggregates;
import hocket.schedulers.stats.Estimate;
import hocket.schedulers.stats.PerformanceProfile;
import hocket.schedulers.stats.ProbabilityOfImprovement;
import hocket.schedulers.stats.StratifiedBootstrap;
import hocket.schedulers.stats.TaskScores;
import hocket.workbench.files.json.JsonDocument;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Aggregates of scores, each with a 95 % interval of a bootstrap over seeds.
 *
 * @param score name of the score
 * @param normalised whether the scores are normalised by task
 * @param tasks the tasks, sorted
 * @param resamples number of resamples of the bootstrap
 * @param algorithms the algorithms, in the order in which they were read
 * @param improvements the probability of improvement of each pair of algorithms
 * @param thresholds the scores τ of the performance profiles, evenly spaced from the least score to the greatest
 */
public record AggregateFacts(
        String score,
        boolean normalised,
        List<String> tasks,
        int resamples,
        List<Algorithm> algorithms,
        List<Improvement> improvements,
        List<Double> thresholds) {
    private static final long SEED = 1;
    private static final int POINTS = 101;
    private static final double MARGIN = 0.02; // so that profiles begin at 1 and end at 0

    /**
     * An algorithm.
     *
     * @param runs number of its scores, of all tasks
     * @param fewestSeeds number of seeds of the task with the fewest
     * @param iqm the interquartile mean
     * @param median the median of the tasks' means
     * @param mean the mean of the tasks' means
     */
    public record Algorithm(
            String name, int runs, int fewestSeeds, Estimate iqm, Estimate median, Estimate mean, Profile profile) {}

    /**
     * The performance profile of an algorithm, a value for each threshold.
     *
     * @param share share of runs with a score above the threshold
     * @param low lower end of its interval
     * @param high upper end
     */
    public record Profile(List<Double> share, List<Double> low, List<Double> high) {
        private static Profile of(List<Estimate> estimates) {
            return new Profile(
                    estimates.stream().map(Estimate::value).toList(),
                    estimates.stream().map(Estimate::low).toList(),
                    estimates.stream().map(Estimate::high).toList());
        }
    }

    /**
     * The probability that an algorithm is better than another one.
     *
     * @param algorithm the algorithm
     * @param over the other one
     */
    public record Improvement(String algorithm, String over, Estimate probability) {}

    /** Computes all of them. */
    public static AggregateFacts of(ScoreSet scores) {
        StratifiedBootstrap bootstrap = new StratifiedBootstrap(SEED, StratifiedBootstrap.USUAL);
        List<TaskScores> all = scores.algorithms().stream().map(scores::of).toList();
        double[] thresholds = thresholds(scores);
        List<Algorithm> algorithms = new ArrayList<>();
        List<Improvement> improvements = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            String name = scores.algorithms().get(i);
            algorithms.add(algorithm(name, all.get(i), thresholds, bootstrap));
            for (int j = i + 1; j < all.size(); j++) {
                improvements.add(new Improvement(
                        name,
                        scores.algorithms().get(j),
                        bootstrap.estimate(all.get(i), all.get(j), ProbabilityOfImprovement::of)));
            }
        }
        return new AggregateFacts(
                scores.score(),
                scores.isNormalised(),
                scores.tasks(),
                bootstrap.resamples(),
                algorithms,
                improvements,
                DoubleStream.of(thresholds).boxed().toList());
    }

    private static Algorithm algorithm(
            String name, TaskScores scores, double[] thresholds, StratifiedBootstrap bootstrap) {
        List<Estimate> aggregates = bootstrap.estimates(scores, each ->
                new double[] {Aggregates.interquartileMean(each), Aggregates.median(each), Aggregates.mean(each)});
        List<Estimate> profile = bootstrap.estimates(scores, each -> PerformanceProfile.of(each, thresholds));
        return new Algorithm(
                name,
                scores.runs(),
                scores.fewestRuns(),
                aggregates.get(0),
                aggregates.get(1),
                aggregates.get(2),
                Profile.of(profile));
    }

    private static double[] thresholds(ScoreSet scores) {
        DoubleSummaryStatistics extent = scores.byAlgorithm().values().stream()
                .flatMap(tasks -> tasks.values().stream())
                .flatMap(seeds -> seeds.values().stream())
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        double size = extent.getMax() - extent.getMin();
        double margin = size > 0 ? MARGIN * size : Math.max(1, Math.abs(extent.getMax())) / 2;
        double least = extent.getMin() - margin;
        return IntStream.range(0, POINTS)
                .mapToDouble(i -> least + (size + 2 * margin) * i / (POINTS - 1))
                .toArray();
    }

    /** Returns the name of the score for people. */
    String scoreName() {
        return normalised ? "normalised " + score : score;
    }

    /** Returns the document. */
    public String json() {
        return JsonDocument.of(this) + "\n";
    }
}
