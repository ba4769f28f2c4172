package hocket.rl.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Session.Feeds;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.GruMemory;
import hocket.rl.networks.Memory;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Source.Column;
import hocket.schedulers.inference.InferenceFunction.Bound;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests that a policy with a memory can be asked step by step, its state given back each time, and one with a mask. */
class PolicyInferenceTest {
    private static final Mlp LAYERS = new Mlp(List.of(), Mlp.Activation.TANH, Mlp.Initialisation.UNIFORM);
    private static final ActorCritic AGENT = ActorCritic.of(
            new NetworkBody(Box.of(2, -1, 1), Encoder.flat(), LAYERS), new Discrete(2), false, new GruMemory(3), 4);
    private static final Shape STATE = AGENT.best().stateShape().orElseThrow();

    private static PolicyInference policy() {
        return new PolicyInference(AGENT.best(), AGENT.acting(), new Discrete(2), Optional.empty());
    }

    private static List<Tensor> step(Bound bound, float start, float[] state) {
        return bound.infer(
                Feeds.of("observation", Tensor.of(Shape.of(1, 2), new float[] {0.5f, -1}))
                        .and("start", Tensor.of(Shape.of(1), new float[] {start}))
                        .and("state", Tensor.of(STATE.prepend(1), state)),
                OptionalLong.empty());
    }

    @Test
    void theStateIsReadAndGivenBackUnlessAnEpisodeStarts() {
        assertThat(policy().inputs())
                .extracting(Column::name)
                .containsExactlyInAnyOrder("observation", "start", "state");
        assertThat(policy().outputs()).extracting(Column::name).containsExactly("action", "state");
        float[] zeros = new float[STATE.size()];
        float[] ones = zeros.clone();
        Arrays.fill(ones, 1);
        try (Parameters parameters = Parameters.initialise(AGENT.graph().declarations(), Streams.seed(2));
                Bound bound = policy().bind(parameters, 1)) {
            double[] first = step(bound, 1, zeros).get(1).doubles();
            assertThat(first).isNotEqualTo(step(bound, 0, ones).get(1).doubles());
            assertThat(step(bound, 1, ones).get(1).doubles()).isEqualTo(first);
            assertThat(step(bound, 0, zeros).get(1).doubles()).isEqualTo(first);
        }
    }

    @Test
    void aMaskedPolicyTakesWhatIsAllowedAndNeedsItsMask() {
        ActorCritic agent = ActorCritic.of(
                new NetworkBody(Box.of(2, -1, 1), Encoder.flat(), LAYERS), new Discrete(3), true, Memory.none(), 4);
        PolicyInference policy = new PolicyInference(agent.best(), agent.acting(), new Discrete(3), Optional.empty());
        Feeds seen = Feeds.of("observation", Tensor.of(Shape.of(1, 2), new float[] {0.5f, -1}));
        try (Parameters parameters = Parameters.initialise(agent.graph().declarations(), Streams.seed(2));
                Bound bound = policy.bind(parameters, 1)) {
            for (int allowed = 0; allowed < 3; allowed++) {
                float[] mask = new float[3];
                mask[allowed] = 1;
                Feeds masked = seen.and("mask", Tensor.of(Shape.of(1, 3), mask));
                for (OptionalLong seed : List.of(OptionalLong.empty(), OptionalLong.of(5))) {
                    assertThat(bound.infer(masked, seed).get(0).doubles()).containsExactly(allowed);
                }
            }
            assertThatThrownBy(() -> bound.infer(seen, OptionalLong.empty()))
                    .hasMessage("input mask is needed and was not fed");
        }
    }
}
