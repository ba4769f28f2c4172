package hocket.rl.losses;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.programs.Operators.tanh;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.TanhGaussian;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.losses.QuantileHuber.QuantileReduction;
import hocket.rl.losses.QuantileHuber.Scaling;
import hocket.rl.losses.SoftActorCritic.TemperatureLoss;
import hocket.rl.returns.ReturnsGoldenTest;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares losses, their gradients and intermediate values with RLax, Stable-Baselines3, sb3-contrib and PyTorch. */
@Tag("golden")
class LossGoldenTest {
    private static final String FILE = "losses/rl.json";
    private static final String REAL = "(-?[0-9.]+(?:e-?[0-9]+)?)";

    private interface Check {
        void run(JsonNode section, Way way);
    }

    private static final Map<String, Check> SECTIONS = Map.ofEntries(
            entry("td_errors", LossGoldenTest::tdErrors),
            entry("categorical_l2_project", LossGoldenTest::projection),
            entry("categorical_q_learning", LossGoldenTest::categoricalQLearning),
            entry("quantile_huber", LossGoldenTest::quantileHuber),
            entry("ppo_discrete", LossGoldenTest::ppo),
            entry("diag_gaussian", LossGoldenTest::diagonalGaussian),
            entry("categorical", LossGoldenTest::categorical),
            entry("tanh_gaussian", LossGoldenTest::tanhGaussian),
            entry("sac", LossGoldenTest::sac),
            entry("td3", LossGoldenTest::td3),
            entry("ddpg", LossGoldenTest::ddpg),
            entry("dqn_huber", LossGoldenTest::dqnHuber),
            entry("policy_gradient", LossGoldenTest::policyGradient));

    @Test
    void everySectionOfTheFileHasATest() {
        Set<String> sections = new TreeSet<>();
        Golden.read(FILE).fieldNames().forEachRemaining(sections::add);
        sections.remove("versions");
        Set<String> tested = new TreeSet<>(SECTIONS.keySet());
        tested.addAll(ReturnsGoldenTest.SECTIONS.keySet());
        assertThat(sections).isNotEmpty().isSubsetOf(tested);
    }

    @TestFactory
    Stream<DynamicTest> lossesAndTheirGradientsAreThoseOfTheReferenceImplementations() {
        return tests(LossCase.ways().toArray(Way[]::new));
    }

    @TestFactory
    @Tag("engine")
    Stream<DynamicTest> andOnTheEngine() {
        return tests(new Way("mxnet", ElementType.FLOAT64), new Way("mxnet", ElementType.FLOAT32));
    }

    private static Stream<DynamicTest> tests(Way... ways) {
        JsonNode golden = Golden.read(FILE);
        return SECTIONS.entrySet().stream()
                .filter(section -> golden.has(section.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .flatMap(section -> Stream.of(ways)
                        .map(way -> DynamicTest.dynamicTest(
                                section.getKey() + ", " + way,
                                () -> section.getValue().run(golden.get(section.getKey()), way))));
    }

    private static void tdErrors(JsonNode section, Way way) {
        for (JsonNode golden : section.get("rows")) {
            LossCase graph = new LossCase(way, 1);
            Value reward = number(graph, golden, "r_t");
            Value discount = number(graph, golden, "discount_t");
            Value before = number(graph, golden, "v_tm1");
            Value chosen = Operators.pick(row(graph, golden, "q_tm1"), index(graph, golden, "a_tm1"));
            Value q = row(graph, golden, "q_t");
            Value next = Operators.pick(q, index(graph, golden, "a_t"));
            Value doubled = BellmanTargets.doubleQ(q, row(graph, golden, "q_t_selector"));
            Value expected = BellmanTargets.expected(q, row(graph, golden, "probs_a_t"));
            Map<String, Value> values = Map.of(
                    "q_learning",
                    BellmanTargets.maxQ(q),
                    "double_q_learning",
                    doubled,
                    "expected_sarsa",
                    expected,
                    "sarsa",
                    next);
            values.forEach((name, value) -> graph.expect(
                    name, subtract(BellmanTargets.bootstrapped(reward, discount, value), chosen), golden.get(name)));
            Value state = number(graph, golden, "v_t");
            graph.expect(
                    "td_learning",
                    subtract(BellmanTargets.bootstrapped(reward, discount, state), before),
                    golden.get("td_learning"));
            graph.check();
        }
    }

    private static Value number(LossCase graph, JsonNode golden, String name) {
        return graph.fed(name, Golden.numbers(golden.get(name)));
    }

    private static Value row(LossCase graph, JsonNode golden, String name) {
        double[] numbers = Golden.numbers(golden.get(name));
        return graph.fed(name, numbers, Golden.shape(golden.get(name)).extents());
    }

    private static Value index(LossCase graph, JsonNode golden, String name) {
        return graph.fedIndex(name, golden.get(name).asLong());
    }

    private static void projection(JsonNode section, Way way) {
        for (JsonNode golden : section.get("cases")) {
            LossCase graph = new LossCase(way, 1);
            CategoricalAtoms atoms = CategoricalAtoms.of(Golden.numbers(golden.get("z_q")));
            Value probabilities = row(graph, golden, "probs");
            graph.expect("projected", atoms.project(row(graph, golden, "z_p"), probabilities), golden.get("projected"));
            double[] before = Golden.numbers(golden.get("z_p_before"));
            if (Arrays.equals(before, Golden.numbers(golden.get("z_q")))) {
                Value target =
                        atoms.target(number(graph, golden, "reward"), number(graph, golden, "discount"), probabilities);
                graph.expect("target", target, golden.get("projected"));
            }
            graph.check();
        }
    }

    private static void categoricalQLearning(JsonNode section, Way way) {
        for (JsonNode golden : section.get("cases")) {
            LossCase graph = new LossCase(way, 1);
            CategoricalAtoms atoms = CategoricalAtoms.of(Golden.numbers(golden.get("atoms")));
            JsonNode before = golden.get("q_logits_tm1");
            Value logits = graph.trained(
                    "q_logits_tm1", Golden.numbers(before), Golden.shape(before).extents());
            Value after = row(graph, golden, "q_logits_t");
            Value greedy = Operators.argMax(atoms.expectation(after));
            Value target = atoms.target(
                    number(graph, golden, "r_t"),
                    number(graph, golden, "discount_t"),
                    Operators.softmax(ReturnDistribution.chosen(after, greedy)));
            Value loss =
                    mean(atoms.crossEntropy(ReturnDistribution.chosen(logits, index(graph, golden, "a_tm1")), target));
            graph.descend("loss", loss, golden.get("loss"), Map.of("q_logits_tm1", golden.get("grad_q_logits_tm1")));
            graph.check();
        }
    }

    private static void quantileHuber(JsonNode section, Way way) {
        for (JsonNode golden : section.get("cases")) {
            int rows = Golden.shape(golden.get("current_quantiles")).get(0);
            double[] tau = Golden.numbers(golden.get("tau"));
            LossCase graph = new LossCase(way, rows);
            Value current = graph.trained("current", golden.get("current_quantiles"));
            Value target = graph.fed("target", golden.get("target_quantiles"));
            Value middles = graph.constant(tau, tau.length);
            double kappa = golden.get("kappa").asDouble();
            for (QuantileReduction over : QuantileReduction.values()) {
                JsonNode expected = golden.get(over == QuantileReduction.SUM ? "sb3_contrib_sum" : "sb3_contrib_mean");
                Value loss = mean(new QuantileHuber(kappa, Scaling.PLAIN, over).perRow(current, middles, target));
                graph.descend(
                        "sb3 " + over, loss, expected.get("loss"), Map.of("current", expected.get("grad_current")));
            }
            golden.get("rlax").fields().forEachRemaining(entry -> {
                double threshold = Double.parseDouble(entry.getKey());
                QuantileHuber plain = new QuantileHuber(threshold, Scaling.PLAIN, QuantileReduction.SUM);
                double[] each = Golden.numbers(entry.getValue().get("loss_per_sample"));
                Value loss = plain.perRow(current, middles, target);
                graph.expect("rlax " + threshold, loss, each);
                graph.descend(
                        "mean of rlax " + threshold,
                        mean(loss),
                        DoubleStream.of(each).average().orElseThrow(),
                        Map.of("current", Golden.numbers(entry.getValue().get("grad_of_mean_current"))));
            });
            graph.check();
        }
    }

    private static void ppo(JsonNode section, Way way) {
        for (JsonNode golden : section.get("cases")) {
            LossCase graph =
                    new LossCase(way, Golden.shape(golden.get("logits")).get(0));
            double range = golden.get("clip_range").asDouble();
            Value logits = graph.trained("logits", golden.get("logits"));
            Value value = graph.trained("values", golden.get("values"));
            Value before = graph.fed("old_values", golden.get("old_values"));
            Value returns = graph.fed("returns", golden.get("returns"));
            Value old = graph.fed("old_log_prob", golden.get("old_log_prob"));
            Value advantage = graph.fed("advantages", golden.get("advantages"));
            Categorical policy = new Categorical(logits);
            Value logProbability = policy.logProbability(graph.fed("actions", golden.get("actions")));
            Value normalised = PolicyGradient.normalised(advantage);
            ClippedSurrogate raw = ClippedSurrogate.of(logProbability, old, advantage, range);
            ClippedSurrogate usual = ClippedSurrogate.of(logProbability, old, normalised, range);
            Value entropyLoss = PolicyGradient.entropyLoss(policy.entropy());

            graph.expect("log_prob", logProbability, golden.get("log_prob"));
            graph.expect("entropy", policy.entropy(), golden.get("entropy"));
            graph.expect("normalised_advantages", normalised, golden.get("normalised_advantages"));
            graph.expect("ratio", raw.ratio(), golden.get("ratio"));
            graph.expect("approx_kl_k3", raw.approximateKl(), golden.get("approx_kl_k3"));
            graph.expect("clip_fraction", raw.clipFraction(), golden.get("clip_fraction"));
            graph.expect("approx_kl_k1", mean(KlEstimator.K1.of(logProbability, old)), golden.get("approx_kl_k1"));

            descend(graph, golden, "policy_loss_raw", raw.loss(), Map.of("logits", "grad_logits"));
            descend(graph, golden, "policy_loss_normalised", usual.loss(), Map.of("logits", "grad_logits"));
            descend(graph, golden, "entropy_loss", entropyLoss, Map.of("logits", "grad_logits"));
            golden.get("value_loss")
                    .fieldNames()
                    .forEachRemaining(name -> descend(
                            graph,
                            golden.get("value_loss"),
                            name,
                            valueLoss(name, value, before, returns, range),
                            Map.of("values", "grad_values")));
            golden.fieldNames().forEachRemaining(name -> {
                Matcher total =
                        Pattern.compile("sb3_total_ent" + REAL + "_vf" + REAL).matcher(name);
                if (total.matches()) {
                    Value entropy = Operators.scale(entropyLoss, Double.parseDouble(total.group(1)));
                    Value critic = Operators.scale(
                            ValueLoss.STABLE_BASELINES3.loss(value, returns), Double.parseDouble(total.group(2)));
                    Value loss = Operators.add(Operators.add(usual.loss(), entropy), critic);
                    Map<String, String> both = Map.of("logits", "grad_logits", "values", "grad_values");
                    descend(graph, golden, name, loss, both);
                }
            });
            graph.check();
        }
    }

    private static Value valueLoss(String name, Value value, Value old, Value returns, double range) {
        return switch (name) {
            case "sb3_unclipped" -> ValueLoss.STABLE_BASELINES3.loss(value, returns);
            case "sb3_clipped" -> ValueLoss.STABLE_BASELINES3.clipped(value, old, returns, range);
            case "cleanrl_unclipped" -> ValueLoss.CLEAN_RL.loss(value, returns);
            case "cleanrl_clipped" -> ValueLoss.CLEAN_RL.clipped(value, old, returns, range);
            default -> throw new IllegalArgumentException("there is no test for the value loss " + name);
        };
    }

    /** A block {@code {loss, gradient, …}}. */
    private static void descend(
            LossCase graph, JsonNode golden, String block, Value loss, Map<String, String> gradients) {
        Map<String, JsonNode> by = new TreeMap<>();
        gradients.forEach(
                (parameter, name) -> by.put(parameter, golden.get(block).get(name)));
        graph.descend(block, loss, golden.get(block).get("loss"), by);
    }

    private static void diagonalGaussian(JsonNode golden, Way way) {
        int rows = Golden.shape(golden.get("mean")).get(0);
        LossCase graph = new LossCase(way, rows);
        Value mean = graph.trained("mean", golden.get("mean"));
        Value action = graph.fed("action", golden.get("action"));
        DiagonalGaussian policy = new DiagonalGaussian(mean, graph.trained("log_std", golden.get("log_std")));
        graph.expect("log_prob", policy.logProbability(action), golden.get("log_prob"));
        graph.expect("entropy", policy.entropy(), golden.get("entropy"));
        DiagonalGaussian other = new DiagonalGaussian(action, Operators.scale(action, 0));
        graph.expect("kl", policy.kullbackLeibler(other), golden.get("kl_to_normal_mean_action_std_1"));
        double[] each = Golden.numbers(golden.get("log_prob"));
        graph.descend(
                "behaviour cloning",
                BehaviourCloningLoss.loss(policy, action),
                -DoubleStream.of(each).average().orElseThrow(),
                Map.of(
                        "mean", shared(golden.get("grad_sum_log_prob_mean"), rows),
                        "log_std", shared(golden.get("grad_sum_log_prob_log_std"), rows)));
        graph.check();
    }

    /** Converts the gradient of a sum over rows to that of minus the mean. */
    private static double[] shared(JsonNode gradient, int rows) {
        return DoubleStream.of(Golden.numbers(gradient)).map(x -> -x / rows).toArray();
    }

    private static void categorical(JsonNode golden, Way way) {
        int rows = Golden.shape(golden.get("logits")).get(0);
        LossCase graph = new LossCase(way, rows);
        Value logits = graph.trained("logits", golden.get("logits"));
        Value action = graph.fed("actions", golden.get("actions"));
        Categorical policy = new Categorical(logits);
        graph.expect("log_prob", policy.logProbability(action), golden.get("log_prob"));
        graph.expect("entropy", policy.entropy(), golden.get("entropy"));
        graph.expect("probs", Operators.softmax(logits), golden.get("probs"));
        graph.descend(
                "behaviour cloning",
                BehaviourCloningLoss.loss(policy, action),
                -DoubleStream.of(Golden.numbers(golden.get("log_prob")))
                        .average()
                        .orElseThrow(),
                Map.of("logits", shared(golden.get("grad_sum_log_prob_logits"), rows)));
        graph.descend(
                "entropy bonus",
                PolicyGradient.entropyLoss(policy.entropy()),
                -DoubleStream.of(Golden.numbers(golden.get("entropy")))
                        .average()
                        .orElseThrow(),
                Map.of("logits", shared(golden.get("grad_sum_entropy_logits"), rows)));
        graph.check();
    }

    private static void tanhGaussian(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("mean")).get(0));
        Value mean = graph.trained("mean", golden.get("mean"));
        Value logStd = graph.trained("log_std", golden.get("log_std"));
        graph.condition(condition(golden, epsilon(golden)));
        TanhGaussian exact = new TanhGaussian(mean, logStd);
        Value u = exact.normal().sample(graph.fed("noise", golden.get("noise")));
        graph.expect("u", u, golden.get("u"));
        graph.expect("action", tanh(u), golden.get("action"));
        Map<String, TanhGaussian> both = Map.of("exact", exact, "sb3", exact.epsilon(epsilon(golden)));
        both.forEach((name, policy) -> {
            Value logProbability = policy.logProbabilityBefore(u);
            JsonNode expected = golden.get(name + "_log_prob");
            graph.expect(name, logProbability, expected);
            graph.descend(
                    name + ", summed",
                    sum(logProbability),
                    DoubleStream.of(Golden.numbers(expected)).sum(),
                    Map.of(
                            "mean", Golden.numbers(golden.get(name + "_grad_sum_mean")),
                            "log_std", Golden.numbers(golden.get(name + "_grad_sum_log_std"))));
        });
        graph.check();
    }

    /** {@code log(1 - tanh(u)² + epsilon)} takes the difference of two numbers that are nearly equal. */
    private static double condition(JsonNode golden, double epsilon) {
        double[] mean = Golden.numbers(golden.get("mean"));
        double[] logStd = Golden.numbers(golden.get("log_std"));
        double[] noise = Golden.numbers(golden.get("noise"));
        return IntStream.range(0, mean.length)
                .mapToDouble(i -> Math.tanh(mean[i] + Math.exp(logStd[i]) * noise[i]))
                .map(a -> 1 / (1 - a * a + epsilon))
                .max()
                .orElseThrow();
    }

    private static double epsilon(JsonNode tanhGaussian) {
        return setting(tanhGaussian, "1-a\\^2\\+" + REAL, 1);
    }

    /** A number that is only in a section's definition. */
    private static double setting(JsonNode section, String pattern, int group) {
        String definition = section.get("definition").asText();
        Matcher matcher = Pattern.compile(pattern).matcher(definition);
        assertThat(matcher.find()).as("%s in \"%s\"", pattern, definition).isTrue();
        return Double.parseDouble(matcher.group(group));
    }

    private static void sac(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("mean")).get(0));
        Value mean = graph.trained("mean", golden.get("mean"));
        Value logStd = graph.trained("log_std", golden.get("log_std"));
        Value logAlpha =
                graph.trainedNumber("log_alpha", golden.get("log_alpha").asDouble());
        double epsilon = epsilon(Golden.read(FILE).get("tanh_gaussian"));
        graph.condition(condition(golden, epsilon));
        TanhGaussian policy = new TanhGaussian(mean, logStd).epsilon(epsilon);
        Value u = policy.normal().sample(graph.fed("noise", golden.get("noise")));
        Value logProbability = policy.logProbabilityBefore(u);
        Value q = BellmanTargets.minQ(critics(graph, golden, tanh(u)));
        graph.descend(
                "actor_loss",
                SoftActorCritic.actorLoss(q, logProbability, exp(logAlpha)),
                golden.get("actor_loss"),
                Map.of("mean", golden.get("actor_grad_mean"), "log_std", golden.get("actor_grad_log_std")));
        double entropy = golden.get("target_entropy").asDouble();
        graph.descend(
                "alpha_loss",
                TemperatureLoss.OF_LOGARITHM.loss(logAlpha, logProbability, entropy),
                golden.get("alpha_loss"),
                Map.of("log_alpha", golden.get("alpha_grad_log_alpha")));
        Value target = BellmanTargets.bootstrapped(
                graph.fed("rewards", golden.get("rewards")),
                BellmanTargets.discount(
                        graph.fed("dones", golden.get("dones")), setting(golden, "gamma " + REAL, 1), 1),
                SoftActorCritic.softValue(q, logProbability, exp(logAlpha)));
        graph.expect("target_q", target, golden.get("target_q"));
        critics(graph, golden, target, RegressionLoss.HALF_SQUARED);
        graph.check();
    }

    /** The file's stand-ins for critics: {@code q_i(a) = e_i - Σ_j c_ij·(a_j - d_ij)²}. */
    private static Value[] critics(LossCase graph, JsonNode golden, Value action) {
        JsonNode critics = golden.get("critics");
        int n = Golden.shape(critics.get("c")).get(0);
        Value[] q = new Value[n];
        for (int i = 0; i < n; i++) {
            double[] c = part(critics.get("c"), i);
            Value from = subtract(action, graph.constant(part(critics.get("d"), i), c.length));
            Value sum = sum(multiply(graph.constant(c, c.length), square(from)), 0);
            q[i] = subtract(graph.graph.constant(part(critics.get("e"), i)[0]), sum);
        }
        return q;
    }

    /** The loss of critics whose values are given, and its gradients by these. */
    private static void critics(LossCase graph, JsonNode golden, Value target, RegressionLoss regression) {
        JsonNode current = golden.get("current_q");
        boolean one = Golden.shape(current).rank() == 1;
        int n = one ? 1 : Golden.shape(current).get(0);
        List<Value> predictions = new ArrayList<>();
        Map<String, double[]> gradients = new TreeMap<>();
        JsonNode gradient = golden.get("critic_grad_current_q");
        for (int i = 0; i < n; i++) {
            predictions.add(graph.trained("q" + i, one ? Golden.numbers(current) : part(current, i)));
            gradients.put("q" + i, one ? Golden.numbers(gradient) : part(gradient, i));
        }
        Value loss = regression.loss(target, predictions.toArray(Value[]::new));
        graph.descend("critic_loss", loss, golden.get("critic_loss").asDouble(), gradients);
    }

    /** One row of a tensor. */
    private static double[] part(JsonNode tensor, int i) {
        Shape shape = Golden.shape(tensor);
        int width = shape.size() / shape.get(0);
        return Arrays.copyOfRange(Golden.numbers(tensor), i * width, (i + 1) * width);
    }

    private static void td3(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("noise")).get(0));
        Value action = graph.trained("action", golden.get("target_policy_action"));
        double limit = setting(golden, "clip\\(noise,-([0-9.]+),\\1\\)", 1);
        String bounds = "clip\\(noise,[^)]*\\)," + REAL + "," + REAL + "\\)";
        Value next = DeterministicPolicyGradient.smoothed(
                action,
                graph.fed("noise", golden.get("noise")),
                limit,
                setting(golden, bounds, 1),
                setting(golden, bounds, 2));
        graph.expect("next_action", next, golden.get("next_action"));
        deterministic(graph, golden, action, next);
    }

    private static void ddpg(JsonNode golden, Way way) {
        LossCase graph =
                new LossCase(way, Golden.shape(golden.get("policy_action")).get(0));
        Value action = graph.trained("action", golden.get("policy_action"));
        deterministic(graph, golden, action, action);
    }

    private static void deterministic(LossCase graph, JsonNode golden, Value action, Value next) {
        boolean one = Golden.shape(golden.get("current_q")).rank() == 1;
        Value[] after = critics(graph, golden, next);
        Value discount = BellmanTargets.discount(
                graph.fed("dones", golden.get("dones")), setting(golden, "\\(1-done\\)\\*" + REAL, 1), 1);
        Value target = BellmanTargets.bootstrapped(
                graph.fed("rewards", golden.get("rewards")), discount, one ? after[0] : BellmanTargets.minQ(after));
        graph.expect("target_q", target, golden.get("target_q"));
        critics(graph, golden, target, RegressionLoss.SQUARED);
        graph.descend(
                "actor_loss",
                DeterministicPolicyGradient.loss(critics(graph, golden, action)[0]),
                golden.get("actor_loss"),
                Map.of("action", golden.get("actor_grad_action")));
        graph.check();
    }

    private static void dqnHuber(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("current_q")).get(0));
        Value loss = RegressionLoss.HUBER.loss(
                graph.fed("target_q", golden.get("target_q")), graph.trained("current_q", golden.get("current_q")));
        graph.descend("loss", loss, golden.get("loss"), Map.of("current_q", golden.get("grad_current_q")));
        graph.check();
    }

    private static void policyGradient(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("log_prob")).get(0));
        Value loss = PolicyGradient.loss(
                graph.trained("log_prob", golden.get("log_prob")), graph.fed("advantages", golden.get("advantages")));
        graph.descend("loss", loss, golden.get("loss"), Map.of("log_prob", golden.get("grad_log_prob")));
        graph.check();
    }
}
