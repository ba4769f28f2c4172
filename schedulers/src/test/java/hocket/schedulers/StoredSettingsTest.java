package hocket.schedulers;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.settings.Networks;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A number that a program reads and that schedules, actions and people set between turns. */
@Tag("engine")
class StoredSettingsTest {
    /** The loss is {@code share · w · mean(x)}, where x is 1: at a rate of 1 a turn takes the share off w. */
    static final class Line {
        private final Graph graph = new Graph(ElementType.FLOAT64);
        private final Turn.Descend fit;

        Line() {
            Value x = graph.input("x", Shape.of());
            Value loss;
            try (Scope<Value> line = graph.module("line")) {
                loss = multiply(sum(multiply(Toy.number(graph, "w"), graph.setting("share", 0.5))), mean(x));
            }
            fit = Turn.of("fit", Program.compile("fit", Mode.TRAIN, loss)).updates("line/**", sgd(1));
        }

        Graph graph() {
            return graph;
        }

        Turn.Descend fit() {
            return fit;
        }

        Source rows() {
            return Rows.of("x", Tensor.of(Shape.of(4), 1.0, 1.0, 1.0, 1.0)).batchesInOrder("x", 2);
        }
    }

    /** Halves the share before each turn. */
    record Halving() implements Schedule<Halving.None> {
        record None() {}

        @Override
        public None start() {
            return new None();
        }

        @Override
        public Choice<None> next(None none, ScheduleView view) {
            return new Choice<>("fit", none).set("line/share", Math.pow(2, -view.round()));
        }
    }

    private final Line line = new Line();

    @Test
    void aScheduleSetsWhatThePogramReadsInItsNextTurn() {
        List<Double> losses = new ArrayList<>();
        try (Parameters parameters = Toy.store(line.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.listen(Event.Descended.class, event -> losses.add(event.loss()));
            scheduler.plan(choose(new Halving(), line.fit())).feed(line.rows(), EACH_TURN);
            scheduler.run(Budget.rounds(3));

            assertThat(losses).containsExactly(1.0, 0.0, -0.125); // w is 1, 0, -1/2
            assertThat(scheduler.setting("line/share")).isEqualTo(0.25);
            assertThat(scheduler.settings()).containsEntry("line/share", 0.25).containsKey("fit/rate");
            assertThat(parameters.tensor("line/share").doubles()).containsExactly(0.25);
        }
    }

    @Test
    void anActionSetsItAndARefusedValueChangesNothing() {
        try (Parameters parameters = Toy.store(line.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(line.fit()).feed(line.rows(), EACH_TURN).on(new Trigger.EveryRounds(1), run -> {
                run.set("line/share", run.setting("line/share") / 2);
                assertThatThrownBy(() -> run.set("line/share", Double.NaN))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("setting line/share: must be a finite number, was NaN");
                assertThatThrownBy(() -> run.set("line/shore", 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("there is no setting line/shore; did you mean line/share?");
            });
            scheduler.run(Budget.rounds(2));
            assertThat(scheduler.setting("line/share")).isEqualTo(0.125);
        }
    }

    @Test
    void aSetupKnowsItsNameBeforeTheRunBegins() {
        Action.Set known = new Action.Set(Map.of("line/share", 0.1));
        Action.Set unknown = new Action.Set(Map.of("line/shore", 0.1));
        Action.Set infinite = new Action.Set(Map.of("line/share", Double.POSITIVE_INFINITY));

        check(known);
        assertThatThrownBy(() -> check(unknown))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is no setting line/shore; did you mean line/share?");
        assertThatThrownBy(() -> check(infinite))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setting line/share: must be a finite number, was Infinity");
    }

    @Test
    void aTurnWhoseOptimizerHasASettingOfThatNameIsRefused() {
        Graph graph = new Graph(ElementType.FLOAT64);
        Value loss;
        try (Scope<Value> scope = graph.module("fit")) {
            loss = sum(multiply(Toy.number(graph, "w"), graph.setting("rate", 0.5)));
        }
        Turn.Descend fit =
                Turn.of("fit", Program.compile("fit", Mode.TRAIN, loss)).updates("fit/**", sgd(1));
        Setup setup = Setup.of(Networks.of(graph, fit.program()), List.of(new Phase("all", fit, Budget.rounds(4))));
        assertThatThrownBy(setup::check)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("turn fit: its optimizer's setting fit/rate is also one that programs read");
    }

    private void check(Action action) {
        Networks networks = Networks.of(line.graph(), line.fit().program());
        Setup.of(networks, List.of(new Phase("all", line.fit(), Budget.rounds(4))))
                .feed(line.rows(), EACH_TURN)
                .on(new Trigger.EveryRounds(1), action)
                .check();
    }

    @Test
    void noOptimizerUpdatesIt() {
        try (Parameters parameters = Toy.store(line.graph(), 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.audit(1).plan(line.fit()).feed(line.rows(), EACH_TURN);
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.setting("line/share")).isEqualTo(0.5);
        }
    }
}
