package hocket.schedulers.plans;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Schedule;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Toy;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

public class RehearsalTest {
    /** Chooses by what a test says. */
    public record Chooses(Function<ScheduleView, String> by) implements Schedule<Chooses.Nothing> {
        record Nothing() {}

        @Override
        public Nothing start() {
            return new Nothing();
        }

        @Override
        public Choice<Nothing> next(Nothing state, ScheduleView view) {
            return new Choice<>(by.apply(view), state);
        }
    }

    private final Toy.Gan gan = Toy.gan();

    @Test
    void repeatsAndGroupsAreGoneThroughTurnByTurn() {
        Plan plan = Plan.sequence(
                gan.ema().times(2), Plan.simultaneous(gan.d(), gan.g()).times(2));
        assertThat(turns(plan, 9)).containsExactly("ema", "ema", "d", "g", "d", "g", "ema", "ema", "d", "g");
    }

    @Test
    void aSchedulesMemoryAndWhatItSeesAreThoseOfARun() {
        Chooses counting = new Chooses(view -> view.count("d") * 2 <= view.step() && view.round() < 4 ? "d" : "g");
        assertThat(turns(Plan.sequence(Plan.choose(counting, gan.d(), gan.g())), 7))
                .containsExactly("d", "g", "d", "g", "g", "g", "g");
    }

    @Test
    @Tag("engine")
    void turnsByChanceAreThoseThatTheRunTakes() {
        Plan plan = Plan.choose(
                new Chooses(view -> view.random().generator(view.step()).nextBoolean() ? "d" : "g"), gan.d(), gan.g());
        List<String> taken = new ArrayList<>();
        try (Parameters parameters = gan.parameters(5);
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(plan)
                    .feed(Toy.rows("image", 64, 4).batches(8), Resample.EACH_TURN)
                    .listen(event -> {
                        if (event instanceof Event.Descended descended) {
                            taken.add(descended.turn());
                        }
                    })
                    .run(Budget.rounds(20));
        }
        assertThat(taken).contains("d", "g");
        assertThat(turns(plan, 20)).isEqualTo(taken);
    }

    @Test
    void phasesFollowEachOtherWhereTheirRoundsEnd() {
        List<Phase> phases = List.of(
                new Phase("first", gan.d().times(2), Budget.rounds(2)),
                new Phase("none", gan.d(), Budget.rounds(0)),
                new Phase("second", Plan.sequence(gan.d(), gan.g()), Budget.rounds(9)));
        Rehearsal rehearsal = Rehearsal.of(phases, phase -> ((Budget.Rounds) phase.budget()).count(), 0, 7);
        assertThat(rehearsal.intervals()).extracting(Rehearsal.Interval::phase).containsExactly("first", "second");
        assertThat(rehearsal.intervals())
                .extracting(Rehearsal.Interval::turns)
                .containsExactly(List.of("d", "d", "d", "d"), List.of("d", "g", "d"));
        assertThat(rehearsal.failure()).isEmpty();
    }

    @Test
    void aFigureThatNoTurnReportsIsRefusedAsInARunAndOthersAreStillEmpty() {
        Plan right = Plan.choose(new Chooses(view -> view.last("d/gap").isEmpty() ? "d" : "g"), gan.d(), gan.g());
        Rehearsal asked = rehearse(right, 3);
        assertThat(asked.failure()).isEmpty();
        assertThat(asked.guessed()).isTrue();
        assertThat(asked.intervals().get(0).turns()).containsExactly("d", "d", "d");
        Plan wrong = Plan.choose(
                new Chooses(view -> view.step() > 1 && view.last("d/los").isEmpty() ? "d" : "g"), gan.d(), gan.g());
        Rehearsal failed = rehearse(wrong, 9);
        assertThat(failed.failure().orElseThrow()).hasMessage("no turn reports d/los; did you mean d/loss?");
        assertThat(failed.intervals()).hasSize(1);
        assertThat(failed.intervals().get(0).turns()).containsExactly("g", "g");
    }

    @Test
    void aFigureThatATurnOfJavaMayReportIsStillEmpty() {
        Turn judge = Turn.act("judge", run -> run.report("score", 1));
        Chooses byScore = new Chooses(view -> view.average("judge/score", 5).isEmpty() ? "judge" : "d");
        Rehearsal asked = rehearse(Plan.choose(byScore, judge, gan.d()), 3);
        assertThat(asked.failure()).isEmpty();
        assertThat(asked.guessed()).isTrue();
        assertThat(asked.intervals().get(0).turns()).containsExactly("judge", "judge", "judge");
        Chooses misspelt = new Chooses(view -> view.last("jugde/score").isEmpty() ? "judge" : "d");
        assertThat(rehearse(Plan.choose(misspelt, judge, gan.d()), 3).failure().orElseThrow())
                .hasMessageContaining("no turn reports jugde/score");
    }

    @Test
    void aTurnThatIsNotToBeChosenOrCountedEndsTheRehearsal() {
        assertThat(rehearse(Plan.choose(new Chooses(view -> "h"), gan.d(), gan.g()), 2)
                        .failure()
                        .orElseThrow())
                .hasMessageContaining("chose h; it may choose from [d, g]");
        assertThat(rehearse(Plan.choose(new Chooses(view -> "d" + view.count("e")), gan.d()), 2)
                        .failure()
                        .orElseThrow())
                .hasMessageContaining("no turn is called e");
    }

    @Test
    void aTurnSaysWhatItReports() {
        assertThat(gan.d().series()).containsExactly("d/loss", "d/gradient_norm", "d/gap");
    }

    private static List<String> turns(Plan plan, int most) {
        Rehearsal rehearsal = rehearse(plan, most);
        assertThat(rehearsal.failure()).isEmpty();
        return rehearsal.intervals().get(0).turns();
    }

    private static Rehearsal rehearse(Plan plan, int most) {
        List<Phase> phases = List.of(new Phase("train", plan, Budget.rounds(1)));
        return Rehearsal.of(phases, phase -> Long.MAX_VALUE, 5, most);
    }
}
