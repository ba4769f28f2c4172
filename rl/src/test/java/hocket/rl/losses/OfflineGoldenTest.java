package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.subtract;
import static hocket.rl.losses.LossCase.golden;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.networks.Critics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the losses of methods that learn from recorded steps with PyTorch. */
@Tag("golden")
class OfflineGoldenTest {
    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void conservativeQLearningOfDiscreteActionsIsThatOfKumar(Way way) {
        JsonNode golden = golden("cql_discrete");
        LossCase graph = new LossCase(way, Golden.shape(golden.get("rewards")).get(0));
        Value q = graph.trained("q", golden.get("q"));
        Value action = graph.fed("actions", golden.get("actions"));
        Value next = BellmanTargets.doubleQ(
                graph.fed("target_q_next", golden.get("target_q_next")),
                graph.fed("online_q_next", golden.get("online_q_next")));
        Value target = BellmanTargets.bootstrapped(
                graph.fed("rewards", golden.get("rewards")),
                BellmanTargets.discount(graph.fed("dones", golden.get("dones")), 0.99, 1),
                next);
        graph.expect("target", target, golden.get("target"));
        Value temporal = RegressionLoss.HUBER.loss(target, pick(q, action));
        graph.descend("td_loss", temporal, golden.get("td_loss"), Map.of("q", golden.get("td_grad_q")));
        Value conservative = ConservativeQ.ofActions(q, action);
        graph.descend(
                "conservative_loss",
                conservative,
                golden.get("conservative_loss"),
                Map.of("q", golden.get("conservative_grad_q")));
        graph.descend(
                "loss", add(temporal, scale(conservative, 4)), golden.get("loss"), Map.of("q", golden.get("grad_q")));
        graph.check();
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void conservativeQLearningOfSampledActionsIsThatOfKumar(Way way) {
        for (JsonNode golden : golden("cql_continuous").get("cases")) {
            LossCase graph =
                    new LossCase(way, Golden.shape(golden.get("q_data")).get(0));
            Value data = graph.trained("q_data", golden.get("q_data"));
            Value random = graph.trained("q_random", golden.get("q_random"));
            Value current = graph.trained("q_current", golden.get("q_current"));
            Value next = graph.trained("q_next", golden.get("q_next"));
            double uniform = golden.get("action_dim").asInt() * Math.log(0.5);
            Value others = concat(
                    0,
                    shift(random, -uniform),
                    subtract(next, graph.fed("log_prob_next", golden.get("log_prob_next"))),
                    subtract(current, graph.fed("log_prob_current", golden.get("log_prob_current"))));
            JsonNode expected = golden.get("importance_sampled");
            double temperature = golden.get("temperature").asDouble();
            graph.descend(
                    "importance_sampled",
                    scale(
                            ConservativeQ.ofSamples(data, others, temperature),
                            golden.get("weight").asDouble()),
                    expected.get("loss"),
                    Map.of(
                            "q_data", expected.get("grad_q_data"),
                            "q_random", expected.get("grad_q_random"),
                            "q_current", expected.get("grad_q_current"),
                            "q_next", expected.get("grad_q_next")));
            graph.check();
        }
    }

    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void implicitQLearningIsThatOfKostrikov(Way way) {
        JsonNode golden = golden("iql");
        for (JsonNode one : golden.get("cases")) {
            LossCase graph = new LossCase(way, Golden.shape(golden.get("v")).get(0));
            graph.condition(100); // weights of up to 100
            Value v = graph.trained("v", golden.get("v"));
            Critics now =
                    new Critics(List.of(graph.trained("q1", golden.get("q1")), graph.trained("q2", golden.get("q2"))));
            Value q = new Critics(List.of(
                            graph.fed("target_q1", golden.get("target_q1")),
                            graph.fed("target_q2", golden.get("target_q2"))))
                    .minimum();
            graph.descend(
                    "value_loss",
                    ImplicitQ.valueLoss(q, v, one.get("expectile").asDouble()),
                    one.get("value_loss"),
                    Map.of("v", one.get("value_grad_v")));
            Value target = BellmanTargets.bootstrapped(
                    graph.fed("rewards", golden.get("rewards")),
                    scale(graph.fed("masks", golden.get("masks")), 0.99),
                    graph.fed("v_next", golden.get("v_next")));
            graph.expect("target", target, one.get("target"));
            graph.descend(
                    "critic_loss",
                    now.loss(RegressionLoss.SQUARED, target),
                    one.get("critic_loss"),
                    Map.of("q1", one.get("critic_grad_q1"), "q2", one.get("critic_grad_q2")));
            Value mean = graph.trained("mean", golden.get("mean"));
            double[] logStd = Golden.numbers(golden.get("log_std"));
            DiagonalGaussian policy = new DiagonalGaussian(mean, graph.constant(logStd, logStd.length));
            Value logProbability = policy.logProbability(graph.fed("actions", golden.get("actions")));
            graph.expect("log_prob", logProbability, one.get("log_prob"));
            graph.descend(
                    "actor_loss",
                    ImplicitQ.actorLoss(
                            logProbability, q, v, one.get("inverse_temperature").asDouble()),
                    one.get("actor_loss"),
                    Map.of("mean", one.get("actor_grad_mean")));
            graph.check();
        }
    }
}
