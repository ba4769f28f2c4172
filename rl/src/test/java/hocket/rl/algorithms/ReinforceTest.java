package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.returns.Layout;
import org.junit.jupiter.api.Test;

class ReinforceTest {
    private static float[][] estimated(
            Reinforce.Baseline baseline, Layout layout, float[] rewards, int terminated, int cut) {
        int rows = rewards.length;
        boolean[] ends = new boolean[rows];
        boolean[] cuts = new boolean[rows];
        if (terminated >= 0) {
            ends[terminated] = true;
        }
        if (cut >= 0) {
            cuts[cut] = true;
        }
        float[] advantages = new float[rows];
        float[] returns = new float[rows];
        float[] none = new float[rows];
        new Reinforce.ToGo(0.5, baseline)
                .advantages(layout, rewards, none, ends, cuts, none, none, advantages, returns);
        return new float[][] {advantages, returns};
    }

    @Test
    void aStepIsWorthTheDiscountedRewardToTheEndOfItsEpisode() {
        float[] rewards = {1, 2, 4, 8, 16};
        float[][] both = estimated(Reinforce.Baseline.NONE, Layout.single(5), rewards, 1, 4);
        assertThat(both[1]).containsExactly(1 + 1, 2, 4 + 4 + 4, 8 + 8, 16);
        assertThat(both[0]).containsExactly(both[1]);
    }

    @Test
    void whatTheRolloutDoesNotSeeToItsEndWeighsNothing() {
        float[] rewards = {1, 2, 4, 8};
        float[][] both = estimated(Reinforce.Baseline.NONE, Layout.single(4), rewards, 1, -1);
        // half of the rows count: twice as much each, so that the mean over all rows is theirs
        assertThat(both[0]).containsExactly(4, 4, 0, 0);
        assertThat(estimated(Reinforce.Baseline.MEAN, Layout.single(4), rewards, -1, -1)[0])
                .containsOnly(0);
    }

    @Test
    void theBaselineIsTheMeanInUnitsOfTheDeviation() {
        float[] rewards = {1, 3, 9, 9}; // two environments beside each other: 1 and 9, 3 and 9
        Layout layout = Layout.timeMajor(2, 2);
        float[][] both = estimated(Reinforce.Baseline.MEAN, layout, rewards, 2, -1);
        // returns 1 + 9/2 and 9 of the first, nothing of the second: mean 7.25, deviation 1.75, twice each
        assertThat(both[0]).containsExactly(-2, 0, 2, 0);
    }
}
