package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.text.CausalTransformer;
import hocket.schedulers.Event;
import hocket.schedulers.Phase;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreferencePpoTest {
    private static final Selection FROZEN = Selection.of("reference/**, reward/**");
    static final PreferencePpo SMALL = PreferencePpo.usual()
            .model(new CausalTransformer(8, 1, 2, 8))
            .prompt(3)
            .continuation(4)
            .batch(4)
            .pretrainUpdates(3)
            .rewardRounds(2)
            .pairs(8)
            .rewardEpochs(1)
            .ppoRounds(3)
            .episodes(8)
            .epochs(1);

    /** The modules that a turn writes. */
    private static Set<String> modules(Setup setup, String turn) {
        return setup.check().paths(turn).stream()
                .map(path -> path.text().substring(0, path.text().indexOf('/')))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachTurnWritesItsNetworkAndTurnsOfJavaWriteNone() {
        Setup setup = SMALL.setup();
        assertThat(modules(setup, "pretrain")).containsExactly("policy");
        assertThat(modules(setup, "freeze")).containsExactly("reference");
        assertThat(modules(setup, "reward")).containsExactly("reward");
        assertThat(modules(setup, "policy")).containsExactly("policy");
        assertThat(modules(setup, "value")).containsExactly("value");
        for (String act : List.of("compare", "scale", "write")) {
            assertThat(setup.check().paths(act)).isEmpty();
        }
        setup.declarations()
                .forEach(declaration -> assertThat(setup.check().byPath())
                        .as(declaration.path().text())
                        .containsKey(declaration.path()));
    }

    @Test
    void noTurnOfTheLastPhaseWritesTheRewardModelOrTheReference() {
        Setup setup = SMALL.setup();
        Phase last = setup.phases().get(setup.phases().size() - 1);
        Set<String> written = new TreeSet<>();
        last.plan().turnsByName().keySet().forEach(turn -> written.addAll(modules(setup, turn)));
        assertThat(written).containsExactly("policy", "value");
    }

    @Test
    void aPolicyTurnThatWouldTrainTheRewardModelIsRefused() {
        Setup setup = SMALL.setup();
        List<Turn> turns = new ArrayList<>(setup.turnsByName().values());
        Turn.Descend policy = turns.stream()
                .filter(turn -> turn.name().equals("policy"))
                .flatMap(turn -> turn.descend().stream())
                .findFirst()
                .orElseThrow();
        turns.set(
                turns.indexOf(policy),
                policy.updates("reward/**", policy.updates().get(0).rule()));
        assertThatThrownBy(() -> Writes.of(turns, setup.declarations()))
                .isInstanceOf(IncompatibleSetupException.class)
                .hasMessageContaining("reward/")
                .hasMessageContaining("does not reach");
    }

    @Test
    void theReferenceIsThePretrainedPolicyAndTheFrozenNetworksKeepTheirBits() {
        Setup setup = SMALL.setup();
        try (Parameters parameters = setup.initialise(5);
                Scheduler scheduler = setup.schedule(parameters, 1).audit(1)) {
            List<String> frozen = new ArrayList<>();
            List<Map<String, Double>> rollouts = new ArrayList<>();
            scheduler.listen(Event.Acted.class, event -> {
                if (event.turn().equals("write")) {
                    rollouts.add(event.figures());
                    frozen.add(parameters.digest(FROZEN));
                }
            });
            scheduler.run();
            assertThat(scheduler.audited().turns()).isEqualTo(3 + 1 + 2 * 3 + 1 + 3 * 5);
            assertThat(frozen).hasSize(3);
            assertThat(Set.copyOf(frozen)).hasSize(1);
            assertThat(parameters.digest(FROZEN)).isEqualTo(frozen.get(0));
            assertThat(rollouts.get(0).get("kl")).isZero(); // the policy is the reference
            assertThat(rollouts.get(2).get("kl")).isNotZero();
        }
    }

    @Test
    void theRunResumesToTheSameBitsFromAnyPhase() {
        State whole = taken(0);
        int[] inEachPhase = {2, 4, 5, 6, 10, 11, 12, 13, 16, 20};
        for (int change : inEachPhase) {
            assertThat(taken(change).equals(whole))
                    .as("resumed after turn %d", change)
                    .isTrue();
        }
    }

    /** The state at the end; another scheduler resumes after a number of turns, unless it is 0. */
    private static State taken(int change) {
        Setup one = SMALL.setup();
        Setup other = SMALL.setup();
        try (Parameters first = one.initialise(5);
                Parameters second = other.initialise(5);
                Scheduler before = one.schedule(first, 1);
                Scheduler after = other.schedule(second, 1)) {
            AtomicInteger taken = new AtomicInteger();
            before.listen(Event.TurnTaken.class, event -> {
                if (taken.incrementAndGet() == change) {
                    before.now().pause();
                }
            });
            before.run();
            if (change == 0) {
                return before.save();
            }
            assertThat(taken.get()).isEqualTo(change);
            after.restore(before.save());
            after.run();
            return after.save();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5})
    void theCoefficientOfThePenaltyChangesWhatThePolicyLearns(double kl) {
        State usual = Training.whole(SMALL.kl(0.1).setup(), 5).state("parameters");
        State other = Training.whole(SMALL.kl(kl).setup(), 5).state("parameters");
        SortedMap<String, Boolean> same = new TreeMap<>();
        for (String path : usual.items().keySet()) {
            same.merge(
                    path.substring(0, path.indexOf('/')),
                    usual.tensor(path).equals(other.tensor(path)),
                    Boolean::logicalAnd);
        }
        assertThat(same)
                .containsEntry("reference", true)
                .containsEntry("reward", true)
                .containsEntry("policy", false);
    }

    @Test
    void aBatchThatDoesNotDivideARoundAndALetterThatIsNotInTheTextAreRefused() {
        assertThatThrownBy(() -> SMALL.pairs(6).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("batch must divide pairs, were 4 and 6");
        assertThatThrownBy(() -> SMALL.prompt(1).setup()).hasMessageContaining("prompt: must be at least 2, was 1");
        assertThatThrownBy(() -> SMALL.letters("aé").setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("é");
        assertThatThrownBy(() -> SMALL.model(new CausalTransformer(8, 1, 3, 8)).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("model.heads must divide model.width, were 3 and 8");
    }

    @Test
    void theScoresOfAnUntrainedPolicyAreThoseOfTheReferenceAndTheFloorOfRandomCharactersIsCounted() {
        Setup setup = SMALL.setup();
        try (Parameters parameters = setup.initialise(5);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.listen(Event.Followed.class, event -> scheduler.now().pause());
            scheduler.run();
            assertThat(scheduler.now().count("freeze")).isEqualTo(1);
            Map<String, Double> scores = setup.evaluation().orElseThrow().scores(parameters);
            assertThat(scores.get("reward")).isZero();
            assertThat(scores.get("kl")).isZero();
            assertThat(scores.get("rule")).isEqualTo(scores.get("rule_of_reference"));
            assertThat(scores.get("rule_of_random_characters")).isCloseTo(4 * 5 / 96.0, within(1e-12));
        }
    }
}
