package hocket.rl.losses;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.tanh;
import static hocket.rl.losses.SoftActorCritic.expectedSoftValue;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.Golden;
import hocket.rl.losses.LossCase.Way;
import hocket.rl.losses.SoftActorCritic.TemperatureLoss;
import hocket.rl.networks.Critics;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares SAC of discrete actions, and a round of DDPG, with PyTorch. */
@Tag("golden")
class SoftActorCriticGoldenTest {
    @ParameterizedTest
    @MethodSource(LossCase.WAYS)
    void discreteActionsAreThoseOfChristodoulou(Way way) {
        JsonNode golden = Golden.read("losses/rl2.json").get("discrete_sac");
        LossCase graph = new LossCase(way, Golden.shape(golden.get("rewards")).get(0));
        Value logits = graph.trained("logits", golden.get("logits"));
        Critics now =
                new Critics(List.of(graph.trained("q1", golden.get("q1")), graph.trained("q2", golden.get("q2"))));
        Value alpha = graph.trainedNumber("log_alpha", golden.get("log_alpha").asDouble());
        Critics next = new Critics(List.of(
                graph.fed("target_q1_next", golden.get("target_q1_next")),
                graph.fed("target_q2_next", golden.get("target_q2_next"))));
        Value value =
                expectedSoftValue(next.minimum(), graph.fed("logits_next", golden.get("logits_next")), exp(alpha));
        Value discount = BellmanTargets.discount(
                graph.fed("dones", golden.get("dones")), golden.get("gamma").asDouble(), 1);
        Value target = BellmanTargets.bootstrapped(graph.fed("rewards", golden.get("rewards")), discount, value);
        graph.expect("value_next", value, golden.get("value_next"));
        graph.expect("target", target, golden.get("target"));
        Value entropy = new Categorical(logits).entropy();
        graph.expect("entropy", entropy, golden.get("entropy"));
        graph.descend(
                "critic_loss",
                now.of(graph.fed("actions", golden.get("actions"))).loss(RegressionLoss.SQUARED, target),
                golden.get("critic_loss"),
                Map.of("q1", golden.get("critic_grad_q1"), "q2", golden.get("critic_grad_q2")));
        Value soft = expectedSoftValue(stopGradient(now.minimum()), logits, stopGradient(exp(alpha)));
        graph.descend(
                "actor_loss",
                negate(mean(soft)),
                golden.get("actor_loss"),
                Map.of("logits", golden.get("actor_grad_logits")));
        Map.of("christodoulou_code", TemperatureLoss.OF_LOGARITHM, "paper_alpha", TemperatureLoss.OF_TEMPERATURE)
                .forEach((name, loss) -> {
                    JsonNode expected = golden.get("temperature").get(name);
                    graph.descend(
                            name,
                            loss.loss(
                                    alpha,
                                    negate(entropy),
                                    golden.get("target_entropy").asDouble()),
                            expected.get("loss"),
                            Map.of("log_alpha", expected.get("grad_log_alpha")));
                });
        graph.check();
    }

    private static Value critic(Graph graph, Critics.Input input, int hidden) {
        Value both = concat(0, input.observation(), input.action());
        return reshape(dense("out", tanh(dense("hidden", both, hidden)), 1));
    }

    @Test
    void aRoundOfDdpgIsThatOfLillicrap() {
        JsonNode golden = Golden.read("losses/rl2.json").get("ddpg_round");
        int rows = Golden.shape(golden.get("rewards")).get(0);
        Shape states = Golden.shape(golden.get("states"));
        Shape actions = Golden.shape(golden.get("actions"));
        int hidden = Golden.shape(golden.get("params").get("critic_b1")).get(0);
        Graph graph = new Graph(ElementType.FLOAT64);
        Value state = graph.input("states", Shape.of(states.get(1)));
        Value next = graph.input("next_states", Shape.of(states.get(1)));
        Value action = graph.input("actions", Shape.of(actions.get(1)));
        Value reward = graph.input("rewards", Shape.scalar());
        Value done = graph.input("dones", Shape.scalar());
        Network<Value, Value> actor = graph.module("actor", seen -> tanh(dense("out", seen, actions.get(1))));
        Network<Critics.Input, Value> critic =
                graph.module("critic", (Critics.Input input) -> critic(graph, input, hidden));
        Value ahead = critic.at("target/critic")
                .apply(new Critics.Input(next, actor.at("target/actor").apply(next)));
        Value target = BellmanTargets.bootstrapped(reward, BellmanTargets.discount(done, 0.99, 1), ahead);
        Value criticLoss = RegressionLoss.SQUARED.loss(target, critic.apply(new Critics.Input(state, action)));
        Value actorLoss = DeterministicPolicyGradient.loss(critic.apply(new Critics.Input(state, actor.apply(state))));
        Turn.Descend first = Turn.of("critic", Program.compile("critic", Mode.TRAIN, Loss.of(criticLoss)))
                .updates("critic/**", sgd(0.1));
        Turn.Descend second = Turn.of("actor", Program.compile("actor", Mode.TRAIN, Loss.of(actorLoss)))
                .updates("actor/**", sgd(0.05));
        Map<String, String> names = Map.of(
                "actor_w",
                "actor/out/weight",
                "actor_b",
                "actor/out/bias",
                "critic_w1",
                "critic/hidden/weight",
                "critic_b1",
                "critic/hidden/bias",
                "critic_w2",
                "critic/out/weight",
                "critic_b2",
                "critic/out/bias");
        try (Parameters store = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(store, 1)) {
            names.forEach((name, path) -> {
                store.set(path, Golden.numbers(golden.get("params").get(name)));
                store.set(
                        "target/" + path,
                        Golden.numbers(golden.get("target_params").get(name)));
            });
            double[] losses = {
                scheduler.step(first, feeds(golden, rows, first)).loss(),
                scheduler.step(second, feeds(golden, rows, second)).loss()
            };
            double[] expected = {
                golden.get("critic_loss").asDouble(), golden.get("actor_loss").asDouble()
            };
            Golden.assertNear("losses", losses, expected, 1e-10);
            scheduler.step(Turn.follow("target-critic", "critic/**", "target/critic/**", 0.99));
            scheduler.step(Turn.follow("target-actor", "actor/**", "target/actor/**", 0.99));
            names.forEach((name, path) -> {
                JsonNode after = golden.get("params_after").get(name);
                JsonNode averaged = golden.get("target_params_after").get(name);
                Golden.assertNear(name, store.tensor(path).doubles(), Golden.numbers(after), 1e-10);
                Golden.assertNear(name, store.tensor("target/" + path).doubles(), Golden.numbers(averaged), 1e-10);
            });
        }
    }

    private static Feeds feeds(JsonNode golden, int rows, Turn.Descend turn) {
        Feeds all = Feeds.rows(rows);
        for (Value input : turn.program().feeds()) {
            String name = input.path().text();
            JsonNode column = golden.get(name);
            all = all.and(name, Golden.tensor(Golden.shape(column), ElementType.FLOAT64, Golden.numbers(column)));
        }
        return all;
    }
}
