package hocket.rl.networks;

import static hocket.programs.Operators.mean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the inputs and values of policies and critics. */
class ActorCriticTest {
    private static final Box TABLE = new Box(Shape.of(2, 3), new float[6], new float[] {1, 1, 1, 1, 1, 1});
    private static final NetworkBody BODY = new NetworkBody(
            TABLE, Encoder.flat(), new Mlp(List.of(4), Mlp.Activation.TANH, Mlp.Initialisation.UNIFORM));

    @Test
    void actionsOfSeveralAxesAreOneAxisInPrograms() {
        ActorCritic plain = ActorCritic.of(BODY, TABLE);
        assertThat(plain.actor().observation().shape()).isEqualTo(Shape.of(2, 3));
        assertThat(plain.actor().action().shape()).isEqualTo(Shape.of(6));
        assertThat(plain.logProbability().shape()).isEqualTo(Shape.of());
        ActorCritic remembering = ActorCritic.of(BODY, TABLE, false, new GruMemory(2), 5);
        assertThat(remembering.actor().action().shape()).isEqualTo(Shape.of(5, 6));
        assertThat(remembering.logProbability().shape()).isEqualTo(Shape.of(5));
    }

    private static final Box THREE = Box.of(3, -1, 1);
    private static final NetworkBody OF_THREE = new NetworkBody(
            THREE, Encoder.flat(), new Mlp(List.of(4), Mlp.Activation.TANH, Mlp.Initialisation.UNIFORM));

    /** Returns value and log-probability of an action for observations that differ in one number each. */
    private static List<Tensor> evaluated(ActorCritic agent) {
        Feeds feeds = Feeds.of("observation", Tensor.of(Shape.of(3, 3), 0, 0, 0, 0, 0.5f, 0, 0.5f, 0, 0))
                .and("action", Tensor.of(Shape.of(3), 1L, 1L, 1L));
        try (Parameters parameters = Parameters.initialise(agent.graph().declarations(), Streams.seed(1));
                Session session = Session.over(agent.graph(), parameters)) {
            return session.run(agent.evaluator(), feeds);
        }
    }

    @Test
    void aPolicyDoesNotSeeWhatOnlyItsCriticSees() {
        ActorCritic agent =
                ActorCritic.of(OF_THREE.without(List.of(1)), OF_THREE, new Discrete(2), false, Memory.none(), 1);
        List<Tensor> found = evaluated(agent);
        float[] values = found.get(0).floats();
        float[] logs = found.get(1).floats();
        assertThat(values[1]).isNotEqualTo(values[0]);
        assertThat(logs[1]).isEqualTo(logs[0]);
        assertThat(logs[2]).isNotEqualTo(logs[0]);
    }

    @Test
    void soItIsWithAMemory() {
        ActorCritic agent =
                ActorCritic.of(OF_THREE.without(List.of(2, 0)), OF_THREE, new Discrete(2), false, new GruMemory(7), 5);
        assertThat(inputs(agent, "actor")).isEqualTo(1);
        assertThat(inputs(agent, "critic")).isEqualTo(3);
        assertThat(agent.actor().observation().shape()).isEqualTo(Shape.of(5, 3));
    }

    /** The numbers that a memory's cells read of an observation, by the smallest extent of their weights. */
    private static int inputs(ActorCritic agent, String network) {
        return agent.graph().declarations().stream()
                .filter(each -> each.path().text().startsWith(network + "/memory"))
                .flatMap(each -> Arrays.stream(each.shape().extents()).boxed())
                .min(Integer::compare)
                .orElseThrow();
    }

    @Test
    void aCriticThatSharesLayersHasOnlyItsLastOne() {
        ActorCritic shared = ActorCritic.sharing(OF_THREE, new Discrete(2), false);
        Program values = Program.compile("values", Mode.TRAIN, Loss.of(mean(shared.value())));
        assertThat(values.reached()) // by gradients
                .extracting(Path::text)
                .containsExactlyInAnyOrder(
                        "actor/hidden0/weight", "actor/hidden0/bias", "critic/out/weight", "critic/out/bias");
        List<Tensor> found = evaluated(shared);
        List<Tensor> separate = evaluated(ActorCritic.of(OF_THREE, new Discrete(2)));
        assertThat(found.get(1)).isEqualTo(separate.get(1)); // the policy begins alike
        assertThat(found.get(0)).isNotEqualTo(separate.get(0));
        float[] each = found.get(0).floats();
        assertThat(each[0]).isNotEqualTo(each[1]).isNotEqualTo(each[2]);
    }

    @Test
    void aNumberThatIsNotThereOrAllOfThemCannotBeHidden() {
        for (List<Integer> wrong : List.of(List.of(3), List.of(0, 1, 2))) {
            assertThatThrownBy(() -> ActorCritic.of(OF_THREE.without(wrong), new Discrete(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "only_critic_sees must have some of the numbers 0 to 2 of an observation, and not all, was "
                                    + wrong);
        }
        assertThatThrownBy(() -> ActorCritic.of(BODY.without(List.of(0)), TABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("only_critic_sees needs observations that are a list of numbers, these are ");
    }
}
