package hocket.schedulers.plans;

import static hocket.schedulers.Plan.choose;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Balance;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Phase;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Toy;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run of several plans, one after the other. */
@Tag("engine")
class PhasesTest {
    /** What a run did, and how it ended. */
    private record Outcome(List<String> turns, State state) {}

    private static List<Phase> phases(Toy.Gan gan) {
        return List.of(
                new Phase("warm-up", gan.d(), Budget.rounds(3)),
                new Phase("game", sequence(gan.d(), gan.g()), Budget.epochs("image", 2)),
                new Phase("balance", choose(new Balance(1.3, 3), gan.d(), gan.g()), Budget.turns(4)));
    }

    /** Runs on from a state, and stops after so many rounds. */
    private static Outcome run(State from, long stopAfter) {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            List<String> turns = new ArrayList<>();
            scheduler
                    .feed(Toy.rows("image", 40, 4).batches(8), Resample.EACH_ROUND)
                    .phases(phases(gan));
            if (!from.items().isEmpty()) {
                scheduler.restore(from);
            }
            scheduler.listen(event -> {
                if (event instanceof Event.Descended turn) {
                    turns.add(scheduler.phase().name() + " " + turn.turn() + " " + turn.loss());
                }
            });
            scheduler.on(Trigger.everyRounds(1), run -> {
                if (run.position().round() == stopAfter) {
                    run.stop();
                }
            });
            scheduler.run();
            assertThat(scheduler.done()).isEqualTo(stopAfter == 0);
            return new Outcome(turns, scheduler.save());
        }
    }

    @Test
    void everyPhaseHasItsPlanAndABudgetOfItsOwn() {
        List<String> turns = run(State.empty(), 0).turns().stream()
                .map(turn -> turn.substring(0, turn.lastIndexOf(' ')))
                .toList();
        assertThat(turns.subList(0, 3)).containsOnly("warm-up d");
        assertThat(turns.subList(3, 23)).containsOnly("game d", "game g"); // two epochs of five draws, one a round
        assertThat(turns.subList(23, 27)).containsOnly("balance d", "balance g");
        assertThat(turns).hasSize(27);
    }

    @Test
    void aRunThatIsStoppedInAnyPhaseGoesOnAsIfNothingHadBeen() {
        Outcome whole = run(State.empty(), 0);
        for (long stop : new long[] {1, 3, 4, 12, 13, 14}) {
            Outcome first = run(State.empty(), stop);
            Outcome second = run(first.state(), 0);
            List<String> both = new ArrayList<>(first.turns());
            both.addAll(second.turns());
            assertThat(both).as("stopped after round %d", stop).isEqualTo(whole.turns());
            assertThat(second.state()).isEqualTo(whole.state());
        }
    }

    @Test
    void whatFiresAtTheEndFiresAfterTheLastPhaseOnly() {
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            List<Long> ends = new ArrayList<>();
            scheduler
                    .feed(Toy.rows("image", 40, 4).batches(8), Resample.EACH_ROUND)
                    .phases(phases(gan));
            scheduler.on(Trigger.atEnd(), run -> ends.add(run.position().step()));
            scheduler.run();
            assertThat(ends).containsExactly(27L);
        }
    }

    @Test
    void aStateOfOtherPhasesIsRefused() {
        State state = run(State.empty(), 4).state();
        Toy.Gan gan = Toy.gan();
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .feed(Toy.rows("image", 40, 4).batches(8), Resample.EACH_ROUND)
                    .phases(phases(gan).subList(0, 2));
            assertThatThrownBy(() -> scheduler.restore(state))
                    .hasMessage("the saved state is of plan " + phases(gan).get(0) + "; "
                            + phases(gan).get(1) + "; "
                            + phases(gan).get(2) + ", this run has plan "
                            + phases(gan).get(0) + "; "
                            + phases(gan).get(1));
        }
    }

    @Test
    void phasesThatAreRefusedLeaveNoTurnBound() {
        Toy.Gan gan = Toy.gan();
        Turn.Descend otherD = Turn.of("d", gan.d().program()).updates("discriminator/**", sgd(0.1));
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            Phase first = new Phase("a", gan.d(), Budget.rounds(1));
            assertThatThrownBy(() -> scheduler.phases(List.of(first)))
                    .hasMessageContaining("image"); // nothing feeds it
            scheduler.feed(Toy.rows("image", 40, 4).batches(8), Resample.EACH_ROUND);
            assertThatThrownBy(() ->
                            scheduler.phases(List.of(first, new Phase("b", gan.g(), Budget.epochs("images", 1)))))
                    .hasMessageContaining("images");
            assertThatThrownBy(() -> scheduler.phases(List.of())).hasMessageContaining("at least one phase");
            assertThatThrownBy(() -> scheduler.count("d")).hasMessageContaining("no turn is called d");
            scheduler.phases(List.of(new Phase("a", otherD, Budget.rounds(2)))).run();
            assertThat(scheduler.count("d")).isEqualTo(2);
            assertThat(scheduler.writes().toString()).doesNotContain("generator");
        }
    }

    @Test
    void twoPhasesThatWriteOnePathByTwoTurnsMustShareIt() {
        Toy.Gan gan = Toy.gan();
        Turn.Descend other = Turn.of("other", gan.d().program()).updates(gan.d().updates());
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.feed(Toy.rows("image", 40, 4).batches(8), Resample.EACH_ROUND);
            assertThatThrownBy(() -> scheduler.phases(List.of(
                            new Phase("a", gan.d(), Budget.rounds(1)), new Phase("b", other, Budget.rounds(1)))))
                    .hasMessageContaining("discriminator/")
                    .hasMessageContaining("d and other");
        }
    }
}
