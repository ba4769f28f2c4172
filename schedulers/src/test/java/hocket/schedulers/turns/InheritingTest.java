package hocket.schedulers.turns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import org.junit.jupiter.api.Test;

class InheritingTest {
    /** Has learnt one number, and takes over none below 0. */
    private static final class Heir implements Turn.Action, Inheriting {
        private final Program program;
        private double learnt;

        Heir(Program program, double learnt) {
            this.program = program;
            this.learnt = learnt;
        }

        @Override
        public void act(Run run) {
            // only what it has learnt matters here
        }

        @Override
        public Program program() {
            return program;
        }

        @Override
        public void inherit(State saved) {
            double other = saved.real("learnt");
            if (other < 0) {
                throw new IllegalArgumentException("learnt must be at least 0, was " + other);
            }
            learnt = other;
        }

        @Override
        public State save() {
            return State.empty().with("learnt", learnt);
        }

        @Override
        public void restore(State state) {
            learnt = state.real("learnt");
        }
    }

    private static State other(double one, double two) {
        return State.empty()
                .with("turns", State.empty().with("one", learnt(one)).with("two", learnt(two)));
    }

    private static State learnt(double number) {
        return State.empty().with("action", State.empty().with("learnt", number));
    }

    @Test
    void allTurnsTakeOverWhatTheOthersHadLearntOrNone() {
        Graph graph = new Graph();
        Program program = Program.compile("p", Mode.EVAL, graph.input("x", Shape.of(1)));
        Heir one = new Heir(program, 1);
        Heir two = new Heir(program, 2);
        Setup setup = Setup.of(graph, Plan.sequence(Turn.act("one", one), Turn.act("two", two)), Budget.rounds(1));
        assertThatThrownBy(() -> setup.inherit(other(5, -1))).hasMessage("learnt must be at least 0, was -1.0");
        assertThat(one.learnt).isEqualTo(1);
        setup.inherit(other(5, 6));
        assertThat(one.learnt).isEqualTo(5);
        assertThat(two.learnt).isEqualTo(6);
    }
}
