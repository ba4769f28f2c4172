package hocket.rl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.rl.Golden;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy;
import hocket.rl.actors.PolicyExpert;
import hocket.rl.algorithms.Ppo;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Setup;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that a policy trained by Stable-Baselines3 on CartPole acts as it does there. */
@Tag("golden")
class StableBaselinesTest {
    private final JsonNode golden = Golden.read("reference/sb3_policies.json");
    private final Setup algorithm = Ppo.usual("CartPole-v1").setup();
    private final Parameters parameters = algorithm.initialise(1);
    private final Discrete actions = new Discrete(2);
    private final Policy policy = new Policy(
            algorithm.networks().program("act"), ActionSelection.greedy(actions), Policy.ActionTransform.SAME);

    @AfterEach
    void close() {
        parameters.close();
    }

    private void load(JsonNode json) throws IOException {
        StableBaselines.load(new ByteArrayInputStream(json.toString().getBytes(StandardCharsets.UTF_8)), parameters);
    }

    @Test
    void itActsAsRecordedInTheEpisodes() throws IOException {
        load(golden);
        try (PolicyExpert expert = new PolicyExpert(policy, actions, Optional.empty(), parameters)) {
            for (JsonNode episode : golden.get("episodes")) {
                Environment environment = Environments.make("CartPole-v1");
                environment.reset(Pcg64.of(Long.parseLong(episode.get("seed").asText())));
                float[] seen = new float[4];
                float[] action = new float[1];
                int step = 0;
                for (JsonNode recorded : episode.get("actions")) {
                    environment.observe(seen, 0);
                    expert.act(seen, Pcg64.of(0), action);
                    assertThat(action[0])
                            .as("episode %s, step %d", episode.get("seed"), step++)
                            .isEqualTo(recorded.floatValue());
                    environment.step(action, 0);
                }
                assertThat(environment.truncated())
                        .isEqualTo(episode.get("truncated").asBoolean());
            }
        }
    }

    @Test
    void itsLogitsAndValuesAreThoseOfTheOther() throws IOException {
        load(golden);
        for (JsonNode episode : golden.get("episodes")) {
            for (JsonNode step : episode.get("every_25th_step")) {
                assertLogits(step.get("obs"), Golden.numbers(step.get("logits")), false);
            }
        }
        JsonNode sample = golden.get("sample");
        assertLogits(sample.get("obs"), Golden.numbers(sample.get("log_softmax_logits")), true);
    }

    /**
     * The tolerance is 1e-5, as documented with the golden data: sums of 64 products in single precision, in another
     * order.
     */
    private void assertLogits(JsonNode observation, double[] logits, boolean normalised) {
        Tensor row = Golden.tensor(Shape.of(1, 4), ElementType.FLOAT32, Golden.numbers(observation));
        try (Session session = Session.over(algorithm.graph(), parameters)) {
            double[] given = session.run(policy.program(), Feeds.of(Policy.OBSERVATION, row))
                    .get(0)
                    .doubles();
            double shift = normalised ? Math.log(Math.exp(given[0]) + Math.exp(given[1])) : 0;
            for (int i = 0; i < 2; i++) {
                assertThat(given[i] - shift).isCloseTo(logits[i], Offset.offset(1e-5));
            }
        }
    }

    @Test
    void itReachesTheSameReturns() throws IOException {
        load(golden);
        JsonNode evaluation = golden.get("evaluation");
        double[] returns = Golden.numbers(evaluation.get("returns"));
        long first = evaluation.get("seeds").get(0).asLong();
        try (PolicyExpert expert = new PolicyExpert(policy, actions, Optional.empty(), parameters)) {
            Environment environment = Environments.make("CartPole-v1");
            float[] seen = new float[4];
            float[] action = new float[1];
            for (int i = 0; i < returns.length; i++) {
                environment.reset(Pcg64.of(first + i));
                double sum = 0;
                while (!environment.terminated() && !environment.truncated()) {
                    environment.observe(seen, 0);
                    expert.act(seen, Pcg64.of(0), action);
                    environment.step(action, 0);
                    sum += environment.reward();
                }
                assertThat(sum).as("seed %d", first + i).isEqualTo(returns[i]);
            }
        }
    }

    private void assertRefused(Consumer<ObjectNode> damage, String... said) {
        String before = parameters.digest();
        ObjectNode weights = golden.get("weights").deepCopy();
        damage.accept(weights);
        assertThatThrownBy(() -> load(weights))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(List.of(said)));
        assertThat(parameters.digest()).isEqualTo(before);
    }

    @Test
    void missingUnknownOrMisshapenWeightsAreNamedAndNothingIsWritten() {
        assertRefused(weights -> weights.remove("action_net.bias"), "actor/out/bias (2)", "missing");
        assertRefused(weights -> weights.set("conv.weight", weights.get("action_net.bias")), "conv.weight");
        assertRefused(weights -> weights.set("log_std", weights.get("action_net.bias")), "log_std", "no actor/log_std");
        assertRefused(
                weights -> weights.set("action_net.weight", weights.get("action_net.bias")),
                "action_net.weight",
                "must have shape (2,64)",
                "has shape [2]");
        assertRefused(
                weights -> ((ArrayNode) weights.at("/value_net.weight/data")).set(3, "NaN"),
                "value_net.weight",
                "number 3 must be finite");
    }

    @Test
    void aStoreOfOtherLayersIsRefused() throws IOException {
        Ppo small = Ppo.usual("CartPole-v1").hidden(List.of(64));
        try (Parameters other = small.setup().initialise(1)) {
            byte[] json = golden.toString().getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> StableBaselines.load(new ByteArrayInputStream(json), other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("mlp_extractor.policy_net.2.bias has no actor/hidden1/bias to go to");
        }
    }
}
