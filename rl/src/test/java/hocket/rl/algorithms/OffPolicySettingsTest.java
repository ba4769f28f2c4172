package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.sampling.PrioritisedSampler;
import hocket.rl.sampling.Sampler;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.RateDecay;
import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Adam;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Settings that SAC, TD3 and DDPG share: updates of a collection, n-step returns, rates, temperatures. */
class OffPolicySettingsTest {
    private static final Sac SAC = Sac.usual("Pendulum-v1")
            .hidden(List.of(8))
            .replay(256)
            .learningStarts(20)
            .batch(8)
            .totalSteps(32);
    private static final DiscreteSac DISCRETE_SAC = DiscreteSac.usual("CartPole-v1")
            .hidden(List.of(8))
            .replay(256)
            .learningStarts(20)
            .batch(8)
            .totalSteps(32);
    private static final Td3 TD3 = Td3.usual("Pendulum-v1")
            .hidden(List.of(8))
            .replay(256)
            .learningStarts(20)
            .batch(8)
            .totalSteps(32);

    private static List<String> turns(Setup setup, int rounds) {
        List<String> turns = new ArrayList<>();
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.listen(event -> {
                if (event instanceof Event.TurnTaken taken) {
                    turns.add(taken.turn());
                }
            });
            scheduler.run(Budget.rounds(rounds));
        }
        return turns;
    }

    @Test
    void severalUpdatesFollowACollection() {
        assertThat(turns(SAC.setup(), 1)).containsExactly("collect", "critics", "actor", "temperature", "target");
        assertThat(turns(SAC.collect(2).updates(2).setup(), 1))
                .containsExactly(
                        "collect",
                        "critics",
                        "actor",
                        "temperature",
                        "target",
                        "critics",
                        "actor",
                        "temperature",
                        "target");
        assertThat(turns(DISCRETE_SAC.updates(3).setup(), 1)).hasSize(1 + 3 * 4);
        assertThat(turns(
                        Ddpg.usual("Pendulum-v1")
                                .hidden(List.of(8))
                                .learningStarts(20)
                                .batch(8)
                                .updates(2)
                                .setup(),
                        1))
                .containsExactly(
                        "collect",
                        "critics",
                        "actor",
                        "target-critic",
                        "target-actor",
                        "critics",
                        "actor",
                        "target-critic",
                        "target-actor");
    }

    @Test
    void theDelayOfAnActorCountsUpdatesAndNotCollections() {
        List<String> late = List.of("actor", "target-critic", "target-actor");
        assertThat(turns(TD3.setup(), 1))
                .startsWith("collect", "critics", "collect", "critics")
                .endsWith(late.toArray(String[]::new))
                .hasSize(7);
        assertThat(turns(TD3.updates(2).setup(), 1))
                .startsWith("collect", "critics", "critics")
                .endsWith(late.toArray(String[]::new))
                .hasSize(6);
        assertThat(turns(TD3.updates(4).setup(), 1))
                .startsWith(
                        "collect", "critics", "critics", "actor", "target-critic", "target-actor", "critics", "critics")
                .endsWith(late.toArray(String[]::new))
                .hasSize(1 + 2 * 5);
        assertThat(turns(TD3.delay(4).updates(2).setup(), 1))
                .startsWith("collect", "critics", "critics", "collect", "critics", "critics")
                .endsWith(late.toArray(String[]::new))
                .hasSize(9);
        assertThatThrownBy(() -> TD3.delay(3).updates(2).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("updates must divide delay, or be a multiple of it, were 2 and 3");
    }

    @Test
    void theStepsOfARunDoNotDependOnUpdates() {
        for (Setup setup : List.of(
                SAC.totalSteps(40).collect(2).updates(4).setup(),
                TD3.totalSteps(40).updates(4).setup(),
                TD3.totalSteps(40).updates(2).setup())) {
            Map<String, Double> last = new LinkedHashMap<>();
            try (Parameters parameters = setup.initialise(7);
                    Scheduler scheduler = setup.schedule(parameters, 1)) {
                scheduler.listen(event -> {
                    if (event instanceof Event.TurnTaken taken) {
                        last.putAll(taken.figures());
                    }
                });
                scheduler.run();
            }
            assertThat(last).containsEntry("steps", 40.0);
        }
    }

    @Test
    void aFixedTemperatureIsNoParameterAndHasNoTurn() {
        for (Setup setup : List.of(
                SAC.learnTemperature(false).temperature(0.2).setup(),
                DISCRETE_SAC.learnTemperature(false).temperature(0.2).setup())) {
            assertThat(turns(setup, 1)).containsExactly("collect", "critics", "actor", "target");
            try (Parameters parameters = setup.initialise(7)) {
                assertThat(parameters.declarations())
                        .noneMatch(declared -> declared.path().text().startsWith("temperature/"));
            }
        }
    }

    @Test
    void aLearnedTemperatureBeginsAsSet() {
        Setup setup = SAC.temperature(0.1).setup();
        try (Parameters parameters = setup.initialise(7)) {
            assertThat(parameters.tensor("temperature/log_alpha").get(0)).isCloseTo(Math.log(0.1), within(1e-6));
        }
    }

    /** The first gradient of log α is the entropy above its target, so a target beyond it changes the sign of the first update. */
    @Test
    void theTemperatureRisesForATargetAboveTheEntropyAndFallsBelow() {
        assertThat(temperature(SAC.targetEntropy(-5))).isNegative();
        assertThat(temperature(SAC.targetEntropy(5))).isPositive();
    }

    private static double temperature(Sac sac) {
        Setup setup = sac.setup();
        try (Parameters parameters = setup.initialise(7);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run(Budget.rounds(1));
            return parameters.tensor("temperature/log_alpha").get(0);
        }
    }

    @Test
    void aRateDecaysOverTheRun() {
        for (UnaryOperator<Sac> each : List.<UnaryOperator<Sac>>of(sac -> sac, sac -> sac.updates(2))) {
            Setup setup = each.apply(SAC.rateDecay(RateDecay.LINEAR)).setup();
            Turn.Descend critics = setup.descending().get(0);
            assertThat(critics.name()).isEqualTo("critics");
            assertThat(((Adam) critics.updates().get(0).rule()).rate().describe())
                    .isEqualTo("3.0E-4, decaying to 0 over 12 rounds");
        }
    }

    /** Each row of the first batch is of another eighth of 21 rows, so at most two neighbours are the same. */
    @Test
    void rowsHaveThePrioritiesOfTheirErrors() {
        Sampler byError = PrioritisedSampler.usual().alpha(1).epsilon(0);
        for (Setup setup : List.of(
                SAC.sampler(byError).setup(),
                DISCRETE_SAC.sampler(byError).setup(),
                TD3.delay(1).sampler(byError).setup(),
                Ddpg.usual("Pendulum-v1")
                        .hidden(List.of(8))
                        .learningStarts(20)
                        .batch(8)
                        .sampler(byError)
                        .setup())) {
            double[] priorities = Training.stopped(setup, 7, 1)
                    .state("sources")
                    .state("replay")
                    .state("sampling")
                    .tensor("priorities")
                    .doubles();
            assertThat(priorities).hasSize(21);
            assertThat(Arrays.stream(priorities).filter(priority -> priority != 1))
                    .hasSizeBetween(4, 8)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aReturnOfMoreStepsThanTheReplayHoldsIsRefused() {
        assertThatThrownBy(() -> SAC.nSteps(300).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("replay must be at least n_steps, were 256 and 300");
        assertThatThrownBy(() -> TD3.nSteps(300).replay(1000).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("learning_starts must let each of the 1 environments take n_steps 300");
    }

    @Test
    void aTargetOfSeveralStepsIsAnotherOne() {
        for (UnaryOperator<Sac> each :
                List.<UnaryOperator<Sac>>of(sac -> sac, sac -> sac.environments(EnvironmentSettings.of(2)))) {
            Sac sac = each.apply(SAC);
            assertThat(Training.whole(sac.nSteps(3).setup(), 7)).isNotEqualTo(Training.whole(sac.setup(), 7));
        }
    }

    @Test
    void asManyUpdatesAsStepsSolveTheDartTask() {
        Sac sac = Sac.usual("Dart")
                .hidden(List.of(32))
                .replay(2000)
                .batch(64)
                .rate(1e-3)
                .collect(8)
                .updates(8)
                .totalSteps(3000);
        assertThat(Training.mean(sac.setup(Dart::new), 7, 100)).isGreaterThan(-0.1); // by chance -2.3
    }
}
