package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Bernoulli;
import hocket.programs.layers.Distributions.Categorical;
import hocket.programs.layers.Distributions.MultiCategorical;
import hocket.programs.layers.Scan;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.networks.LstmMemory;
import hocket.rl.networks.Memory;
import hocket.rl.replay.StepSequence;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Compares policies of several actions and with a memory, and their losses, with Stable-Baselines3, sb3-contrib and PyTorch. */
@Tag("golden")
class PolicyGoldenTest {
    private interface Check {
        void run(JsonNode section, Way way);
    }

    private static final Map<String, Check> SECTIONS = Map.ofEntries(
            entry("masked_categorical", PolicyGoldenTest::maskedCategorical),
            entry("multi_categorical", PolicyGoldenTest::multiCategorical),
            entry("bernoulli", PolicyGoldenTest::bernoulli),
            entry("recurrent_ppo", PolicyGoldenTest::recurrentPpo),
            entry("lstm_with_resets", PolicyGoldenTest::lstmWithResets),
            entry("value_norm", PolicyGoldenTest::normalisedValues),
            entry("value_rescaling", PolicyGoldenTest::valueRescaling));

    @TestFactory
    Stream<DynamicTest> policiesAndTheirGradientsAreThoseOfTheReferenceImplementations() {
        JsonNode golden = Golden.read("losses/rl2.json");
        return SECTIONS.entrySet().stream()
                .filter(section -> golden.has(section.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .flatMap(section -> LossCase.ways()
                        .map(way -> DynamicTest.dynamicTest(
                                section.getKey() + ", " + way,
                                () -> section.getValue().run(golden.get(section.getKey()), way))));
    }

    private static void multiCategorical(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("logits")).get(0));
        List<Integer> counts = new ArrayList<>();
        golden.get("nvec").forEach(count -> counts.add(count.asInt()));
        Value logits = graph.trained("logits", golden.get("logits"));
        MultiCategorical policy = MultiCategorical.of(logits, counts);
        Value action = graph.fed("actions", golden.get("actions"));
        checkSum(graph, golden, "", "log_prob", policy.logProbability(action));
        checkSum(graph, golden, "", "entropy", policy.entropy());
        Value mask = graph.fed("mask", golden.get("mask"));
        MultiCategorical masked = MultiCategorical.masked(logits, mask, counts);
        Value taken = graph.fed("masked_actions", golden.get("masked_actions"));
        checkSum(graph, golden, "masked_", "log_prob", masked.logProbability(taken));
        checkSum(graph, golden, "masked_", "entropy", masked.entropy());
        graph.check();
    }

    private static void maskedCategorical(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("logits")).get(0));
        Value mask = graph.fed("mask", golden.get("mask"));
        Categorical policy = Categorical.masked(graph.trained("logits", golden.get("logits")), mask);
        Value logProbability = policy.logProbability(graph.fed("actions", golden.get("actions")));
        Value entropy = policy.entropy();
        graph.expect("probs", exp(logSoftmax(policy.logits())), golden.get("probs"));
        graph.expect("mode", policy.mode(), golden.get("mode"));
        double[] exact = logProbabilities(golden);
        double[] rounded = Golden.numbers(golden.get("log_prob"));
        double[] before = Golden.numbers(golden.get("old_log_prob"));
        for (int i = 0; i < before.length; i++) {
            before[i] += exact[i] - rounded[i]; // of the same ratio
        }
        weighed(graph, golden, "log_prob", logProbability, exact);
        weighed(graph, golden, "entropy", entropy, Golden.numbers(golden.get("entropy")));
        Value old = graph.fed("old_log_prob", before);
        Value advantage = graph.fed("advantages", golden.get("advantages"));
        ClippedSurrogate surrogate = ClippedSurrogate.of(logProbability, old, advantage, 0.2);
        graph.descend(
                "ppo",
                add(surrogate.loss(), scale(PolicyGradient.entropyLoss(entropy), 0.01)),
                golden.get("ppo_loss").asDouble(),
                Map.of("logits", Golden.numbers(golden.get("ppo_grad_logits"))));
        graph.check();
    }

    /**
     * The log-probabilities of the file, but those of rows that allow nothing by their definition, {@code -log(actions)}: the
     * file's are rounded at the size of the masked logits, where doubles are 1.5e-8 apart.
     */
    private static double[] logProbabilities(JsonNode golden) {
        double[] all = Golden.numbers(golden.get("log_prob"));
        double[] mask = Golden.numbers(golden.get("mask"));
        int actions = mask.length / all.length;
        for (int row = 0; row < all.length; row++) {
            boolean isNothing = DoubleStream.of(mask)
                            .skip((long) row * actions)
                            .limit(actions)
                            .sum()
                    == 0;
            all[row] = isNothing ? -Math.log(actions) : all[row];
        }
        return all;
    }

    /** Checks values, and the gradient of their sum with given weights. */
    private static void weighed(LossCase graph, JsonNode golden, String name, Value value, double[] values) {
        graph.expect(name, value, values);
        double[] weights = Golden.numbers(golden.get("upstream_" + name));
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] * weights[i];
        }
        Value product = multiply(value, graph.fed("upstream_" + name, golden.get("upstream_" + name)));
        Map<String, double[]> gradient = Map.of("logits", Golden.numbers(golden.get("grad_" + name + "_logits")));
        graph.descend("sum of " + name, scale(mean(product), values.length), sum, gradient);
    }

    private static void bernoulli(JsonNode golden, Way way) {
        LossCase graph = new LossCase(way, Golden.shape(golden.get("logits")).get(0));
        Bernoulli policy = new Bernoulli(graph.trained("logits", golden.get("logits")));
        JsonNode actions = golden.get("actions");
        Value action = graph.fed(
                "actions", Golden.numbers(actions), Golden.shape(actions).get(1));
        checkSum(graph, golden, "", "log_prob", policy.logProbability(action));
        checkSum(graph, golden, "", "entropy", policy.entropy());
        graph.check();
    }

    /** Checks numbers, and the gradient of their sum. */
    private static void checkSum(LossCase graph, JsonNode golden, String kind, String name, Value value) {
        double[] numbers = Golden.numbers(golden.get(kind + name));
        graph.expect(kind + name, value, numbers);
        Map<String, double[]> gradient =
                Map.of("logits", Golden.numbers(golden.get(kind + "grad_sum_" + name + "_logits")));
        double sum = DoubleStream.of(numbers).sum();
        graph.descend("sum of " + kind + name, scale(mean(value), numbers.length), sum, gradient);
    }

    /** A row is an environment with all steps of a rollout; the file's other rows are padding, which we have not. */
    private static void recurrentPpo(JsonNode golden, Way way) {
        int environments = golden.get("n_envs").asInt();
        int steps = golden.get("n_steps").asInt();
        boolean[] isStep = new boolean[Golden.numbers(golden.get("log_prob")).length];
        for (int i = 0; i < isStep.length; i++) {
            isStep[i] = golden.get("mask").get("data").get(i).asBoolean();
        }
        LossCase graph = new LossCase(way, environments);
        Value logProbability = graph.trained("log_prob", unpadded(golden, "log_prob", isStep), steps);
        Value value = graph.trained("values", unpadded(golden, "values", isStep), steps);
        Value entropy = graph.trained("entropy", unpadded(golden, "entropy", isStep), steps);
        Value old = graph.fed("old_log_prob", unpadded(golden, "old_log_prob", isStep), steps);
        Value before = graph.fed("old_values", unpadded(golden, "old_values", isStep), steps);
        Value returns = graph.fed("returns", unpadded(golden, "returns", isStep), steps);
        Value advantage = graph.fed("advantages", unpadded(golden, "advantages", isStep), steps);
        Value normalised = PolicyGradient.normalised(advantage);
        ClippedSurrogate surrogate = ClippedSurrogate.of(logProbability, old, normalised, 0.2);
        Value ofValue = ValueLoss.STABLE_BASELINES3.loss(value, returns);
        Value ofEntropy = PolicyGradient.entropyLoss(entropy);

        graph.expect("normalised", normalised, golden.get("normalised_advantages_true_steps"));
        graph.expect("approx_kl", surrogate.approximateKl(), golden.get("approx_kl"));
        graph.descend(
                "loss",
                add(surrogate.loss(), add(scale(ofEntropy, 0.01), scale(ofValue, 0.5))),
                golden.get("loss").asDouble(),
                Map.of(
                        "log_prob", unpadded(golden, "grad_log_prob", isStep),
                        "values", unpadded(golden, "grad_values", isStep),
                        "entropy", unpadded(golden, "grad_entropy", isStep)));
        graph.descend("policy_loss", surrogate.loss(), golden.get("policy_loss").asDouble(), Map.of());
        graph.descend(
                "clipped_value_loss",
                ValueLoss.STABLE_BASELINES3.clipped(value, before, returns, 0.2),
                golden.get("clipped_value_loss").asDouble(),
                Map.of("values", unpadded(golden, "clipped_value_grad_values", isStep)));
        graph.check();
    }

    private static void normalisedValues(JsonNode section, Way way) {
        JsonNode golden = section.get("value_loss");
        LossCase graph = new LossCase(way, Golden.shape(golden.get("values")).get(0));
        Value value = graph.trained("values", golden.get("values"));
        Value old = graph.fed("old_values", golden.get("old_values"));
        Value returns = graph.fed("normalised_returns", golden.get("normalised_returns"));
        graph.descend(
                "loss",
                ValueLoss.MAPPO.clipped(value, old, returns, 0.2),
                golden.get("loss").asDouble(),
                Map.of("values", Golden.numbers(golden.get("grad_values"))));
        graph.check();
    }

    private static double[] unpadded(JsonNode golden, String name, boolean[] isStep) {
        double[] all = Golden.numbers(golden.get(name));
        double[] steps = new double[all.length];
        int count = 0;
        for (int i = 0; i < all.length; i++) {
            if (isStep[i]) {
                steps[count++] = all[i];
            }
        }
        return Arrays.copyOf(steps, count);
    }

    private static void lstmWithResets(JsonNode golden, Way way) {
        int steps = Golden.shape(golden.get("x")).get(0);
        int rows = Golden.shape(golden.get("x")).get(1);
        int inputs = Golden.shape(golden.get("x")).get(2);
        int units = Golden.shape(golden.get("output")).get(2);
        Memory cells = new LstmMemory(units);
        LossCase graph = new LossCase(way, rows);
        Value x = graph.trained("x", byRow(golden, "x"), steps, inputs);
        Value start = graph.trained("state", state(golden, "h0", "c0"), 1, 2, units);
        Value starts = graph.fed("starts", byRow(golden, "episode_starts"), steps);
        Value upstream = graph.fed("upstream", byRow(golden, "upstream"), steps, units);
        Scan.Steps all;
        try (var lstm = graph.graph.module("lstm")) {
            all = Scan.over(List.of(x, starts), List.of(start), (each, before) -> {
                Value kept = multiply(before.get(0), shift(negate(each.get(1)), 1));
                Memory.Step next = cells.step(each.get(0), kept);
                return new Scan.Next(List.of(next.state()), List.of(next.features()));
            });
        }
        Map<String, String> names = Map.of(
                "lstm/memory/layer1/input/weight", "weight_ih_l0",
                "lstm/memory/layer1/hidden/weight", "weight_hh_l0",
                "lstm/memory/layer1/input/bias", "bias_ih_l0",
                "lstm/memory/layer1/hidden/bias", "bias_hh_l0");
        Map<String, double[]> gradients = new HashMap<>();
        names.forEach((path, name) -> {
            graph.parameter(path, golden.get("params").get(name));
            gradients.put(path, Golden.numbers(golden.get("grad_" + name)));
        });
        gradients.put("x", byRow(golden, "grad_x"));
        gradients.put("state", state(golden, "grad_h0", "grad_c0"));
        Value outputs = all.outputs().get(0);
        graph.expect("output", outputs, byRow(golden, "output"));
        graph.expect("state", all.state().get(0), state(golden, "h_last", "c_last"));
        double[] output = byRow(golden, "output");
        double[] weights = byRow(golden, "upstream");
        double sum = 0;
        for (int i = 0; i < output.length; i++) {
            sum += output[i] * weights[i];
        }
        graph.descend("sum", scale(mean(multiply(outputs, upstream)), output.length), sum, gradients);
        graph.check();
    }

    /** The file's targets of the last steps are of fewer than n. */
    private static void valueRescaling(JsonNode golden, Way way) {
        golden.get("cases").forEach(each -> {
            double epsilon = each.get("eps").asDouble();
            LossCase graph = new LossCase(way, Golden.shape(each.get("x")).get(0));
            Value x = graph.fed("x", each.get("x"));
            graph.expect("h", ValueRescaling.rescaled(x, epsilon), each.get("h"));
            graph.expect("h_inverse", ValueRescaling.original(x, epsilon), each.get("h_inverse"));
            graph.check();
        });
        JsonNode given = golden.get("n_step");
        double[] rewards = Golden.numbers(given.get("r_t"));
        double[] factors = Golden.numbers(given.get("discount_t"));
        int steps = rewards.length;
        int most = given.get("n").asInt();
        double[] sums = new double[steps];
        double[] discounts = new double[steps];
        double[] later = new double[steps];
        double[] next = bestValues(given);
        for (int t = 0; t < steps; t++) {
            discounts[t] = 1;
            for (int i = t; i < Math.min(t + most, steps); i++) {
                sums[t] += discounts[t] * rewards[i];
                discounts[t] *= factors[i];
                later[t] = next[i];
            }
        }
        LossCase graph = new LossCase(way, 1);
        int n = Golden.shape(given.get("q_tm1")).get(1);
        Value values = graph.fed("q", Golden.numbers(given.get("q_tm1")), steps, n);
        Value taken = sum(multiply(values, graph.fed("taken", oneHot(given.get("a_tm1"), n), steps, n)), 1);
        Value ahead = ValueRescaling.original(graph.fed("next", later, steps), ValueRescaling.EPSILON);
        Value target = ValueRescaling.rescaled(
                BellmanTargets.bootstrapped(graph.fed("r", sums, steps), graph.fed("d", discounts, steps), ahead),
                ValueRescaling.EPSILON);
        Value errors = subtract(target, taken);
        graph.expect("td_errors", errors, given.get("td_errors"));
        graph.expect(
                "priority", StepSequence.priority(errors), given.get("priority").asDouble());
        graph.check();
    }

    /** The target network's values of the actions that the other one would take. */
    private static double[] bestValues(JsonNode golden) {
        double[] all = Golden.numbers(golden.get("q_t"));
        double[] actions = Golden.numbers(golden.get("a_t"));
        int n = all.length / actions.length;
        double[] values = new double[actions.length];
        for (int t = 0; t < values.length; t++) {
            values[t] = all[t * n + (int) actions[t]];
        }
        return values;
    }

    private static double[] oneHot(JsonNode indices, int n) {
        double[] actions = Golden.numbers(indices);
        double[] all = new double[actions.length * n];
        for (int t = 0; t < actions.length; t++) {
            all[t * n + (int) actions[t]] = 1;
        }
        return all;
    }

    /** The numbers of a tensor (T, rows, …) with its rows first. */
    private static double[] byRow(JsonNode golden, String name) {
        Shape shape = Golden.shape(golden.get(name));
        double[] numbers = Golden.numbers(golden.get(name));
        int steps = shape.get(0);
        int rows = shape.get(1);
        int width = shape.size() / steps / rows;
        double[] rowsFirst = new double[numbers.length];
        for (int t = 0; t < steps; t++) {
            for (int row = 0; row < rows; row++) {
                System.arraycopy(numbers, (t * rows + row) * width, rowsFirst, (row * steps + t) * width, width);
            }
        }
        return rowsFirst;
    }

    /** States h and c of (1, rows, units) as (rows, 1, 2, units). */
    private static double[] state(JsonNode golden, String h, String c) {
        int units = Golden.shape(golden.get(h)).get(2);
        List<double[]> parts = new ArrayList<>(List.of(Golden.numbers(golden.get(h)), Golden.numbers(golden.get(c))));
        double[] all = new double[2 * parts.get(0).length];
        for (int i = 0; i < all.length; i++) {
            int row = i / (2 * units);
            all[i] = parts.get(i / units % 2)[row * units + i % units];
        }
        return all;
    }
}
