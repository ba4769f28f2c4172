package hocket.rl.actors;

import hocket.rl.envs.Environment;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Evaluation;
import hocket.schedulers.stats.Summary;
import hocket.scopes.Parameters;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The returns of whole episodes, each begun by a seed of its own: mean, standard deviation, and from two episodes
 * on the interval {@code return_mean_low} to {@code return_mean_high} that holds the policy's mean return in 95 of 100 cases
 * ({@link Summary}). An episode that has not ended after
 * {@link #LONGEST} steps is cut off and counts with what it has; {@value #CUT_OFF} says how many there were.
 */
public final class EpisodeReturns implements Evaluation {
    /** The most steps of an episode outside of training: in evaluations, films and demonstrations. */
    public static final int LONGEST = 10_000;

    /** The score that says how many episodes were cut off. */
    private static final String CUT_OFF = "episodes_cut_off";

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
    public Map<String, Range> ranges() {
        return Map.of("episodes", Range.COUNT, CUT_OFF, Range.COUNT, "episode_length", Range.FROM_ZERO);
    }

    @Override
    public EpisodeReturns selecting(int count) {
        return new EpisodeReturns(environment, policy, normalisation, count, SELECTING);
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        double[] returns = new double[episodes];
        double[] lengths = new double[episodes];
        int cutOff = 0;
        long seed = Seeds.of(parameters.streams());
        try (Player player = new Player(environment.get(), policy, normalisation, parameters)) {
            for (int i = 0; i < episodes; i++) {
                player.begin(SeedSequence.of(seed).child(first + i));
                while (!player.ended()) {
                    player.step();
                    returns[i] += player.environment().reward();
                    lengths[i]++;
                }
                cutOff += player.isCutOff() ? 1 : 0;
            }
        }
        Summary summary = Summary.of(returns);
        SortedMap<String, Double> scores = new TreeMap<>();
        scores.put("episodes", (double) episodes);
        scores.put(CUT_OFF, (double) cutOff);
        scores.put("episode_length", Summary.of(lengths).mean());
        scores.put("return_mean", summary.mean());
        if (episodes > 1) {
            scores.put("return_deviation", summary.deviation());
            scores.put("return_mean_low", summary.meanLow());
            scores.put("return_mean_high", summary.meanHigh());
        }
        return scores;
    }
}
