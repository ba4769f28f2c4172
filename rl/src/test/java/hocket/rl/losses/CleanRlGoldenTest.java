package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.rl.losses.ReturnDistribution.chosen;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.returns.Gae;
import hocket.rl.returns.RolloutLayout;
import hocket.rl.returns.Truncation;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares with what lines of CleanRL's own files compute; {@code benchmarks/golden_cleanrl.py} runs them. */
@Tag("golden")
class CleanRlGoldenTest {
    private static final String FILE = "losses/cleanrl.json";

    /** Advantages are floats here, doubles there: sums of a few terms around 1. */
    private static final double SINGLE = 1e-5;

    @Test
    void advantagesAreThoseOfPpo() {
        for (JsonNode golden : cases("gae")) {
            int steps = Golden.shape(golden.get("rewards")).get(0);
            int environments = Golden.shape(golden.get("rewards")).get(1);
            RolloutLayout layout = RolloutLayout.timeMajor(steps, environments);
            // there a flag says that an episode ended before the step, and a limit ends it like a goal
            double[] before = Golden.numbers(golden.get("dones"));
            double[] atLast = Golden.numbers(golden.get("next_done"));
            boolean[] ended = new boolean[steps * environments];
            for (int i = 0; i < ended.length; i++) {
                int next = i + environments;
                ended[i] = (next < ended.length ? before[next] : atLast[next - ended.length]) == 1;
            }
            float[] advantages = new float[ended.length];
            float[] returns = new float[ended.length];
            new Gae(golden.get("gamma").asDouble(), golden.get("gae_lambda").asDouble(), Truncation.END)
                    .advantages(
                            layout,
                            Golden.floats(golden.get("rewards")),
                            Golden.floats(golden.get("values")),
                            ended,
                            new boolean[ended.length],
                            new float[ended.length],
                            Golden.floats(golden.get("next_value")),
                            advantages,
                            returns);
            Golden.assertNear("advantages", doubles(advantages), Golden.numbers(golden.get("advantages")), SINGLE);
            Golden.assertNear("returns", doubles(returns), Golden.numbers(golden.get("returns")), SINGLE);
        }
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void lossesOfAMinibatchAreThoseOfPpo(Way way) {
        for (JsonNode golden : cases("ppo")) {
            int rows = Golden.shape(golden.get("logits")).get(0);
            LossCase graph = new LossCase(way, rows);
            double range = golden.get("clip_coef").asDouble();
            Categorical policy = new Categorical(graph.trained("logits", golden.get("logits")));
            Value value = graph.trained("value", golden.get("newvalue"));
            Value advantage = graph.fed("advantages", golden.get("advantages"));
            Value returns = graph.fed("returns", golden.get("returns"));
            ClippedSurrogate surrogate = ClippedSurrogate.of(
                    policy.logProbability(graph.fed("actions", golden.get("actions"))),
                    graph.fed("logprobs", golden.get("logprobs")),
                    golden.get("norm_adv").asBoolean() ? PolicyGradient.normalised(advantage) : advantage,
                    range);
            Value valueLoss = golden.get("clip_vloss").asBoolean()
                    ? ValueLoss.CLEAN_RL.clipped(value, graph.fed("values", golden.get("values")), returns, range)
                    : ValueLoss.CLEAN_RL.loss(value, returns);
            Value entropyLoss = PolicyGradient.entropyLoss(policy.entropy());
            graph.expect("pg_loss", surrogate.loss(), golden.get("pg_loss"));
            graph.expect("v_loss", valueLoss, golden.get("v_loss"));
            graph.expect("entropy", mean(policy.entropy()), golden.get("entropy_loss"));
            graph.expect("approx_kl", surrogate.approximateKl(), golden.get("approx_kl"));
            long clipped = Math.round(golden.get("clipfrac").asDouble() * rows); // a float there
            graph.expect("clipfrac", surrogate.clipFraction(), clipped / (double) rows);
            Value policyLoss = add(
                    surrogate.loss(), scale(entropyLoss, golden.get("ent_coef").asDouble()));
            graph.descend(
                    "loss",
                    add(policyLoss, scale(valueLoss, golden.get("vf_coef").asDouble())),
                    golden.get("loss"),
                    Map.of("logits", golden.get("grad_logits"), "value", golden.get("grad_newvalue")));
            graph.check();
        }
    }

    /** CleanRL bounds probabilities by 1e-5 and 1 - 1e-5 in the loss, which those of these cases do not reach. */
    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void targetsAndLossAreThoseOfC51(Way way) {
        for (JsonNode golden : cases("c51")) {
            double gamma = golden.get("gamma").asDouble();
            ReturnDistribution distribution = new CategoricalReturn(
                    Golden.shape(golden.get("logits")).get(2),
                    golden.get("v_min").asDouble(),
                    golden.get("v_max").asDouble());
            LossCase graph =
                    new LossCase(way, Golden.shape(golden.get("logits")).get(0));
            Value logits = graph.trained("logits", golden.get("logits"));
            Value next = graph.fed("next_logits", golden.get("next_logits"));
            double[] discounts = DoubleStream.of(Golden.numbers(golden.get("dones")))
                    .map(done -> gamma * (1 - done))
                    .toArray();
            Value target = distribution.target(
                    graph.fed("rewards", golden.get("rewards")),
                    graph.fed("discounts", discounts),
                    next,
                    distribution.expectation(next));
            Value loss = distribution.loss(chosen(logits, graph.fed("actions", golden.get("actions"))), target);
            graph.expect("target_pmfs", target, golden.get("target_pmfs"));
            graph.descend("loss", mean(loss), golden.get("loss"), Map.of("logits", golden.get("grad_logits")));
            graph.check();
        }
    }

    private static double[] doubles(float[] numbers) {
        return IntStream.range(0, numbers.length).mapToDouble(i -> numbers[i]).toArray();
    }

    private static JsonNode cases(String section) {
        JsonNode cases = Golden.read(FILE).get(section);
        assertThat(cases).isNotEmpty();
        return cases;
    }
}
