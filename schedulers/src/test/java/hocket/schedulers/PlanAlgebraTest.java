package hocket.schedulers;

import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.random;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Plan.until;
import static hocket.schedulers.Plan.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.plans.RandomChoice;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.plans.RehearsalTest;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.plans.Trial;
import hocket.schedulers.plans.Walk;
import hocket.schedulers.triggers.After;
import hocket.schedulers.triggers.AtRounds;
import hocket.schedulers.triggers.Below;
import hocket.schedulers.triggers.EveryTurns;
import hocket.schedulers.triggers.Not;
import hocket.schedulers.triggers.Once;
import hocket.schedulers.turns.Writes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each part of a plan does next, and how it prints. */
class PlanAlgebraTest {
    private final Toy.Gan gan = Toy.gan();
    private final Turn.Descend d = gan.d();
    private final Turn.Descend g = gan.g();
    private final Turn ema = gan.ema();

    private static String turns(Plan plan, int rounds) {
        List<Phase> phases = List.of(new Phase("train", plan, Budget.rounds(rounds)));
        Rehearsal rehearsal = Rehearsal.of(phases, phase -> rounds, 5, 10_000);
        assertThat(rehearsal.failure()).isEmpty();
        StringBuilder text = new StringBuilder();
        long round = 0;
        for (Rehearsal.Interval interval : rehearsal.intervals()) {
            for (Rehearsal.TakenTurns beat : interval.beats()) {
                text.append("|".repeat((int) (beat.round() - round)));
                round = beat.round();
                text.append(beat.ahead() > 0 && !beat.back() ? "(" : "")
                        .append(String.join("+", beat.turns()))
                        .append(beat.ahead() > 0 && !beat.back() ? ")" : "");
            }
        }
        return text.toString();
    }

    @Test
    void aCountMayChangeWithTheRounds() {
        Plan plan = sequence(new Repeat(new Count.First(3, 2, 1), d), g);
        assertThat(turns(plan, 4)).isEqualTo("dddg|dddg|dg|dg");
        assertThat(plan).hasToString("sequence(d × (3 for 2 rounds, then 1), g)");
    }

    @Test
    void aPartIsTakenWhenAConditionFires() {
        Plan plan = sequence(d, when(new Trigger.EveryRounds(3), g));
        assertThat(turns(plan, 7)).isEqualTo("dg|d|d|dg|d|d|dg");
        assertThat(plan).hasToString("sequence(d, when(EveryRounds[rounds=3], g))");
        assertThat(turns(sequence(d, when(new Not(new After(2)), g)), 4)).isEqualTo("dg|dg|d|d");
        assertThat(turns(sequence(d, when(new Once(new AtRounds(List.of(1L, 2L))), g)), 4))
                .isEqualTo("d|dg|d|d");
        assertThat(turns(sequence(d, when(new EveryTurns(2), g)), 5)).isEqualTo("d|dg|dg|dg|dg");
    }

    @Test
    void aPartIsTakenUntilAConditionFiresButAtMostSoOften() {
        assertThat(turns(sequence(until(new Below("d/loss", 0, 1), d, 4), g), 2))
                .isEqualTo("ddddg|ddddg");
        assertThat(turns(sequence(until(new After(0), sequence(d, g), 4), ema), 2))
                .isEqualTo("dgema|dgema");
    }

    @Test
    void anyPartsMayBeChosenFrom() {
        Plan both = sequence(d, g);
        assertThat(turns(
                        choose(
                                new RehearsalTest.Chooses(view -> view.round() % 2 == 0 ? "sequence(d, g)" : "d × 2"),
                                both,
                                d.times(2)),
                        4))
                .isEqualTo("dg|dd|dg|dd");
    }

    @Test
    void chanceTakesTurnsAsOftenAsTheirWeightsSay() {
        Map<Turn, Double> weights = new LinkedHashMap<>();
        weights.put(d, 3.0);
        weights.put(g, 1.0);
        Plan plan = random(weights);
        String turns = turns(plan, 4000).replace("|", "");
        assertThat(turns.chars().filter(turn -> turn == 'd').count()).isBetween(2900L, 3100L); // 3000 ± 3.7 deviations
        assertThat(turns(plan, 4000).replace("|", "")).isEqualTo(turns);
        assertThat(plan).hasToString("random(d 3.0, g 1.0)");
        Map<Turn, Double> otherOrder = new LinkedHashMap<>();
        otherOrder.put(g, 1.0);
        otherOrder.put(d, 3.0);
        assertThat(random(otherOrder)).isEqualTo(plan).hasToString("random(d 3.0, g 1.0)");
        assertThatThrownBy(() -> new RandomChoice(Map.of("e", 1.0), List.of(d, g)))
                .hasMessageStartingWith("random: e is not one of [d, g]");
        assertThatThrownBy(() -> new RandomChoice(Map.of("d", 0.0), List.of(d)))
                .hasMessage("random: at least one weight must be above 0, were {d=0.0}");
        assertThatThrownBy(() -> new RandomChoice(Map.of("d", Double.NaN), List.of(d)))
                .hasMessage("random: the weight of d must be finite and at least 0, was NaN");
    }

    @Test
    void partsThatChooseAlikeChooseForThemselves() {
        Plan plan = new RandomChoice(Map.of("d", 1.0), List.of(d, g));
        String turns = turns(sequence(plan, plan), 1000);
        for (String pair : List.of("dd", "dg", "gd", "gg")) {
            assertThat(List.of(turns.split("\\|")).stream().filter(pair::equals).count())
                    .as(pair)
                    .isBetween(190L, 310L); // 250 ± 4.4 deviations
        }
    }

    @Test
    void aTrialLooksAheadAndGoesBack() {
        Plan extragradient = trial(simultaneous(d, g), d, g);
        assertThat(turns(sequence(extragradient, ema), 2)).isEqualTo("(d+g)d+gema|(d+g)d+gema");
        assertThat(extragradient).hasToString("trial(simultaneous(d, g); then (d, g))");
        Plan lookahead = trial(sequence(d, g).times(2), 0.5);
        assertThat(turns(lookahead, 1)).isEqualTo("(d)(g)(d)(g)");
        assertThat(lookahead).hasToString("trial(sequence(d, g) × 2; keep 0.5)");
        assertThatThrownBy(() -> trial(d, 1.5)).hasMessage("keep: must be between 0 and 1, was 1.5");
        assertThatThrownBy(() -> new Trial(d, List.of(g), 1, 0.5, false, false))
                .hasMessage("keep: must be 0 together with then, was 0.5");
        assertThatThrownBy(() -> new Trial(d, List.of(ema), 1, 0, false, false))
                .hasMessage("a trial takes turns that descend a loss: turn ema descends no loss, so it cannot be"
                        + " simultaneous with others");
    }

    @Test
    void namesBecomeTurnsInEveryKindOfPlan() {
        List<Plan> kinds = List.of(
                sequence(d, g.times(2)),
                simultaneous(d, g),
                choose(new Balance(0.4, 10), d, sequence(g, ema)),
                when(new After(3), d),
                until(new After(3), d, 5),
                new RandomChoice(Map.of("d", 2.0), List.of(d, g)),
                trial(simultaneous(d, g), d, g));
        for (Plan kind : kinds) {
            Plan named = ((Node<?>) kind)
                    .with(kind.parts().stream()
                            .<Plan>map(part -> part instanceof Turn turn ? new Plan.Named(turn.name()) : part)
                            .toList());
            assertThat(named).isNotEqualTo(kind).hasToString(kind.toString());
            Map<String, Plan> turns = Map.of("d", d, "g", g, "ema", ema);
            assertThat(named.resolved(turns::get)).isEqualTo(kind);
        }
    }

    @Test
    void whatIsTakenTogetherWritesNothingTwice() {
        Turn.Descend again = Turn.of("again", d.program())
                .shares("discriminator/**", hocket.schedulers.optimizers.Optimizers.sgd(1));
        Turn.Descend shared =
                Turn.of("d", d.program()).shares("discriminator/**", hocket.schedulers.optimizers.Optimizers.sgd(1));
        for (Plan plan : List.of(simultaneous(shared, again), trial(shared, shared, again))) {
            Writes writes = Writes.of(plan.turnsByName().values(), gan.graph().declarations());
            assertThatThrownBy(() -> writes.checkTogether(sequence(g, plan)))
                    .hasMessage(
                            plan + " takes turns d and again together, which both write discriminator/in/bias: take one"
                                    + " after the other, as in sequence(d, again), or give the path to one of them");
        }
    }

    /** Remembers what cannot be saved. */
    record Forgetful() implements Schedule<Forgetful.Seen> {
        record Seen(Optional<String> last) {}

        @Override
        public Seen start() {
            return new Seen(Optional.empty());
        }

        @Override
        public Choice<Seen> next(Seen seen, ScheduleView view) {
            return new Choice<>("d", seen);
        }
    }

    @Test
    void aScheduleWhoseMemoryCannotBeSavedIsRefusedBeforeTheFirstTurn() {
        Plan plan = sequence(choose(new Forgetful(), d, g));
        assertThatThrownBy(() -> new Walk(plan))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("what choose(Forgetful[]; d, g) remembers cannot be saved: ")
                .hasMessageContaining("Forgetful$Seen.last is a java.util.Optional");
    }

    @Test
    void aPlanThatNeverTakesATurnIsNotGoneThroughForEver() {
        Plan nothing = when(new Below("d/loss", 0, 1), d);
        List<String> turns = new ArrayList<>();
        Rehearsal rehearsal =
                Rehearsal.of(List.of(new Phase("train", nothing, Budget.rounds(9))), phase -> Long.MAX_VALUE, 5, 100);
        rehearsal.intervals().forEach(interval -> turns.addAll(interval.turns()));
        assertThat(turns).isEmpty();
    }
}
