package hocket.schedulers;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sum;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.games.Dynamics;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A turn that steps the optimizer of another: same weights, slots, settings and counts, by its own gradients. */
@Tag("engine")
class OptimizerOfTest {
    private final Toy.Gan gan = Toy.gan();
    private final Turn.Descend penalty = Turn.of("penalty", Toy.decay(gan)).withOptimizerOf(gan.d());

    /** Two numbers, a and b. The loss of one turn reaches both, that of the other a alone. */
    private static final class Numbers {
        private final Graph graph = new Graph(ElementType.FLOAT64);
        private final Turn.Descend both;
        private final Turn.Descend one;

        Numbers() {
            Value a;
            Value b;
            try (Scope<Value> numbers = graph.module("numbers")) {
                a = Toy.number(graph, "a");
                b = Toy.number(graph, "b");
            }
            both = Turn.of("both", Program.compile("both", Mode.TRAIN, sum(multiply(a, b))))
                    .updates("numbers/**", sgd(0.1).momentum(0.5));
            one = Turn.of("one", Program.compile("one", Mode.TRAIN, sum(multiply(a, a))))
                    .withOptimizerOf(both);
        }
    }

    @Test
    void aWeightThatItsLossDoesNotReachHasGradientZeroAndStillTakesTheStep() {
        Numbers numbers = new Numbers();
        try (Parameters parameters = Toy.store(numbers.graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.step(numbers.both, Feeds.rows(1)); // momenta 1 and 1: a = b = 1 - 0.1
            scheduler.step(numbers.one, Feeds.rows(1)); // momenta 0.5 + 2 · 0.9 and 0.5
            assertThat(parameters.tensor("numbers/a").get(0)).isEqualTo(0.9 - 0.23, within(1e-15));
            assertThat(parameters.tensor("numbers/b").get(0)).isEqualTo(0.9 - 0.05, within(1e-15));
            scheduler.step(numbers.both, Feeds.rows(1)); // momenta 1.15 + 0.85 and 0.25 + 0.67
            assertThat(parameters.tensor("numbers/a").get(0)).isEqualTo(0.67 - 0.2, within(1e-15));
            assertThat(parameters.tensor("numbers/b").get(0)).isEqualTo(0.85 - 0.092, within(1e-15));
        }
    }

    @Test
    void itHasNoSettingsOfItsOwnAndSeesThoseOfTheOther() {
        Numbers numbers = new Numbers();
        try (Parameters parameters = Toy.store(numbers.graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.step(numbers.one, Feeds.rows(1)); // binds the other, too
            assertThat(scheduler.settings()).containsKeys("both/rate", "both/momentum");
            assertThat(scheduler.settings().keySet()).allMatch(name -> name.startsWith("both/"));
            scheduler.set("both/rate", 0.5);
            scheduler.set("both/momentum", 0.25);
            scheduler.step(numbers.one, Feeds.rows(1)); // momentum 0.25 · 2 + 1.6
            assertThat(parameters.tensor("numbers/a").get(0)).isEqualTo(0.8 - 0.5 * 2.1, within(1e-15));
            assertThatThrownBy(() -> scheduler.set("one/rate", 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("turn one steps the optimizer of turn both: set both/rate");
        }
    }

    @Test
    void anAuditLetsItChangeTheSlotsOfTheOtherAndNothingElse() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler
                    .audit(1)
                    .plan(sequence(gan.d(), penalty, trial(penalty, 0), gan.g()))
                    .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
            scheduler.run(Budget.rounds(3));
            assertThat(scheduler.audited().turns()).isEqualTo(12);
        }
    }

    @Test
    void aTrialOfItAloneRestoresTheSlotsOfTheOther() {
        State[] states = new State[2];
        String[] digests = new String[2];
        for (int i = 0; i < 2; i++) {
            try (Parameters parameters = gan.parameters(7);
                    Scheduler scheduler = Scheduler.over(parameters, 1)) {
                scheduler
                        .plan(i == 0 ? gan.d() : sequence(gan.d(), trial(penalty.times(2), 0)))
                        .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
                scheduler.run(Budget.rounds(1));
                states[i] = scheduler.save().state("turns").state("d");
                digests[i] = parameters.digest();
            }
        }
        assertThat(states[1]).isEqualTo(states[0]);
        assertThat(digests[1]).isEqualTo(digests[0]);
    }

    @Test
    void theOtherMustBePartOfTheRunWithTheSameUpdates() {
        assertRefused(
                sequence(penalty, gan.g()), "turn penalty steps the optimizer of turn d, which is not part of the run");
        Turn.Descend faster = gan.d().updates(List.of()).updates("discriminator/**", adam(1));
        assertRefused(
                sequence(faster, penalty), "turn penalty steps the optimizer of turn d, which has other updates here");
    }

    @Test
    void theTwoAreNotTakenTogether() {
        assertRefused(
                simultaneous(gan.d(), penalty),
                "simultaneous(d, penalty) takes turns d and penalty together, which both write discriminator/in/bias:"
                        + " take one after the other, as in sequence(d, penalty), or give the path to one of them");
    }

    @Test
    void aLossThatReachesNoneOfTheWeightsIsRefused() {
        Turn.Descend other = Turn.of("other", gan.g().program())
                .withOptimizerOf(Turn.of("e", Toy.decay(gan)).updates("discriminator/in/weight", sgd(1)));
        Turn.Descend e = other.optimizerOf().orElseThrow();
        assertThat(e.name()).isEqualTo("e");
        Numbers numbers = new Numbers();
        Turn.Descend none = Turn.of("none", numbers.one.program())
                .withOptimizerOf(Turn.of("b", numbers.both.program()).updates("numbers/b", sgd(1)));
        try (Parameters parameters = Toy.store(numbers.graph, 1);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            assertThatThrownBy(() -> scheduler.step(none, Feeds.rows(1)))
                    .hasMessageContaining("reaches none of the weights that it updates, [numbers/b]");
        }
    }

    @Test
    void aTurnHasItsOwnOptimizerOrThatOfAnother() {
        assertThatThrownBy(() -> penalty.updates("discriminator/**", sgd(1)))
                .hasMessage("turn penalty steps the optimizer of turn d, which says what is updated: remove its own,"
                        + " discriminator/**");
        assertThatThrownBy(() -> Turn.of("more", Toy.decay(gan)).withOptimizerOf(penalty))
                .hasMessage("turn more: turn penalty steps the optimizer of turn d: name that one");
        assertThatThrownBy(() -> Turn.of("more", Toy.decay(gan)).withOptimizerOf(Turn.of("e", Toy.decay(gan))))
                .hasMessage("turn more: turn e has no optimizer");
        assertThatThrownBy(() -> new Dynamics.Optimistic().plan(penalty, gan.g()))
                .hasMessage("player penalty: it steps the optimizer of turn d, and a player has its own");
    }

    private void assertRefused(Plan plan, String message) {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            assertThatThrownBy(() -> scheduler
                            .plan(plan)
                            .feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN)
                            .run(Budget.rounds(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
        }
    }
}
