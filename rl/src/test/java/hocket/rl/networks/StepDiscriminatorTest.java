package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.rl.networks.StepDiscriminator.Step;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.MultiBinary;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import org.junit.jupiter.api.Test;

class StepDiscriminatorTest {
    private final Graph graph = new Graph();
    private final Value seen = graph.input("seen", Shape.of(1));
    private final Value done = graph.input("done", Shape.of(2));

    @Test
    void theDiscriminatorSeesActionsAsTheEnvironmentTakesThem() {
        Box box = new Box(new float[] {-2, 0}, new float[] {2, Float.POSITIVE_INFINITY});
        Program step = Program.compile("step", Mode.EVAL, StepDiscriminator.features(box, new Step(seen, done)));
        Feeds feeds = Feeds.of("seen", Tensor.of(Shape.of(2, 1), 5f, 6f))
                .and("done", Tensor.of(Shape.of(2, 2), -3f, -1f, 1.5f, 9f));
        try (Parameters none = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Session session = Session.over(graph, none)) {
            assertThat(session.run(step, feeds).get(0).floats()).containsExactly(5, -2, 0, 6, 1.5f, 9);
        }
    }

    @Test
    void itTakesNoActionsOfOtherSpaces() {
        assertThatThrownBy(() -> StepDiscriminator.features(new MultiBinary(2), new Step(seen, done)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "environment: the discriminator needs discrete actions or those of a box, these are ");
    }
}
