package hocket.schedulers.plans;

import static hocket.programs.Operators.square;
import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.when;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Action;
import hocket.schedulers.Budget;
import hocket.schedulers.Condition;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Setup;
import hocket.schedulers.Toy;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.rates.OnPlateauRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.triggers.After;
import hocket.schedulers.triggers.Below;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** A run's plan, triggers, actions and rates are checked before it begins, as far as it can be foreseen. */
class RunChecksTest {
    private final Graph graph = new Graph(ElementType.FLOAT64);
    private final Turn.Descend a = turn("a");
    private final Turn.Descend c = turn("c");

    private Turn.Descend turn(String name) {
        Value loss;
        try (Scope<Value> scope = graph.module(name)) {
            loss = square(Toy.number(graph, "w"));
        }
        return Turn.of(name, Program.compile(name, Mode.TRAIN, loss));
    }

    private Turn.Descend a(Rate rate) {
        return a.updates("a/**", sgd(1).rate(rate));
    }

    private Setup setup(Phase... phases) {
        return Setup.of(Networks.of(graph, a.program(), c.program()), List.of(phases));
    }

    private Setup setup(Plan plan, Budget budget) {
        return setup(new Phase("all", plan, budget));
    }

    private Setup usual(Budget budget) {
        return setup(sequence(a.updates("a/**", adam(1e-3)), c.updates("c/**", sgd(1))), budget);
    }

    private static AbstractThrowableAssert<?, ?> refused(String key, Setup setup) {
        return assertThatThrownBy(setup::check)
                .isInstanceOfSatisfying(
                        IncompatibleSetupException.class,
                        e -> assertThat(e.key()).isEqualTo(key));
    }

    private static void fine(Setup setup) {
        assertThatCode(setup::check).doesNotThrowAnyException();
    }

    @Test
    void aTurnThatIsNeverTakenIsRefusedWhereThatIsCertain() {
        Plan late = sequence(a(Rate.constant(1)), when(new After(5), c.updates("c/**", sgd(1))));
        fine(setup(late, Budget.rounds(6))); // the condition is read at the beginning of the sixth round
        refused("phases/0/plan", setup(late, Budget.rounds(5)))
                .hasMessage(
                        "turn c is never taken in its 5 rounds: remove it, add rounds, or change what its schedule or"
                                + " condition waits for");
        refused("phases/0/plan", setup(late, Budget.rounds(1))).hasMessageContaining("in its 1 round: ");
        fine(setup(late, Budget.rounds(0)));
        fine(setup(late, Budget.turns(3))); // of a budget in turns the rounds are not known
        Plan guessed = sequence(a(Rate.constant(1)), when(new Below("a/loss", 1e-9, 1), c.updates("c/**", sgd(1))));
        fine(setup(guessed, Budget.rounds(5))); // it depends on losses
    }

    /** Fails after some choices. */
    private record Failing(int choices) implements Schedule<Failing.Count> {
        record Count(int taken) {}

        @Override
        public Count start() {
            return new Count(0);
        }

        @Override
        public Choice<Count> next(Count count, ScheduleView view) {
            if (count.taken() == choices) {
                throw new IllegalStateException("out of ideas");
            }
            return new Choice<>("a", new Count(count.taken() + 1));
        }
    }

    @Test
    void aScheduleThatIsCertainToFailIsRefusedWithItsRound() {
        Plan failing = choose(new Failing(3), a(Rate.constant(1)), a(Rate.constant(1)));
        fine(setup(failing, Budget.rounds(3)));
        refused("phases/0/plan", setup(failing, Budget.rounds(4)))
                .hasMessageStartingWith("phase all fails in round 3: ")
                .hasMessageContaining("out of ideas");
    }

    @Test
    void aRateThatBecomesNegativeInTheRunIsRefused() {
        Rate falls = at -> at.update() < 8 ? 1 : -1;
        fine(setup(a(falls), Budget.rounds(7)));
        refused("turns/a", setup(a(falls), Budget.rounds(8)))
                .hasMessageContaining("the rate at update 8 must be finite and at least 0, was -1.0");
        fine(setup(a(falls).times(2), Budget.rounds(3)));
        refused("turns/a", setup(a(falls).times(2), Budget.rounds(4)));
        Rate byRounds = at -> at.round() < 4 ? 1 : Double.NaN;
        fine(setup(a(byRounds).times(3), Budget.rounds(4)));
        refused("turns/a", setup(a(byRounds).times(3), Budget.rounds(5)));
        // Walked in part only: 30,000 rounds of two turns.
        Rate late = at -> at.update() <= 59_000 ? 1 : -1;
        refused("turns/a", setup(a(late).times(2), Budget.rounds(30_000)));
        fine(setup(a(late).times(2), Budget.rounds(29_000)));
    }

    @Test
    void aTriggerThatNeverFiresOrReadsAnUnknownMetricIsRefused() {
        Action save = Action.Usual.SAVE;
        fine(usual(Budget.rounds(5)).on(new After(5), save)); // at the end of the last round
        refused("watches/0/trigger", usual(Budget.rounds(5)).on(new After(6), save))
                .hasMessage("trigger " + new After(6) + " never fires in the run's 5 rounds: remove it, add rounds, or"
                        + " change what it waits for");
        refused("watches/0/trigger", usual(Budget.rounds(1)).on(new After(6), save))
                .hasMessageContaining("in the run's 1 round: ");
        fine(usual(Budget.rounds(0)).on(new After(6), save));
        fine(usual(Budget.turns(5)).on(new After(6), save));
        fine(usual(Budget.rounds(5)).on(Trigger.everyRounds(100), save)); // periodic
        fine(usual(Budget.rounds(5)).on(new Below("a/loss", 1e-9, 1), save));
        Plan plan = sequence(a(Rate.constant(1)), c.updates("c/**", sgd(1)));
        fine(setup(new Phase("first", plan, Budget.rounds(2)), new Phase("second", plan, Budget.rounds(2)))
                .on(new After(6), save));
        refused("watches/0/trigger", usual(Budget.rounds(5)).on(new Below("a/los", 1, 1), save))
                .hasMessageContaining("watches a/los, which no turn reports; did you mean a/loss?");
    }

    /** Remembers an object that no checkpoint can hold. */
    private record Unsaved() implements Condition<Unsaved.Memory> {
        record Memory(Thread thread) {}

        @Override
        public Memory start() {
            return new Memory(Thread.currentThread());
        }

        @Override
        public Look<Memory> look(Memory memory, ScheduleView view) {
            return new Look<>(false, memory);
        }
    }

    @Test
    void aTriggerWhoseMemoryCannotBeSavedIsRefused() {
        refused("watches/0/trigger", usual(Budget.rounds(5)).on(new Unsaved(), Action.Usual.SAVE))
                .hasMessageContaining("what trigger Unsaved[] remembers");
        refused(
                "phases/0/plan",
                setup(sequence(a(Rate.constant(1)), when(new Unsaved(), c.updates("c/**", sgd(1)))), Budget.rounds(5)));
    }

    @Test
    void turnsThatAreTakenTogetherMayNotWriteOnePath() {
        Turn.Descend b = Turn.of("b", a.program()).shares("a/**", sgd(1));
        Turn.Descend shared = a.shares("a/**", sgd(1));
        fine(setup(sequence(shared, b), Budget.rounds(5)));
        refused("phases/0/plan", setup(simultaneous(shared, b), Budget.rounds(5)));
    }

    @Test
    void aChangeOfAnUnknownSettingOrBeyondItsRangeIsRefused() {
        Trigger each = Trigger.everyRounds(1);
        fine(usual(Budget.rounds(5)).on(each, new Action.Set(Map.of("a/rate", 1e-4))));
        refused("watches/0/action", usual(Budget.rounds(5)).on(each, new Action.Set(Map.of("a/rat", 1e-4))))
                .hasMessage("there is no setting a/rat; did you mean a/rate?");
        refused("watches/0/action", usual(Budget.rounds(5)).on(each, new Action.Set(Map.of("a/beta1", 7.0))))
                .hasMessageContaining("beta1");
        // 0.9 · 1.02⁵ is below 1, 0.9 · 1.02⁶ is not.
        fine(usual(Budget.rounds(5)).on(each, new Action.Scale(Map.of("a/beta1", 1.02))));
        refused("watches/0/action", usual(Budget.rounds(6)).on(each, new Action.Scale(Map.of("a/beta1", 1.02))))
                .hasMessageContaining("beta1");
    }

    private static Rate watching(String metric) {
        return new OnPlateauRate(Rate.constant(1), metric, 1, 10, 0.1, 0, 1e-4);
    }

    @Test
    void aRateThatWatchesAMetricWhichNoTurnReportsIsRefused() {
        fine(setup(a(watching("a/loss")), Budget.rounds(3)));
        refused("turns/a", setup(a(watching("a/los")), Budget.rounds(3)))
                .hasMessage("its rate watches a/los, which no turn reports; did you mean a/loss?");
    }
}
