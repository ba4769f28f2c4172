package hocket.schedulers;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.turns.DivergedException;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Turns of Java look at the parameters; only turns that say what they write may write. */
@Tag("engine")
class ActTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(2));
    private final Network<Value, Value> line = graph.module("line", in -> dense("fit", in, 1));
    private final Turn.Descend fit = Turn.of(
                    "fit", Program.compile("fit", Mode.TRAIN, Loss.of(mean(square(line.apply(x))))))
            .updates("line/**", sgd(0.1));
    private final Source rows =
            Rows.of("x", Tensor.of(Shape.of(2, 2), 1f, 2f, 3f, 4f)).batches(2);

    @Test
    void aTurnOfJavaThatWritesAParameterIsRefusedByItsName() {
        Turn tamper = Turn.act("tamper", run -> run.parameters().set("line/fit/bias", 5));
        run(
                Plan.sequence(fit, tamper),
                scheduler -> assertThatThrownBy(() -> scheduler.run(Budget.rounds(1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(
                                "turn tamper is a turn of Java and wrote line/fit/bias, which it does not declare: it has no"
                                        + " writes"));
    }

    @Test
    void aTurnOfJavaWritesWhatItDeclares() {
        Turn.Act shift = Turn.act(
                        "shift",
                        run -> run.parameters()
                                .set(
                                        "line/fit/bias",
                                        run.parameters().tensor("line/fit/bias").scalar() + 1))
                .writes("line/fit/bias");
        run(shift, scheduler -> {
            scheduler.audit(1);
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.parameters().tensor("line/fit/bias").scalar()).isEqualTo(3);
            assertThat(scheduler.writes().byPath()).containsOnlyKeys(Path.of("line/fit/bias"));
            assertThat(scheduler.audited().turns()).isEqualTo(3);
        });
    }

    @Test
    void aTurnOfJavaThatWritesMoreThanItDeclaresIsRefused() {
        Turn tamper = Turn.act("tamper", run -> run.parameters().set("line/fit/weight", 5, 6))
                .writes("line/fit/b*");
        run(
                tamper,
                scheduler -> assertThatThrownBy(() -> scheduler.run(Budget.rounds(1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "turn tamper is a turn of Java and wrote line/fit/weight, which it does not declare:"
                                        + " its writes are [line/fit/b*]"));
    }

    @Test
    void twoTurnsThatWriteAPathAreRefusedWhereOneIsJava() {
        Turn.Act search = Turn.act("search", run -> {}).writes("line/**");
        assertThatThrownBy(() -> run(Plan.sequence(fit, search), scheduler -> {}))
                .isInstanceOf(IncompatibleSetupException.class)
                .hasMessage("turns fit and search both write line/fit/bias: give it to one of them");
        assertThatThrownBy(() -> Writes.of(List.of(search, fit), graph.declarations()))
                .hasMessage("turns search and fit both write line/fit/bias: give it to one of them");
    }

    @Test
    void writesThatMatchNothingAreRefused() {
        assertThatThrownBy(
                        () -> Writes.of(List.of(Turn.act("search", run -> {}).writes("lime/**")), graph.declarations()))
                .isInstanceOf(IncompatibleSetupException.class)
                .hasMessageContaining("turn search: ")
                .hasMessageContaining("lime/**");
    }

    @Test
    void aTurnOfJavaThatWritesNaNEndsTheRun() {
        Turn breaks = Turn.act("break", run -> run.parameters().set("line/fit/bias", Double.NaN))
                .writes("line/fit/bias");
        run(
                breaks,
                scheduler -> assertThatThrownBy(() -> scheduler.run(Budget.rounds(1)))
                        .isInstanceOf(DivergedException.class)
                        .hasMessageContaining(
                                "turn break in round 0 (after 0 turns): it wrote a value that is not finite"));
    }

    @Test
    void lookingAheadRestoresWhatJavaWrote() {
        Turn.Act shift = Turn.act(
                        "shift",
                        run -> run.parameters()
                                .set(
                                        "line/fit/bias",
                                        run.parameters().tensor("line/fit/bias").scalar() + 1))
                .writes("line/fit/bias");
        double[] seen = {0};
        Turn look = Turn.act(
                "look",
                run -> seen[0] = run.parameters().tensor("line/fit/bias").scalar());
        run(Plan.sequence(Plan.trial(Plan.sequence(shift, look), 0), shift), scheduler -> {
            scheduler.run(Budget.rounds(2));
            assertThat(seen[0]).isEqualTo(2);
            assertThat(scheduler.parameters().tensor("line/fit/bias").scalar()).isEqualTo(2);
        });
    }

    /** Adds what it counts, 1, 2, …, to the bias. */
    private static final class Counting implements Turn.Action, Stateful {
        private long count;

        @Override
        public void act(Run run) {
            count++;
            double bias = run.parameters().tensor("line/fit/bias").scalar();
            run.parameters().set("line/fit/bias", bias + count);
        }

        @Override
        public State save() {
            return State.empty().with("count", count);
        }

        @Override
        public void restore(State state) {
            count = state.whole("count");
        }
    }

    @Test
    void lookingAheadRestoresTheStateOfJavaThatWrites() {
        Turn.Act counting = Turn.act("count", new Counting()).writes("line/fit/bias");
        run(Plan.sequence(Plan.trial(counting, 0), counting), scheduler -> {
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.parameters().tensor("line/fit/bias").scalar()).isEqualTo(6);
        });
    }

    @Test
    void aTurnOfJavaThatLooksIsTaken() {
        double[] seen = {0};
        Turn look = Turn.act(
                "look",
                run -> seen[0] += run.parameters().tensor("line/fit/bias").scalar() + 1);
        run(Plan.sequence(fit, look), scheduler -> {
            scheduler.run(Budget.rounds(2));
            assertThat(seen[0]).isNotZero();
            assertThat(scheduler.position().step()).isEqualTo(4);
        });
    }

    @Test
    void aRoundThatEndedHalfWayIsNotBegunAnew() {
        boolean[] fails = {true};
        Turn flaky = Turn.act("flaky", run -> {
            if (fails[0]) {
                throw new IllegalStateException("flaky");
            }
        });
        run(Plan.sequence(fit, flaky), scheduler -> {
            State before = scheduler.save();
            assertThatThrownBy(() -> scheduler.run(Budget.rounds(1))).hasMessage("flaky");
            fails[0] = false;
            assertThatThrownBy(() -> scheduler.run(Budget.rounds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("an error left the last turn half done: call restore(…) first");
            scheduler.restore(before);
            scheduler.run(Budget.rounds(1));
            assertThat(scheduler.position().round()).isEqualTo(1);
        });
    }

    @Test
    void whatATurnOfJavaComputesAndReportsGoesWithItsEventAndIsSeenBySchedules() {
        Program answer = Program.compile("answer", Mode.EVAL, line.apply(x));
        List<Event.Acted> heard = new ArrayList<>();
        Turn ask = Turn.act("ask", run -> {
            BoundProgram bound = run.bind(answer);
            bound.feed("x", Tensor.of(Shape.of(1, 2), 1f, 1f));
            bound.run(1, run.position().step(), 0);
            assertThat(bound.gradients()).isEmpty();
            assertThat(run.bind(answer)).isSameAs(bound);
            run.report("answer", bound.result(0).getFloat(0));
            if (run.position().round() == 1) {
                run.report("late", 1);
            }
        });
        run(Plan.sequence(ask, fit), scheduler -> {
            scheduler.listen(event -> {
                if (event instanceof Event.Acted acted) {
                    heard.add(acted);
                }
            });
            scheduler.run(Budget.rounds(2));
            assertThat(heard).hasSize(2);
            assertThat(heard.get(0).metrics().names()).containsExactly("answer");
            assertThat(heard.get(1).metrics().names()).containsExactly("answer", "late");
            double first = heard.get(0).metrics().get("answer");
            double second = heard.get(1).metrics().get("answer");
            assertThat(first).isNotEqualTo(second);
            assertThat(scheduler.average("ask/answer", 2)).hasValue((first + second) / 2);
        });
    }

    @Test
    void aFigureIsEmptyUntilItsTurnReportsItAndAScheduleMayAskForItFromTheFirstTurnOn() {
        Turn judge = Turn.act("judge", run -> run.report("score", run.position().round()));
        List<OptionalDouble> seen = new ArrayList<>();
        record Asks(List<OptionalDouble> seen) implements Schedule<Asks.Nothing> {
            record Nothing() {}

            @Override
            public Nothing start() {
                return new Nothing();
            }

            @Override
            public Choice<Nothing> next(Nothing state, ScheduleView view) {
                seen.add(view.average("judge/score", 2));
                return new Choice<>(view.step() % 2 == 0 ? "fit" : "judge", state);
            }
        }
        run(Plan.choose(new Asks(seen), fit, judge), scheduler -> {
            scheduler.run(Budget.rounds(4));
            assertThat(seen)
                    .endsWith(
                            OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.of(1), OptionalDouble.of(1));
            assertThat(scheduler.average("judge/score", 2)).hasValue(2);
            assertThatThrownBy(() -> scheduler.average("jduge/score", 2)).hasMessageContaining("no turn reports");
        });
    }

    @Test
    void onlyATurnOfJavaReports() {
        Run[] kept = new Run[1];
        run(Plan.sequence(fit, Turn.act("keep", run -> kept[0] = run)), scheduler -> {
            scheduler.run(Budget.rounds(1));
            assertThatThrownBy(() -> kept[0].report("late", 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no turn of Java is being taken that could report late");
        });
    }

    private void run(Plan plan, java.util.function.Consumer<Scheduler> check) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler.plan(plan);
            check.accept(plan.turnsByName().containsKey("fit") ? scheduler.feed(rows, Resample.EACH_TURN) : scheduler);
        }
    }
}
