package hocket.schedulers;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.optimizers.rates.OnPlateauRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.state.State;
import hocket.schedulers.triggers.Above;
import hocket.schedulers.triggers.Below;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a turn measured before and after its update, for schedules and turns of Java. The loss is {@code mean(x)·w²/2}: with a
 * rate of 0.1 and rows of mean m a turn takes w to {@code w·(1 - 0.1·m)}.
 */
@Tag("engine")
class AfterUpdateTest {
    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Value x = graph.input("x", Shape.of());
    private final Value weight = weight();
    private final Value twice = scale(weight, 2);
    private final Program program = Program.compile(
            "fit",
            Mode.TRAIN,
            Loss.of(scale(multiply(mean(x), sum(multiply(weight, weight))), 0.5))
                    .metric("weight", sum(weight)));
    private final Turn.Descend fit = Turn.of("fit", program).updates("line/**", sgd(0.1));
    private final Source rows =
            Rows.of("x", Tensor.of(Shape.of(4), 1.0, 1.0, 3.0, 3.0)).batchesInOrder("x", 2);

    private Value weight() {
        try (Scope<Value> line = graph.module("line")) {
            return Toy.number(graph, "w");
        }
    }

    @Test
    void aTurnMeasuresItsFiguresOnceMoreOnTheSameRowsAfterItsUpdate() {
        Turn.Descend measured = fit.measuresAfter().observes(twice);
        assertThat(measured.series())
                .containsExactly("fit/loss", "fit/gradient_norm", "fit/after/loss", "fit/after/weight", "fit/weight");
        List<Map<String, Double>> heard = new ArrayList<>();
        run(measured, scheduler -> {
            scheduler.listen(event -> {
                if (event instanceof Event.Descended descended) {
                    heard.add(descended.metrics().byName());
                }
            });
            scheduler.run(Budget.rounds(2)); // rows of mean 1, then of mean 3
            assertThat(heard.get(0).get("weight")).isEqualTo(1);
            assertThat(heard.get(0).get("after/weight")).isCloseTo(0.9, within(1e-12));
            assertThat(heard.get(0).get("after/loss")).isCloseTo(0.9 * 0.9 / 2, within(1e-12));
            assertThat(heard.get(1).get("after/weight")).isCloseTo(0.63, within(1e-12));
            assertThat(scheduler.average("fit/after/loss", 1).getAsDouble())
                    .isCloseTo(3 * 0.63 * 0.63 / 2, within(1e-12));
            assertThat(scheduler.observed(measured, twice).scalar()).isCloseTo(1.8, within(1e-12));
            assertThat(scheduler.observedAfter(measured, twice).scalar()).isCloseTo(1.26, within(1e-12));
            assertThat(scheduler.gradient(measured, "line/w").scalar()).isCloseTo(2.7, within(1e-12));
        });
        run(fit.observes(twice), scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThatThrownBy(() -> scheduler.observedAfter(fit.observes(twice), twice))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("turn fit measures nothing after its update");
        });
    }

    @Test
    void measuringAfterwardsChangesNothingThatIsTrained() {
        Toy.Gan gan = Toy.gan();
        State plain = trained(gan, gan.d());
        assertThat(trained(gan, gan.d().measuresAfter())).isEqualTo(plain);
    }

    private static State trained(Toy.Gan gan, Turn.Descend d) {
        try (Parameters parameters = gan.parameters(3);
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(Plan.sequence(d, gan.g()))
                    .feed(Toy.rows("image", 20, 4).batches(5), Resample.EACH_TURN)
                    .run(Budget.rounds(7));
            return scheduler.save().state("parameters");
        }
    }

    @Test
    void noiseIsTheSameBeforeAndAfter() {
        Graph noisy = new Graph();
        Value noise = noisy.noise("noise", Shape.of());
        Value w;
        try (Scope<Value> line = noisy.module("line")) {
            w = Toy.number(noisy, "w");
        }
        Loss loss = Loss.of(sum(multiply(w, w))).metric("drawn", mean(add(noise, scale(noise, 0))));
        Turn.Descend turn = Turn.of("draw", Program.compile("draw", Mode.TRAIN, loss))
                .updates("line/**", sgd(0.1))
                .measuresAfter();
        try (Parameters parameters = Toy.store(noisy, 1);
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.batch(3).plan(turn).run(Budget.rounds(2));
            assertThat(scheduler.average("draw/after/drawn", 1)).isEqualTo(scheduler.average("draw/drawn", 1));
            assertThat(scheduler.average("draw/after/loss", 1).getAsDouble())
                    .isLessThan(scheduler.average("draw/loss", 1).getAsDouble());
        }
    }

    @Test
    void aTurnUnderALimitMovesNothingAboveItAndSaysSo() {
        Turn.Descend guarded =
                Turn.of("fit", program).updates("line/**", adam(0.1)).unlessAbove("loss", 1);
        assertThat(guarded.series()).containsExactly("fit/loss", "fit/gradient_norm", "fit/moved", "fit/weight");
        run(guarded, scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThat(scheduler.average("fit/moved", 1)).hasValue(1);
            State before = scheduler.save();
            scheduler.run(Budget.rounds(2)); // the rows of mean 3: a loss above 1
            assertThat(scheduler.average("fit/loss", 1).getAsDouble()).isGreaterThan(1);
            assertThat(scheduler.average("fit/moved", 1)).hasValue(0);
            State after = scheduler.save();
            assertThat(after.state("parameters")).isEqualTo(before.state("parameters"));
            assertThat(after.state("turns").state("fit").without("count"))
                    .isEqualTo(before.state("turns").state("fit").without("count"));
            assertThat(after.state("turns").state("fit").whole("count")).isEqualTo(2);
        });
    }

    /** A rate that watches has seen the figure of each update, and not of those that were held back. */
    @Test
    void aTurnThatMovesNothingDoesNotAgeItsRate() {
        Turn.Descend held = Turn.of("fit", program)
                .updates("line/**", sgd(0.1).rate(new OnPlateauRate(Rate.constant(0.1), "fit/weight", 2, 1, 0.5, 0, 0)))
                .unlessAbove("loss", -1);
        run(held, scheduler -> {
            State before = scheduler.save();
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.save().state("turns").state("fit").without("count"))
                    .isEqualTo(before.state("turns").state("fit").without("count"));
        });
    }

    @Test
    void aFigureThatIsNoNumberIsNotWithinALimit() {
        Loss loss = Loss.of(multiply(mean(x), sum(weight))).metric("odd", sum(log(scale(weight, -1))));
        Turn.Descend guarded = Turn.of("fit", Program.compile("fit", Mode.TRAIN, loss))
                .updates("line/**", sgd(0.1))
                .unlessAbove("odd", 1);
        run(guarded, scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThat(scheduler.average("fit/moved", 1)).hasValue(0);
        });
    }

    @Test
    void metricsOfAProgramsOwnKeepTheirNamesOrAreRefused() {
        Loss loss = Loss.of(multiply(mean(x), sum(weight))).metric("moved", scale(sum(weight), 7));
        run(Turn.of("fit", Program.compile("fit", Mode.TRAIN, loss)).updates("line/**", sgd(0.1)), scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThat(scheduler.average("fit/moved", 1)).hasValue(7);
        });
        Loss after = Loss.of(sum(multiply(weight, weight))).metric("after/all", sum(weight));
        Turn.Descend turn = Turn.of("fit", Program.compile("fit", Mode.TRAIN, after));
        assertThatThrownBy(turn::measuresAfter)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "turn fit: no metric may be called after/all, since the turn measures all after its update");
    }

    @Test
    void aPlanEndsWithTheFirstTurnThatMovedNothing() {
        Plan round = Plan.until(new Below("fit/moved", 1, 1), fit.unlessAbove("loss", 1), 10);
        run(round, scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThat(scheduler.position().step()).isEqualTo(2);
        });
        assertThat(Rehearsal.of(List.of(new Phase("train", round, Budget.rounds(1))), phase -> 1, 7, 100)
                        .intervals()
                        .get(0)
                        .turns())
                .hasSize(10);
    }

    @Test
    void whatIsStoppedBetweenTurnsUnderALimitGoesOnToTheSameBits() {
        Plan round = Plan.until(
                new Above("fit/after/weight", 5, 1), fit.unlessAbove("loss", 1).measuresAfter(), 3);
        State[] states = new State[2];
        run(round, scheduler -> {
            scheduler.run(Budget.rounds(2));
            states[0] = scheduler.save();
        });
        State[] half = new State[1];
        run(round, scheduler -> {
            scheduler.listen(event -> {
                if (event.at().step() == 3 && half[0] == null) {
                    scheduler.now().pause();
                }
            });
            scheduler.run(Budget.rounds(2));
            half[0] = scheduler.save();
        });
        assertThat(half[0]).isNotEqualTo(states[0]);
        run(round, scheduler -> {
            scheduler.restore(half[0]);
            scheduler.run(Budget.rounds(2));
            states[1] = scheduler.save();
        });
        assertThat(states[1]).isEqualTo(states[0]);
    }

    @Test
    void aTurnOfJavaSeesTheFiguresThatSchedulesSee() {
        List<OptionalDouble> seen = new ArrayList<>();
        Turn look = Turn.act("look", run -> {
            seen.add(run.last("fit/weight"));
            seen.add(run.last("fit/after/weight"));
            seen.add(run.average("fit/weight", 2));
        });
        run(Plan.sequence(look, fit.measuresAfter()), scheduler -> {
            scheduler.run(Budget.rounds(2));
            assertThat(seen.subList(0, 3)).containsOnly(OptionalDouble.empty());
            assertThat(seen.get(3)).hasValue(1);
            assertThat(seen.get(4).getAsDouble()).isCloseTo(0.9, within(1e-12));
            assertThat(seen.get(5)).hasValue(1);
        });
    }

    @Test
    void aLimitToWhatIsNotReportedIsRefused() {
        assertThatThrownBy(() -> fit.unlessAbove("wieght", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("turn fit: it reports no wieght that could be above a limit", "weight");
        assertThatThrownBy(() -> fit.unlessAbove("weight", Double.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("turn fit: nothing is above NaN, so the limit of weight would never hold");
    }

    private void run(Plan plan, Consumer<Scheduler> check) {
        try (Parameters parameters = Toy.store(graph, 7);
                Scheduler scheduler = Scheduler.over(parameters)) {
            rows.restore(fresh);
            check.accept(scheduler.plan(plan).feed(rows, Resample.EACH_TURN));
        }
    }

    private final State fresh = rows.save();
}
