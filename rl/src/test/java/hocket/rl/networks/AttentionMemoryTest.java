package hocket.rl.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests attention to the steps before. */
class AttentionMemoryTest {
    /** Of numbers near 1 in float32: a few units in the last place. */
    private static final Offset<Double> ROUNDING = Offset.offset(1e-6);

    private record Input(Value features, Value state) {}

    /** The result of the last of some steps of a number and 1 each, the first of them the first of an episode. */
    private static double[] last(AttentionMemory memory, float... steps) {
        Graph graph = new Graph();
        Network<Input, Memory.Step> network =
                graph.module("actor", (Input seen) -> memory.step(seen.features(), seen.state()));
        Memory.Step step = network.apply(
                new Input(graph.input("features", Shape.of(2)), graph.input("state", memory.stateShape())));
        Program program = Program.compile("step", Mode.EVAL, step.features(), step.state());
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(5));
                Session session = Session.over(graph, parameters, Mode.EVAL)) {
            Tensor state =
                    Tensor.filled(memory.stateShape().prepend(1), step.state().type(), 0);
            double[] features = {};
            for (float number : steps) {
                List<Tensor> reached = session.run(
                        program,
                        Feeds.of("features", Tensor.of(Shape.of(1, 2), number, 1))
                                .and("state", state));
                features = reached.get(0).doubles();
                state = reached.get(1);
            }
            return features;
        }
    }

    @Test
    void aStepSeesAsManyStepsAsItHas() {
        AttentionMemory three = new AttentionMemory(3, 6, 2);
        double[] seen = last(three, 1, -2, 0.5f);
        assertThat(last(three, -7, 9, 1, -2, 0.5f)).containsExactly(seen);
        assertThat(distance(last(three, 2, -2, 0.5f), seen)).isGreaterThan(0.01);
        assertThat(distance(last(three, -2, 1, 0.5f), seen)).isLessThan(1e-6); // the bias of a distance begins at 0
    }

    @Test
    void theFirstStepOfAnEpisodeSeesItselfAlone() {
        double[] alone = last(new AttentionMemory(2, 6, 2), 0.5f);
        double[] first = last(new AttentionMemory(4, 6, 2), 0.5f);
        for (int i = 0; i < alone.length; i++) {
            assertThat(first[i]).isCloseTo(alone[i], ROUNDING);
        }
        assertThat(distance(last(new AttentionMemory(2, 6, 2), 3, 0.5f), alone)).isGreaterThan(0.01);
    }

    @Test
    void headsMustDivideTheUnits() {
        assertThatThrownBy(() -> new AttentionMemory(4, 6, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("heads must divide units, 6, was 4");
    }

    private static double distance(double[] one, double[] other) {
        double most = 0;
        for (int i = 0; i < one.length; i++) {
            most = Math.max(most, Math.abs(one[i] - other[i]));
        }
        return most;
    }
}
