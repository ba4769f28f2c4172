package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Evaluation;
import hocket.scopes.Parameters;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The returns of whole episodes, each begun by a seed of its own: mean, standard deviation, and the interval in which
 * the mean lies with 95 % of 10,000 resamplings (percentile bootstrap, Efron 1979). An episode that has not ended after
 * {@link #LONGEST} steps is cut off and counts with what it has.
 */
public final class EpisodeReturns implements Evaluation {
    /** The most steps of an episode outside of training: in evaluations, films and demonstrations. */
    public static final int LONGEST = 10_000;

    private static final int RESAMPLINGS = 10_000;

    /** Which children of the run's seed begin episodes; training begins by the seed itself. */
    private static final int JUDGED = 1000;

    private static final int SELECTING = 1_000_000_000;

    private final Supplier<? extends Environment> environment;
    private final Policy policy;
    private final Optional<VectorNormalisation> normalisation;
    private final int episodes;
    private final int first;

    /**
     * An evaluation over so many episodes.
     *
     * @param normalisation by which observations were normalised in training; it is not changed
     */
    public EpisodeReturns(
            Supplier<? extends Environment> environment,
            Policy policy,
            Optional<VectorNormalisation> normalisation,
            int episodes) {
        this(environment, policy, normalisation, episodes, JUDGED);
    }

    private EpisodeReturns(
            Supplier<? extends Environment> environment,
            Policy policy,
            Optional<VectorNormalisation> normalisation,
            int episodes,
            int first) {
        if (episodes < 1) {
            throw new IllegalArgumentException("episodes must be at least 1, was " + episodes);
        }
        this.environment = environment;
        this.policy = policy;
        this.normalisation = normalisation;
        this.episodes = episodes;
        this.first = first;
    }

    @Override
    public EpisodeReturns over(int count) {
        return new EpisodeReturns(environment, policy, normalisation, count);
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(new Merit("return_mean", true));
    }

    @Override
    public EpisodeReturns selecting(int count) {
        return new EpisodeReturns(environment, policy, normalisation, count, SELECTING);
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        double[] returns = new double[episodes];
        double[] lengths = new double[episodes];
        long seed = Seeds.of(parameters.streams());
        try (Player player = new Player(environment.get(), policy, normalisation, parameters)) {
            for (int i = 0; i < episodes; i++) {
                player.begin(Pcg64.of(SeedSequence.of(seed).child(first + i)));
                while (!player.ended()) {
                    player.step();
                    returns[i] += player.environment().reward();
                    lengths[i]++;
                }
            }
        }
        double[] means = resampled(returns, Pcg64.of(SeedSequence.of(seed).child(2)));
        SortedMap<String, Double> scores = new TreeMap<>();
        scores.put("episodes", (double) episodes);
        scores.put("episode_length", mean(lengths));
        scores.put("return_mean", mean(returns));
        scores.put("return_deviation", deviation(returns));
        scores.put("return_low", means[(int) (0.025 * RESAMPLINGS)]);
        scores.put("return_high", means[(int) (0.975 * RESAMPLINGS)]);
        return scores;
    }

    /** The means of resampled returns, in order. */
    private static double[] resampled(double[] returns, Pcg64 random) {
        double[] means = new double[RESAMPLINGS];
        for (int i = 0; i < RESAMPLINGS; i++) {
            double sum = 0;
            for (int k = 0; k < returns.length; k++) {
                sum += returns[(int) random.integers(0, returns.length)];
            }
            means[i] = sum / returns.length;
        }
        Arrays.sort(means);
        return means;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / values.length);
    }
}
