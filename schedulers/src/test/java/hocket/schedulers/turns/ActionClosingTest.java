package hocket.schedulers.turns;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of a turn of Java is closed with the scheduler, and only then. */
class ActionClosingTest {
    private static final class Held implements Turn.Action, AutoCloseable {
        private int closed;

        @Override
        public void act(Run run) {}

        @Override
        public void close() {
            closed++;
            throw new IllegalStateException("the port is gone");
        }
    }

    @Test
    void aRefusedPlanLeavesItOpenAndAFailureToCloseIsNamed() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(2));
        Value y = graph.module("m", (Value in) -> dense("out", in, 1)).apply(x);
        Turn descend = Turn.of("descend", Program.compile("p", Mode.TRAIN, Loss.of(mean(y))))
                .updates("m/**", sgd(0.1));
        Held one = new Held();
        Held other = new Held();
        Turn first = Turn.act("first", one);
        Turn second = Turn.act("second", other);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7))) {
            Scheduler scheduler = Scheduler.over(parameters, 1);
            Phase unfed = new Phase("all", Plan.sequence(first, second, descend), Budget.rounds(1));
            assertThatThrownBy(() -> scheduler.phases(List.of(unfed))).hasMessageContaining("x");
            assertThat(one.closed).isZero();
            scheduler.plan(Plan.sequence(first, second));
            assertThatThrownBy(scheduler::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "turn first: its code could not be closed: java.lang.IllegalStateException: the port is gone")
                    .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageStartingWith("turn second: "));
            assertThat(one.closed + other.closed).isEqualTo(2);
            scheduler.close();
            assertThat(one.closed).isEqualTo(1);
        }
    }
}
