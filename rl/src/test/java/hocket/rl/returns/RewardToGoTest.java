package hocket.rl.returns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.random.Pcg64;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RewardToGoTest {
    /** Episodes of at most two steps, unless it is said otherwise; all environments begin one. */
    private static float[][] estimated(
            RewardToGo.Baseline baseline, RolloutLayout layout, int longest, float[] rewards, int terminated, int cut) {
        int rows = rewards.length;
        boolean[] ends = new boolean[rows];
        boolean[] cuts = new boolean[rows];
        if (terminated >= 0) {
            ends[terminated] = true;
        }
        if (cut >= 0) {
            cuts[cut] = true;
        }
        boolean[] first = new boolean[layout.environments()];
        Arrays.fill(first, true);
        return estimated(new RewardToGo(0.5, baseline, () -> longest), layout, rewards, first, ends, cuts);
    }

    private static float[][] estimated(
            RewardToGo toGo, RolloutLayout layout, float[] rewards, boolean[] first, boolean[] ends, boolean[] cuts) {
        float[] advantages = new float[rewards.length];
        float[] returns = new float[rewards.length];
        float[] none = new float[rewards.length];
        toGo.begins(first);
        toGo.advantages(layout, rewards, none, ends, cuts, none, none, advantages, returns);
        return new float[][] {advantages, returns};
    }

    @Test
    void aStepIsWorthTheDiscountedRewardToTheEndOfItsEpisode() {
        float[] rewards = {1, 2, 4, 8, 16};
        float[][] both = estimated(RewardToGo.Baseline.NONE, RolloutLayout.timeMajor(5, 1), 3, rewards, 1, 4);
        assertThat(both[1]).containsExactly(1 + 1, 2, 4 + 4 + 4, 8 + 8, 16);
        assertThat(both[0]).containsExactly(both[1]);
    }

    @Test
    void anEpisodeThatMightNotEndInTheRolloutWeighsNothingEvenIfItDoes() {
        float[] rewards = {1, 2, 4, 8};
        assertThat(estimated(RewardToGo.Baseline.NONE, RolloutLayout.timeMajor(4, 1), 3, rewards, 1, 3)[0])
                .containsExactly(2, 2, 0, 0);
        assertThat(estimated(RewardToGo.Baseline.MEAN, RolloutLayout.timeMajor(4, 1), 5, rewards, -1, -1)[0])
                .containsOnly(0);
        assertThatThrownBy(() -> estimated(RewardToGo.Baseline.NONE, RolloutLayout.timeMajor(4, 1), 2, rewards, -1, -1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("an episode must end within the 2 steps of its environment's limit, but has not");
    }

    @Test
    void anEpisodeOfTheRolloutBeforeWeighsNothing() {
        boolean[] ends = {false, true, false, true};
        assertThat(estimated(
                        new RewardToGo(1, RewardToGo.Baseline.NONE, () -> 2),
                        RolloutLayout.timeMajor(4, 1),
                        new float[] {1, 1, 1, 1},
                        new boolean[1],
                        ends,
                        new boolean[4])[0])
                .containsExactly(0, 0, 2, 1);
    }

    @Test
    void theBaselineIsTheMeanInUnitsOfTheDeviation() {
        float[] rewards = {1, 3, 9, 9}; // two environments beside each other: 1 and 9, 3 and 9
        RolloutLayout layout = RolloutLayout.timeMajor(2, 2);
        float[][] both = estimated(RewardToGo.Baseline.MEAN, layout, 2, rewards, 2, 3);
        // returns 1 + 9/2, 3 + 9/2, 9 and 9: mean 7.75, deviation √((2.25² + 0.25² + 2·1.25²)/4) = √2.0625
        float unit = (float) (1 / Math.sqrt(2.0625));
        assertThat(both[0])
                .containsExactly(
                        new float[] {-2.25f * unit, -0.25f * unit, 1.25f * unit, 1.25f * unit},
                        within(1e-6f)); // of one rounding to a float
    }

    /** Returns and number of the episodes that count, over all that may happen, each as often as it is probable. */
    private static final class Expected {
        final int steps;
        final int brief;
        final int lengthy;
        final boolean[] ends;
        double returns;
        double episodes;

        Expected(int steps, int brief, int lengthy) {
            this.steps = steps;
            this.brief = brief;
            this.lengthy = lengthy;
            ends = new boolean[steps];
        }

        /** @param running steps that the episode of the rollout before still has */
        Expected from(int running) {
            go(running, 1, running);
            return this;
        }

        private void go(int at, double probability, int running) {
            if (at > 0 && at <= steps) {
                ends[at - 1] = true;
            }
            if (at >= steps) {
                count(probability, running == 0);
            } else {
                go(at + brief, probability / 2, running);
                go(at + lengthy, probability / 2, running);
            }
            if (at > 0 && at <= steps) {
                ends[at - 1] = false;
            }
        }

        private void count(double probability, boolean begins) {
            float[] rewards = new float[steps];
            Arrays.fill(rewards, 1);
            float[] worth = estimated(
                    new RewardToGo(1, RewardToGo.Baseline.NONE, () -> lengthy),
                    RolloutLayout.timeMajor(steps, 1),
                    rewards,
                    new boolean[] {begins},
                    ends,
                    new boolean[steps])[0];
            for (int t = 0; t < steps; t++) {
                if (worth[t] > 0 && (t == 0 ? begins : ends[t - 1])) {
                    returns += probability * worth[t];
                    episodes += probability;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void ofAllThatMayHappenTheMeanReturnIsThatOfTheEpisodes(int running) {
        Expected expected = new Expected(12, 1, 5).from(running);
        assertThat(expected.episodes).isGreaterThan(1);
        // half the episodes are 1 step long and half 5; all probabilities are powers of two, so nothing is rounded
        assertThat(expected.returns / expected.episodes).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2000, 600})
    void halfTheEpisodesTenStepsLongAndHalfFiveHundredReturn255(int rollout) {
        Pcg64 random = Pcg64.of(7);
        RewardToGo toGo = new RewardToGo(1, RewardToGo.Baseline.NONE, () -> 500);
        float[] rewards = new float[rollout];
        Arrays.fill(rewards, 1);
        double returns = 0;
        double squares = 0;
        long episodes = 0;
        int left = 0;
        for (int round = 0; round < 3000; round++) {
            boolean[] first = {left == 0};
            boolean[] ends = new boolean[rollout];
            for (int t = 0; t < rollout; t++) {
                left = left == 0 ? random.random() < 0.5 ? 10 : 500 : left;
                left--;
                ends[t] = left == 0;
            }
            float[] worth =
                    estimated(toGo, RolloutLayout.timeMajor(rollout, 1), rewards, first, ends, new boolean[rollout])[0];
            for (int t = 0; t < rollout; t++) {
                if (worth[t] > 0 && (t == 0 ? first[0] : ends[t - 1])) {
                    returns += worth[t];
                    squares += (worth[t] - 255) * (worth[t] - 255);
                    episodes++;
                }
            }
        }
        double error = Math.sqrt(squares / episodes / episodes);
        assertThat(returns / episodes).isCloseTo(255, within(4 * error)); // four standard errors
    }
}
