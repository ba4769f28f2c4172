package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.spaces.Box;
import hocket.scopes.Shape;
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
}
