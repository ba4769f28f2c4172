package hocket.schedulers;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.DivergedException;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loss or gradient that is not a number stops a run before it is written anywhere. */
@Tag("engine")
class DivergenceTest {
    private static Turn.Descend turn(Graph graph, UnaryOperator<Value> function) {
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            loss = sum(function.apply(Toy.number(graph, "x")));
        }
        return Turn.of("t", Program.compile("p", Mode.TRAIN, loss)).updates("m/**", adam(0.1));
    }

    private static void assertStops(UnaryOperator<Value> function, double x, String reason) {
        Graph graph = new Graph();
        Turn.Descend turn = turn(graph, function);
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(turn).run(rounds(3));
            parameters.set("m/x", x);
            State before = scheduler.save();
            assertThatThrownBy(() -> scheduler.run(rounds(4)))
                    .isInstanceOf(DivergedException.class)
                    .hasMessage("turn t in round 3 (after 3 turns): " + reason
                            + "; the parameters are as before this turn");
            assertThat(parameters.tensor("m/x").doubles()).containsExactly((float) x);
            assertThat(scheduler.position().step()).isEqualTo(3);
            assertThat(scheduler.average("t/loss", 1).orElseThrow()).isFinite();
            scheduler.endRound();
            assertThat(scheduler.save().with("round", 3)).isEqualTo(before);
        }
    }

    @Test
    void aLossOfNaNStopsTheRunAndWritesNothing() {
        assertStops(x -> log(x), -1, "the loss is NaN");
    }

    @Test
    void anInfiniteLossStopsTheRunAndWritesNothing() {
        assertStops(x -> exp(x), 1000, "the loss is Infinity");
    }

    @Test
    void aGradientThatIsNotFiniteStopsTheRunThoughTheLossIs() {
        assertStops(x -> sqrt(x), 0, "the gradient's norm is Infinity");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void statisticsAndTheOtherTurnsOfAGroupStayAsTheyWere(boolean together) {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 2)) {
            scheduler
                    .plan(together ? simultaneous(gan.g(), gan.d()) : sequence(gan.d(), gan.g()))
                    .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
            scheduler.run(rounds(5));
            parameters.set("discriminator/logit/bias", Double.NaN);
            String before = parameters.digest();
            State slots = scheduler.save().state("turns");
            assertThatThrownBy(() -> scheduler.run(rounds(6)))
                    .isInstanceOf(DivergedException.class)
                    .hasMessageStartingWith("turn " + (together ? "g in round 5 (after 10" : "d in round 5 (after 10"));
            assertThat(parameters.digest()).isEqualTo(before);
            scheduler.endRound();
            assertThat(scheduler.save().state("turns")).isEqualTo(slots);
        }
    }

    @Test
    void aRunThatMayDivergeGoesOn() {
        Graph graph = new Graph();
        Turn.Descend turn = turn(graph, x -> log(multiply(x, x)));
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            parameters.set("m/x", 0);
            scheduler.allowDivergence().plan(turn).run(rounds(3));
            assertThat(scheduler.position().step()).isEqualTo(3);
            assertThat(parameters.tensor("m/x").doubles()[0]).isNaN();
        }
    }

    @Test
    void aRateThatIsNoNumberStopsTheTurnBeforeItWrites() {
        Graph graph = new Graph();
        Value loss;
        try (Scope<Value> module = graph.module("m")) {
            loss = sum(Toy.number(graph, "x"));
        }
        Turn.Descend turn = Turn.of("t", Program.compile("p", Mode.TRAIN, loss))
                .updates("m/**", sgd(1).rate(at -> at.update() < 3 ? 0.25 : Double.NaN));
        try (Parameters parameters = Toy.store(graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.step(turn);
            scheduler.step(turn);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> scheduler.step(turn)).hasMessageContaining("NaN");
                assertThat(parameters.tensor("m/x").doubles()).containsExactly(0.5);
                assertThat(scheduler.save().state("turns").state("t").whole("count"))
                        .isEqualTo(2);
            }
        }
    }
}
