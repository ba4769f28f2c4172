package hocket.rl.actors;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.random.Pcg64;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PolicyTest {
    /** Minus infinity at 0, the logarithm of probability 0, then a quotient. */
    private static float[] act(float over) {
        Graph graph = new Graph();
        Value seen = graph.input(Policy.OBSERVATION, Shape.of(1));
        Program program = Program.compile("act", Mode.EVAL, log(seen), divide(seen, graph.constant(over)));
        Policy policy =
                new Policy(program, (gave, rows, random, actions) -> actions[0] = 1, Policy.ActionTransform.SAME);
        float[] actions = new float[1];
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                BoundProgram bound =
                        new BoundProgram(program, parameters, Lowering.of(program), 1, new TreeSet<>(), "test/")) {
            policy.act(bound, new float[] {0}, 1, 0, Pcg64.of(0), actions);
        }
        return actions;
    }

    @Test
    void aNanOutputIsRefusedAlsoAfterALogProbabilityOfMinusInfinity() {
        assertThat(act(1)).containsExactly(1);
        assertThatThrownBy(() -> act(0))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("program act, which acts, gives ");
    }
}
