package hocket.rl.actors;

import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.stats.Summary;
import hocket.scopes.Parameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Evaluates a policy by the returns of whole episodes, each with its own seed: mean, standard deviation, and from two
 * episodes on the 95 % confidence interval {@code return_mean_low} to {@code return_mean_high} of the mean ({@link
 * Summary}). An episode that has not ended after {@link #LONGEST} steps is cut off and counts with its return so far;
 * {@value #CUT_OFF} counts them.
 */
public final class EpisodeReturns implements Evaluation {
    /** The maximum number of steps of an episode outside of training: in evaluations, films and demonstrations. */
    public static final int LONGEST = 10_000;

    static final Merit MERIT = new Merit("return_mean", true);

    /** The score that counts episodes that were cut off. */
    static final String CUT_OFF = "episodes_cut_off";

    static final Map<String, Range> RANGES =
            Map.of("episodes", Range.COUNT, CUT_OFF, Range.COUNT, "episode_length", Range.FROM_ZERO);

    /** The first of the run's seed's children that seed the episodes; training uses the seed itself. */
    static final int FIRST_EVALUATED = 1000;

    static final int FIRST_SELECTING = 1_000_000_000;

    private final Supplier<? extends Environment> environment;
    private final Policy policy;
    private final Policy acting;
    private final Optional<VectorNormalisation> normalisation;
    private final int episodes;
    private final int first;

    /**
     * Makes an evaluation over a number of episodes.
     *
     * @param normalisation of observations in training; not changed
     */
    public EpisodeReturns(
            Supplier<? extends Environment> environment,
            Policy policy,
            Optional<VectorNormalisation> normalisation,
            int episodes) {
        this(environment, policy, policy, normalisation, episodes);
    }

    /**
     * Makes an evaluation over a number of episodes.
     *
     * @param policy which is evaluated, usually by its most probable actions
     * @param acting the policy as it acted in training, for {@link #sampled}
     * @param normalisation of observations in training; not changed
     */
    public EpisodeReturns(
            Supplier<? extends Environment> environment,
            Policy policy,
            Policy acting,
            Optional<VectorNormalisation> normalisation,
            int episodes) {
        this(environment, policy, acting, normalisation, episodes, FIRST_EVALUATED);
    }

    private EpisodeReturns(
            Supplier<? extends Environment> environment,
            Policy policy,
            Policy acting,
            Optional<VectorNormalisation> normalisation,
            int episodes,
            int first) {
        if (episodes < 1) {
            throw new IllegalArgumentException("episodes must be at least 1, was " + episodes);
        }
        this.environment = environment;
        this.policy = policy;
        this.acting = acting;
        this.normalisation = normalisation;
        this.episodes = episodes;
        this.first = first;
    }

    @Override
    public EpisodeReturns over(int count) {
        return new EpisodeReturns(environment, policy, acting, normalisation, count, first);
    }

    @Override
    public Optional<Merit> merit() {
        return Optional.of(MERIT);
    }

    @Override
    public Map<String, Range> ranges() {
        return RANGES;
    }

    @Override
    public EpisodeReturns selecting(int count) {
        return new EpisodeReturns(environment, policy, acting, normalisation, count, FIRST_SELECTING);
    }

    @Override
    public EpisodeReturns sampled() {
        requireDrawing(policy, acting);
        return new EpisodeReturns(environment, acting, acting, normalisation, episodes, first);
    }

    /** @throws IllegalArgumentException if a policy acted in training as it is evaluated */
    static void requireDrawing(Policy policy, Policy acting) {
        if (acting == policy) {
            throw new IllegalArgumentException(
                    "the policy draws no actions: it takes the same one whenever it observes the same");
        }
    }

    /** Returns the scores of actions at random, of those that are allowed, in as many episodes; seed 0 whatever the run's. */
    @Override
    public List<Reference> references(int threads) {
        Environment played = environment.get();
        double[] returns = new double[episodes];
        double[] lengths = new double[episodes];
        try {
            for (int i = 0; i < episodes; i++) {
                SeedSequence seed = SeedSequence.of(0).child(first + i);
                Pcg64 random = Pcg64.of(seed.child(0));
                played.reset(Pcg64.of(seed));
                while (!played.terminated() && !played.truncated() && lengths[i] < LONGEST) {
                    played.step(AllowedActions.sample(played, random), 0);
                    returns[i] += played.reward();
                    lengths[i]++;
                }
            }
        } finally {
            EnvironmentChecks.close(played);
        }
        SortedMap<String, Double> scores = scores(returns, lengths);
        return List.of(new Reference("random", "actions at random, of those that are allowed", episodes, scores));
    }

    @Override
    public SortedMap<String, Double> scores(Parameters parameters) {
        double[] returns = new double[episodes];
        double[] lengths = new double[episodes];
        int cutOff = 0;
        long seed = NumpySeed.of(parameters.streams());
        try (PolicyRollout rollout = new PolicyRollout(environment.get(), policy, normalisation, parameters)) {
            for (int i = 0; i < episodes; i++) {
                rollout.begin(SeedSequence.of(seed).child(first + i));
                while (!rollout.ended()) {
                    rollout.step();
                    returns[i] += rollout.environment.reward();
                    lengths[i]++;
                }
                cutOff += rollout.isCutOff() ? 1 : 0;
            }
        }
        SortedMap<String, Double> scores = scores(returns, lengths);
        scores.put("episodes", (double) episodes);
        scores.put(CUT_OFF, (double) cutOff);
        return scores;
    }

    static SortedMap<String, Double> scores(double[] returns, double[] lengths) {
        Summary summary = Summary.of(returns);
        SortedMap<String, Double> scores = new TreeMap<>();
        scores.put("episode_length", Summary.of(lengths).mean());
        scores.put("return_mean", summary.mean());
        if (returns.length > 1) {
            scores.put("return_deviation", summary.deviation());
            scores.put("return_mean_low", summary.meanLow());
            scores.put("return_mean_high", summary.meanHigh());
        }
        return scores;
    }
}
