package hocket.rl.returns;

import static hocket.rl.Golden.assertNear;
import static hocket.rl.Golden.floats;
import static hocket.rl.Golden.numbers;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.spaces.Box;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Returns, advantages and running statistics against RLax, Stable-Baselines3 and CleanRL. */
@Tag("golden")
public class ReturnsGoldenTest {
    private static final String FILE = "losses/rl.json";
    private static final String NEWER = "losses/rl2.json";
    private static final String REAL = "([0-9.]+(?:e-?[0-9]+)?)";
    private static final double DOUBLE = 1e-10;
    private static final double SINGLE = 1e-5;

    /** The sections that are checked here, and how. */
    public static final Map<String, Consumer<JsonNode>> SECTIONS = Map.ofEntries(
            entry("td_errors", ReturnsGoldenTest::tdErrors),
            entry("gae", ReturnsGoldenTest::gae),
            entry("returns", ReturnsGoldenTest::returns),
            entry("vtrace", ReturnsGoldenTest::vtrace),
            entry("retrace", ReturnsGoldenTest::retrace),
            entry("explained_variance", ReturnsGoldenTest::explainedVariance),
            entry("running_mean_std", ReturnsGoldenTest::runningMoments),
            entry("reward_normaliser", ReturnsGoldenTest::rewardNormaliser));

    @TestFactory
    Stream<DynamicTest> bookkeepingIsThatOfTheReferenceImplementations() {
        JsonNode golden = Golden.read(FILE);
        return SECTIONS.entrySet().stream()
                .filter(section -> golden.has(section.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .map(section -> DynamicTest.dynamicTest(
                        section.getKey(), () -> section.getValue().accept(golden.get(section.getKey()))));
    }

    @Test
    void aTimeLimitIsBootstrappedAsInEachEpisodeByItself() {
        for (JsonNode golden : Golden.read(NEWER).get("gae_truncation").get("cases")) {
            JsonNode steps = golden.get("same_step");
            double[] rewards = numbers(steps.get("reward"));
            float[] advantages = new float[rewards.length];
            float[] returns = new float[rewards.length];
            new Gae(golden.get("gamma").asDouble(), golden.get("lambda").asDouble(), Truncation.BOOTSTRAP)
                    .advantages(
                            RolloutLayout.timeMajor(rewards.length, 1),
                            floats(rewards),
                            floats(numbers(steps.get("value"))),
                            flags(steps.get("terminated")),
                            flags(steps.get("truncated")),
                            floats(numbers(steps.get("final_value"))),
                            new float[] {
                                (float) golden.get("bootstrap_value_after_last_step")
                                        .asDouble()
                            },
                            advantages,
                            returns);
            assertNear("advantages", doubles(advantages), numbers(golden.get("advantages")), SINGLE);
            assertNear("returns", doubles(returns), numbers(golden.get("returns")), SINGLE);
        }
    }

    @Test
    void returnsOfEpisodesThatALimitCutsHaveTheValueAfterItOrNot() {
        JsonNode golden = Golden.read(NEWER).get("reinforce_truncation").get("batch");
        double gamma = golden.get("gamma").asDouble();
        List<double[]> episodes = new ArrayList<>();
        golden.get("episodes").forEach(episode -> episodes.add(numbers(episode.get("rewards"))));
        int steps = episodes.stream().mapToInt(each -> each.length).sum();
        int longest = episodes.stream().mapToInt(each -> each.length).max().orElseThrow();
        int rows = steps + longest - 1; // an episode counts if the longest one would end within the rollout
        float[] rewards = new float[rows];
        float[] finalValues = new float[rows];
        boolean[] terminated = new boolean[rows];
        boolean[] truncated = new boolean[rows];
        int at = 0;
        for (int i = 0; i < episodes.size(); i++) {
            for (double reward : episodes.get(i)) {
                rewards[at++] = (float) reward;
            }
            JsonNode episode = golden.get("episodes").get(i);
            terminated[at - 1] = episode.get("end").asText().equals("terminated");
            truncated[at - 1] = !terminated[at - 1];
            finalValues[at - 1] =
                    (float) episode.get("value_of_last_observation").asDouble();
        }
        Map<String, AdvantageEstimator> estimators = Map.of(
                "cut", new RewardToGo(gamma, RewardToGo.Baseline.NONE, () -> longest),
                "bootstrap", new Gae(gamma, 1, Truncation.BOOTSTRAP));
        estimators.forEach((name, estimator) -> {
            float[] returns = new float[rows];
            estimator.begins(new boolean[] {true});
            estimator.advantages(
                    RolloutLayout.timeMajor(rows, 1),
                    rewards.clone(),
                    new float[rows],
                    terminated,
                    truncated,
                    finalValues,
                    new float[1],
                    new float[rows],
                    returns);
            double[] wanted = numbers(golden.get("estimators").get(name).get("returns"));
            assertNear(name, Arrays.copyOf(doubles(returns), steps), wanted, SINGLE);
        });
    }

    @Test
    void returnsAndValuesAreNormalisedByRunningMomentsAsInMappo() {
        for (JsonNode golden : Golden.read(NEWER).get("value_norm").get("cases")) {
            List<float[]> real = new ArrayList<>(); // the values that the estimator sees
            ValueNormalisation normalisation = new ValueNormalisation(
                    (layout, rewards, values, terminated, truncated, finalValues, lastValues, advantages, returns) -> {
                        real.add(values);
                        System.arraycopy(rewards, 0, returns, 0, returns.length);
                    },
                    golden.get("beta").asDouble());
            for (JsonNode event : golden.get("events")) {
                float[] batch = floats(numbers(event.get("returns")));
                float[] returns = new float[batch.length];
                float[] none = new float[batch.length];
                boolean[] never = new boolean[batch.length];
                RolloutLayout layout = RolloutLayout.timeMajor(batch.length, 1);
                normalisation.advantages(layout, batch, none, never, never, none, new float[1], none.clone(), returns);
                double[] moments = {
                    event.get("mean").asDouble(), Math.sqrt(event.get("var").asDouble())
                };
                assertNear(
                        "mean and deviation",
                        new double[] {normalisation.mean(), normalisation.deviation()},
                        moments,
                        DOUBLE);
                assertNear("normalised", doubles(returns), numbers(event.get("normalised")), SINGLE);

                float[] values = {1.5f};
                State before = normalisation.save();
                normalisation.advantages(
                        RolloutLayout.timeMajor(1, 1),
                        values.clone(),
                        values,
                        new boolean[1],
                        new boolean[1],
                        values,
                        values,
                        new float[1],
                        new float[1]);
                normalisation.restore(before); // the golden averages know nothing of this row
                assertNear(
                        "denormalised",
                        doubles(real.get(real.size() - 1)),
                        new double[] {event.get("denormalised_1.5").asDouble()},
                        SINGLE);
            }
        }
    }

    private static double[] doubles(float... numbers) {
        return IntStream.range(0, numbers.length).mapToDouble(i -> numbers[i]).toArray();
    }

    private static boolean[] flags(JsonNode tensor) {
        boolean[] flags = new boolean[tensor.get("data").size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = tensor.get("data").get(i).asBoolean();
        }
        return flags;
    }

    private static double[] column(JsonNode rows, String name) {
        return IntStream.range(0, rows.size())
                .mapToDouble(i -> rows.get(i).get(name).asDouble())
                .toArray();
    }

    private static void tdErrors(JsonNode section) {
        JsonNode rows = section.get("rows");
        RolloutLayout layout = RolloutLayout.timeMajor(rows.size(), 1);
        double[] rewards = column(rows, "r_t");
        double[] discounts = column(rows, "discount_t");
        double[] values = column(rows, "v_tm1");
        double[] next = column(rows, "v_t");
        float[] single = new float[rows.size()];
        Returns.tdErrors(layout, floats(rewards), floats(discounts), floats(values), floats(next), single);
        assertNear("td_learning in float32", doubles(single), column(rows, "td_learning"), SINGLE);
    }

    private static void gae(JsonNode section) {
        for (JsonNode golden : section.get("cases")) {
            Rollout rollout = new Rollout(golden);
            for (String name : new String[] {"sb3_float64", "cleanrl", "sb3_float32"}) {
                rollout.check(name, Truncation.END, golden.get(name));
            }
            rollout.check("sb3_timeout_bootstrap", Truncation.BOOTSTRAP, golden.get("sb3_timeout_bootstrap"));
            assertNear(
                    "rlax",
                    rollout.advantages(Truncation.END),
                    numbers(golden.get("rlax").get("advantages")),
                    SINGLE);
            rollout.checkFolded(Truncation.END, rollout.rewards);
            rollout.checkFolded(
                    Truncation.BOOTSTRAP,
                    numbers(golden.get("sb3_timeout_bootstrap").get("rewards_used")));
            // Flags before each step, as the libraries keep them, are ours of the step before.
            double[] starts = numbers(golden.get("episode_starts"));
            int environments = rollout.layout.environments();
            for (int i = environments; i < starts.length; i++) {
                assertThat(rollout.terminated[i - environments] || rollout.truncated[i - environments])
                        .isEqualTo(starts[i] == 1);
            }
        }
    }

    /** The rollout of a case of the file. */
    private static final class Rollout {
        final RolloutLayout layout;
        final double gamma;
        final double lambda;
        final double[] rewards;
        final double[] values;
        final boolean[] terminated;
        final boolean[] truncated;
        final double[] finalValues;
        final double[] lastValues;

        Rollout(JsonNode golden) {
            layout = RolloutLayout.timeMajor(
                    golden.get("n_steps").asInt(), golden.get("n_envs").asInt());
            gamma = golden.get("gamma").asDouble();
            lambda = golden.get("lambda").asDouble();
            rewards = numbers(golden.get("rewards"));
            values = numbers(golden.get("values"));
            terminated = flags(golden.get("terminated_after_step"));
            truncated = flags(golden.get("truncated_after_step"));
            finalValues = numbers(golden.get("final_values"));
            lastValues = numbers(golden.get("last_values"));
        }

        double[] advantages(Truncation truncation) {
            float[] advantages = new float[rewards.length];
            new Gae(gamma, lambda, truncation)
                    .advantages(
                            layout,
                            floats(rewards),
                            floats(values),
                            terminated,
                            truncated,
                            floats(finalValues),
                            floats(lastValues),
                            advantages,
                            new float[rewards.length]);
            return doubles(advantages);
        }

        void check(String name, Truncation truncation, JsonNode golden) {
            Gae gae = new Gae(gamma, lambda, truncation);
            float[] inFloat = new float[rewards.length];
            float[] returnsInFloat = new float[rewards.length];
            gae.advantages(
                    layout,
                    floats(rewards),
                    floats(values),
                    terminated,
                    truncated,
                    floats(finalValues),
                    floats(lastValues),
                    inFloat,
                    returnsInFloat);
            assertNear(name + " advantages, float", doubles(inFloat), numbers(golden.get("advantages")), SINGLE);
            assertNear(name + " returns, float", doubles(returnsInFloat), numbers(golden.get("returns")), SINGLE);
        }

        /** Folded rewards and discounts say the same as the flags. */
        void checkFolded(Truncation truncation, double[] expectedRewards) {
            float[] folded = floats(rewards);
            float[] discounts = new float[rewards.length];
            truncation.fold(layout, gamma, folded, terminated, truncated, floats(finalValues), folded, discounts);
            assertNear("rewards " + truncation, doubles(folded), expectedRewards, SINGLE);
            double[] expectedDiscounts = new double[rewards.length];
            Arrays.setAll(expectedDiscounts, i -> terminated[i] || truncated[i] ? 0 : gamma);
            assertNear("discounts", doubles(discounts), expectedDiscounts, SINGLE);
            float[] next = floats(next(layout, values, lastValues));
            float[] returns = new float[rewards.length];
            Returns.lambda(layout, folded, discounts, next, lambda, returns);
            double[] advantages = new double[rewards.length];
            Arrays.setAll(advantages, i -> returns[i] - values[i]);
            assertNear("lambda returns less values", advantages, advantages(truncation), SINGLE);
        }
    }

    /** The values a step later, the last ones at the end. */
    private static double[] next(RolloutLayout layout, double[] values, double[] lastValues) {
        double[] next = new double[values.length];
        for (int e = 0; e < layout.environments(); e++) {
            for (int t = 0; t < layout.steps(); t++) {
                next[layout.at(t, e)] = t + 1 < layout.steps() ? values[layout.at(t + 1, e)] : lastValues[e];
            }
        }
        return next;
    }

    private static void returns(JsonNode section) {
        for (JsonNode golden : section.get("cases")) {
            double[] rewards = numbers(golden.get("r_t"));
            double[] discounts = numbers(golden.get("discount_t"));
            double[] next = numbers(golden.get("v_t"));
            RolloutLayout layout = RolloutLayout.timeMajor(rewards.length, 1);
            float[] single = new float[rewards.length];
            golden.get("lambda_returns").fields().forEachRemaining(entry -> {
                double lambda = Double.parseDouble(entry.getKey());
                Returns.lambda(layout, floats(rewards), floats(discounts), floats(next), lambda, single);
                assertNear("lambda " + lambda + ", float", doubles(single), numbers(entry.getValue()), SINGLE);
            });
            golden.get("n_step_bootstrapped_returns").fields().forEachRemaining(entry -> {
                int n = Integer.parseInt(entry.getKey());
                Returns.nStep(layout, floats(rewards), floats(discounts), floats(next), n, single);
                assertNear("n " + n + ", float", doubles(single), numbers(entry.getValue()), SINGLE);
            });
            double[] last = {next[next.length - 1]};
            double[] expected = numbers(golden.get("discounted_returns_bootstrap_last_v"));
            Returns.discounted(layout, floats(rewards), floats(discounts), floats(last), single);
            assertNear("discounted, float", doubles(single), expected, SINGLE);
        }
    }

    private static void vtrace(JsonNode section) {
        for (JsonNode golden : section.get("cases")) {
            double[] values = numbers(golden.get("v_tm1"));
            double[] next = numbers(golden.get("v_t"));
            double[] rewards = numbers(golden.get("r_t"));
            double[] discounts = numbers(golden.get("discount_t"));
            double[] ratios = numbers(golden.get("rho_tm1"));
            int n = rewards.length;
            RolloutLayout layout = RolloutLayout.timeMajor(n, 1);
            VTrace vtrace = new VTrace(
                    golden.get("lambda").asDouble(),
                    golden.get("clip_rho_threshold").asDouble(),
                    golden.get("clip_pg_rho_threshold").asDouble());
            float[] targetsInFloat = new float[n];
            float[] inFloat = new float[n];
            float[] r = floats(rewards);
            float[] d = floats(discounts);
            float[] v = floats(values);
            vtrace.targets(layout, r, d, v, floats(next), floats(ratios), targetsInFloat);
            assertNear("vs, float", doubles(targetsInFloat), numbers(golden.get("vs")), SINGLE);
            double[] errors = new double[n];
            Arrays.setAll(errors, i -> targetsInFloat[i] - values[i]);
            assertNear("errors", errors, numbers(golden.get("vtrace_errors")), SINGLE);
            vtrace.actionValues(layout, r, d, v, floats(next), targetsInFloat, inFloat);
            assertNear("q_estimate, float", doubles(inFloat), numbers(golden.get("q_estimate")), SINGLE);
            vtrace.advantages(layout, v, floats(ratios), inFloat, inFloat);
            assertNear("pg_advantage, float", doubles(inFloat), numbers(golden.get("pg_advantage")), SINGLE);
        }
    }

    private static void retrace(JsonNode section) {
        for (JsonNode golden : section.get("cases")) {
            double[] q = numbers(golden.get("q_t"));
            double[] policy = numbers(golden.get("pi_t"));
            double[] rewards = numbers(golden.get("r_t"));
            double[] discounts = numbers(golden.get("discount_t"));
            double[] behaviour = numbers(golden.get("mu_t"));
            double[] nextActions = numbers(golden.get("a_t"));
            int n = rewards.length;
            int actions = q.length / n;
            RolloutLayout layout = RolloutLayout.timeMajor(n, 1);
            Retrace retrace = new Retrace(
                    golden.get("lambda").asDouble(), golden.get("eps").asDouble());
            long[] taken = new long[n];
            Arrays.setAll(taken, i -> (long) nextActions[i]);
            float[] single = new float[n];
            retrace.targets(
                    layout,
                    actions,
                    floats(rewards),
                    floats(discounts),
                    floats(q),
                    floats(policy),
                    taken,
                    floats(behaviour),
                    single);
            assertNear("targets, float", doubles(single), numbers(golden.get("targets")), SINGLE);
            double[] before = numbers(golden.get("q_tm1"));
            double[] actionsBefore = numbers(golden.get("a_tm1"));
            double[] errors = new double[n];
            Arrays.setAll(errors, i -> single[i] - before[i * actions + (int) actionsBefore[i]]);
            assertNear("errors", errors, numbers(golden.get("errors")), SINGLE);
        }
    }

    private static void explainedVariance(JsonNode section) {
        for (JsonNode golden : section.get("cases")) {
            double[] predictions = numbers(golden.get("y_pred"));
            double[] returns = numbers(golden.get("y_true"));
            double expected = numbers(golden.get("explained_variance"))[0];
            double single = ExplainedVariance.of(floats(predictions), floats(returns));
            if (Double.isNaN(expected)) {
                assertThat(single).isNaN();
            } else {
                assertNear("explained variance, float", new double[] {single}, new double[] {expected}, SINGLE);
            }
        }
    }

    private static void runningMoments(JsonNode section) {
        assertThat(setting(section, "var\\+" + REAL, 1)).isEqualTo(1e-8);
        double limit = setting(section, ",-" + REAL + "," + REAL + "\\)", 2);
        int features = Golden.shape(section.get("steps").get(0).get("batch")).get(1);
        RunningMoments moments = RunningMoments.of(features);
        RunningMoments single = RunningMoments.of(features);
        RunningMoments rounded = RunningMoments.of(features);
        RunningMoments exact = RunningMoments.exact(features);
        for (JsonNode golden : section.get("steps")) {
            double[] batch = numbers(golden.get("batch"));
            moments.update(batch);
            single.update(floats(batch));
            exact.update(batch);
            check("mean", IntStream.range(0, features).mapToDouble(moments::mean), golden.get("mean"));
            check("var", IntStream.range(0, features).mapToDouble(moments::variance), golden.get("var"));
            check("exact mean", IntStream.range(0, features).mapToDouble(exact::mean), golden.get("exact_mean"));
            check(
                    "exact var",
                    IntStream.range(0, features).mapToDouble(exact::variance),
                    golden.get("exact_population_var"));
            assertNear("count", new double[] {moments.count()}, numbers(golden.get("count")), DOUBLE);
            double[] expected = numbers(golden.get("normalised_batch"));
            double[] normalised = new double[batch.length];
            Arrays.setAll(normalised, i -> clipped(moments.standardised(i % features, batch[i]), limit));
            assertNear("normalised", normalised, expected, DOUBLE);
            // Of what is left of the numbers in float32, which is little where the mean is far from 0.
            rounded.update(doubles(floats(batch)));
            assertThat(single.save()).isEqualTo(rounded.save());
        }
    }

    private static double clipped(double number, double limit) {
        return Math.max(-limit, Math.min(limit, number));
    }

    private static void check(String name, DoubleStream actual, JsonNode golden) {
        assertNear(name, actual.toArray(), numbers(golden), DOUBLE);
    }

    private static void rewardNormaliser(JsonNode section) {
        double gamma = setting(section, "ret = " + REAL + "\\*ret", 1);
        assertThat(setting(section, "var\\+" + REAL, 1)).isEqualTo(1e-8);
        assertThat(setting(section, "clipped to \\+-" + REAL, 1)).isEqualTo(10);
        JsonNode steps = section.get("steps");
        int environments = Golden.shape(steps.get(0).get("rewards")).get(0);
        AtomicInteger index = new AtomicInteger();
        VectorEnvironment paid =
                VectorEnvironment.of(() -> new Paid(steps, index.getAndIncrement()), environments, Autoreset.SAME_STEP);
        VectorNormalisation normalisation = new VectorNormalisation(paid, false, true, gamma);
        normalisation.reset(0);
        for (JsonNode golden : steps) {
            double[] returns = numbers(golden.get("returns"));
            boolean[] done = flags(golden.get("dones"));
            Arrays.setAll(returns, e -> done[e] ? 0 : returns[e]);
            normalisation.step();
            assertNear("normalised", normalisation.rewards(), numbers(golden.get("normalised_rewards")), DOUBLE);
            State returned = normalisation.save().state("returned");
            assertNear("returns", returned.tensor("returns").doubles(), returns, DOUBLE);
            RunningMoments moments = RunningMoments.of(1);
            moments.restore(returned.state("moments"));
            assertNear("var", new double[] {moments.variance(0)}, numbers(golden.get("var")), DOUBLE);
        }
    }

    /** An environment with the rewards and ends of a golden section. */
    private static final class Paid extends EpisodicEnvironment {
        private final JsonNode steps;
        private final int index;
        private int step;

        Paid(JsonNode steps, int index) {
            super("Paid", Box.of(1, -1, 1), Box.of(1, -1, 1));
            this.steps = steps;
            this.index = index;
        }

        @Override
        protected void begin() {}

        @Override
        protected void act(float[] action, int at) {
            JsonNode golden = steps.get(step++);
            outcome(numbers(golden.get("rewards"))[index], flags(golden.get("dones"))[index]);
        }

        @Override
        public void observe(float[] into, int at) {
            into[at] = 0;
        }

        @Override
        protected State saveOwnState() {
            return State.empty();
        }

        @Override
        protected void restoreOwnState(State state) {}
    }

    /** A number that stands only in a section's definition. */
    private static double setting(JsonNode section, String pattern, int group) {
        String definition = section.get("definition").asText();
        Matcher matcher = Pattern.compile(pattern).matcher(definition);
        assertThat(matcher.find()).as("%s in \"%s\"", pattern, definition).isTrue();
        return Double.parseDouble(matcher.group(group));
    }
}
