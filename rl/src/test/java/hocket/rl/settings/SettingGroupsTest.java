package hocket.rl.settings;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.algorithms.A2c;
import hocket.rl.algorithms.Dqn;
import hocket.rl.algorithms.Ppo;
import hocket.rl.networks.GruMemory;
import hocket.rl.networks.Memory;
import hocket.schedulers.Setup;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.scopes.Parameters;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests optimizers, networks and updates that shared settings make. */
class SettingGroupsTest {
    @Test
    void anOptimizerClipsFirstAndItsRateMayDecay() {
        GradientSettings plain = new GradientSettings(0.1, RateDecay.NONE, 2);
        Rate constant = Rate.constant(0.1);
        assertThat(plain.rule(OptimizerRule.SGD, 10, 1e-5))
                .isEqualTo(chain(clipByGlobalNorm(2), sgd(0.1).rate(constant)));
        assertThat(plain.rule(OptimizerRule.ADAM, 10, 1e-5))
                .isEqualTo(chain(clipByGlobalNorm(2), adam(0.1).rate(constant).epsilon(1e-5)));
        assertThat(plain.rule(OptimizerRule.RMS_PROP, 10, 1e-5))
                .isEqualTo(
                        chain(clipByGlobalNorm(2), rmsProp(0.1).rate(constant).epsilon(1e-5)));
        for (double none : new double[] {0, 1e9}) {
            assertThat(plain.clipGradients(none).rule(OptimizerRule.ADAM, 10, 1e-5))
                    .isEqualTo(adam(0.1).rate(constant).epsilon(1e-5));
        }
        assertThat(plain.rateDecay(RateDecay.LINEAR).rule(OptimizerRule.SGD, 10, 1e-5))
                .isEqualTo(chain(clipByGlobalNorm(2), sgd(0.1).rate(RateDecay.LINEAR.over(0.1, 10, RateUnit.ROUND))));
    }

    @Test
    void aRateDecaysByRoundsHoweverManyUpdatesTheseHave() {
        Rate decaying = RateDecay.LINEAR.over(1, 10, RateUnit.ROUND);
        assertThat(decaying.at(TrainingProgress.of(8_000_000_000L, 0, 0))).isEqualTo(1);
        assertThat(decaying.at(TrainingProgress.of(2, 1, 0))).isEqualTo(0.9);
        assertThat(decaying.at(TrainingProgress.of(3, 11, 0))).isZero();
        Rate cosine = RateDecay.COSINE.over(1, 10, RateUnit.ROUND);
        assertThat(cosine.at(TrainingProgress.of(8_000_000_000L, 0, 0))).isEqualTo(1);
        assertThat(cosine.at(TrainingProgress.of(2, 5, 0))).isCloseTo(0.5, within(1e-15));
        assertThat(cosine.at(TrainingProgress.of(3, 11, 0))).isZero();
    }

    @Test
    void theRateOfQLearningDecaysWithEachUpdateAsARoundLastsUntilTheNextTarget() {
        Dqn dqn = Dqn.usual("CartPole-v1")
                .totalSteps(1100)
                .learningStarts(100)
                .collect(4)
                .targetEvery(10_000)
                .updates(2)
                .clipGradients(2)
                .rate(0.1)
                .rateDecay(RateDecay.LINEAR);
        // one round of 250 collections, each with two updates
        assertThat(dqn.learning().rule(dqn.gradients(), dqn.experience(), dqn.task(), 1e-5))
                .isEqualTo(chain(
                        clipByGlobalNorm(2),
                        adam(0.1)
                                .rate(RateDecay.LINEAR.over(0.1, 500, RateUnit.UPDATE))
                                .epsilon(1e-5)));
        assertThat(RateDecay.LINEAR.over(0.1, 500, RateUnit.UPDATE).at(TrainingProgress.of(251, 0, 0)))
                .isEqualTo(0.05);
    }

    @Test
    void theCriticSeesWhatIsHiddenFromThePolicy() {
        for (Memory memory : List.of(Memory.none(), new GruMemory(16))) {
            List<Integer> hidden = List.of(1, 3);
            for (Setup setup : List.of(
                    Ppo.usual("CartPole-v1")
                            .memory(memory)
                            .rollout(64)
                            .onlyCriticSees(hidden)
                            .setup(),
                    A2c.usual("CartPole-v1")
                            .memory(memory)
                            .onlyCriticSees(hidden)
                            .setup())) {
                assertThat(inputs(setup, "actor")).isEqualTo(2);
                assertThat(inputs(setup, "critic")).isEqualTo(4);
            }
        }
    }

    /** The numbers that a network reads: the smallest extent of its first weights, of 16 units or more. */
    private static int inputs(Setup setup, String network) {
        try (Parameters parameters = setup.initialise(1)) {
            return parameters.declarations().stream()
                    .filter(each -> each.path().text().matches(network + "/(memory|hidden0)/.*"))
                    .filter(each -> each.shape().rank() > 1)
                    .flatMap(each -> Arrays.stream(each.shape().extents()).boxed())
                    .min(Integer::compare)
                    .orElseThrow();
        }
    }

    @Test
    void moreUpdatesThanCanBeCountedAreRefused() {
        assertThat(StepBudgets.updates("epochs", 3, 5, "the batches of a round"))
                .isEqualTo(15);
        assertThatThrownBy(() -> StepBudgets.updates("reward_epochs", 10_000, 1_000_000, "the batches of a round"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reward_epochs times the batches of a round must be at most 2147483647, was 10000 ×"
                        + " 1000000");
    }
}
