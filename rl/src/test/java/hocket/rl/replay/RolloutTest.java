package hocket.rl.replay;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests against numbers worked by hand, with gamma and lambda 1/2; see {@link Walk} and {@link Walker}. */
class RolloutTest {
    private static Rollout walked(Truncation truncation, int times) {
        Walker walker = Walker.start();
        Rollout rollout =
                new Rollout(walker.environments(), walker.policy(), walker.judge(), 4, new Gae(0.5, 0.5, truncation));
        walker.run(rollout, times);
        return rollout;
    }

    private static float[] column(Rollout rollout, String name) {
        return rollout.table().values(name).floats();
    }

    @Test
    void aTruncatedEpisodeIsBootstrappedAndATerminatedOneIsNot() {
        Rollout rollout = walked(Truncation.BOOTSTRAP, 1);
        assertThat(column(rollout, "observation")).containsExactly(0, 1, 2, 0);
        assertThat(column(rollout, "value")).containsExactly(0, 2, 4, 0);
        // δ: 1 + 2/2 - 0; 2 + 4/2 - 2 with the final observation 2; 3 - 4; 1 + 2/2 - 0. Only the first has a next one
        assertThat(column(rollout, "advantage")).containsExactly(2 + 0.25f * 2, 2, -1, 2);
        assertThat(column(rollout, "return")).containsExactly(2.5f, 4, 3, 2);
    }

    @Test
    void aTrajectoryOfMoreStepsThanAnArrayHoldsIsRefused() {
        Walker walker = Walker.start();
        TrainingEnvironments two =
                new TrainingEnvironments(VectorEnvironment.of(Walk::limited, 2, Autoreset.SAME_STEP));
        assertThatThrownBy(() -> new Unroll(two, walker.policy(), 1 << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("trajectory: observations of steps and environments: must have at most 2147483647 elements,"
                        + " 1073741824 · 2 · 1 are 2147483648");
    }

    @Test
    void aTruncatedEpisodeHasNoFurtherValueWhereALimitEndsIt() {
        Rollout rollout = walked(Truncation.END, 1);
        assertThat(column(rollout, "advantage")).containsExactly(2, 0, -1, 2);
        assertThat(column(rollout, "return")).containsExactly(2, 2, 3, 2);
    }

    @Test
    void theNextRolloutContinuesWhereTheLastOneStopped() {
        assertThat(column(walked(Truncation.BOOTSTRAP, 2), "observation")).containsExactly(1, 2, 0, 1);
    }

    @Test
    void aProgramReplacesTheEnvironmentsRewards() {
        Walker walker = Walker.start();
        Value observation = walker.judge().input(Policy.OBSERVATION).orElseThrow();
        Program reward = Program.compile("reward", Mode.EVAL, reshape(scale(observation, -1)));
        Rollout rollout = new Rollout(walker.environments(), walker.policy(), 4, new Gae(0, 0, Truncation.END))
                .rewardedBy(reward);
        walker.run(rollout, 1);
        assertThat(column(rollout, "advantage")).containsExactly(0, -1, -2, 0);
        assertThat(column(rollout, "value")).containsOnly(0);
    }

    @Test
    void aNewRolloutIsReadFromItsBeginning() {
        Walker walker = Walker.start();
        Rollout rollout =
                new Rollout(walker.environments(), walker.policy(), walker.judge(), 4, new Gae(1, 1, Truncation.END));
        Minibatches minibatches = new Minibatches(rollout.table(), 2);
        List<Double> epochs = new ArrayList<>();
        walker.run(
                run -> {
                    rollout.act(run);
                    minibatches.next(Streams.seed(1), (column, rows) -> null);
                    epochs.add(minibatches.epoch());
                },
                3);
        assertThat(epochs).containsExactly(0.5, 1.5, 2.5); // half of each, the rest of none
    }

    @Test
    void minibatchesMustDivideTheRollout() {
        Walker walker = Walker.start();
        Rollout rollout =
                new Rollout(walker.environments(), walker.policy(), walker.judge(), 4, new Gae(1, 1, Truncation.END));
        assertThatThrownBy(() -> new Minibatches(rollout.table(), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("source rollout: a minibatch must divide the 4 rows, was 3");
    }
}
