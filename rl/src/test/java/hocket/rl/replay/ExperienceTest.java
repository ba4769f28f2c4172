package hocket.rl.replay;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.actors.Exploration;
import hocket.schedulers.State;
import org.junit.jupiter.api.Test;

/** By hand, with gamma 1/2; see {@link Walk}. */
class ExperienceTest {
    private static State walked(int nSteps, int each, int times) {
        Walker walker = Walker.start();
        Replay replay =
                new Replay(walker.worlds().observationSpace(), walker.worlds().actionSpace(), 100, 1);
        walker.run(
                new Experience(walker.worlds(), walker.policy(), new Exploration.None(), replay, 0, each, nSteps, 0.5),
                times);
        return replay.save().state("segment-00000");
    }

    private static float[] column(State rows, String name) {
        return rows.tensor(name).floats();
    }

    @Test
    void oneStepIsItsRewardAndWhatFollows() {
        State rows = walked(1, 4, 1);
        assertThat(column(rows, "observation")).containsExactly(0, 1, 2, 0);
        assertThat(column(rows, "action")).containsOnly(1);
        assertThat(column(rows, "reward")).containsExactly(1, 2, 3, 1);
        assertThat(column(rows, "next_observation")).containsExactly(1, 2, 3, 1);
        assertThat(column(rows, "discount")).containsExactly(0.5f, 0.5f, 0, 0.5f);
    }

    @Test
    void twoStepsAreAddedUpAndFewerWhereTheEpisodeEndsBefore() {
        State rows = walked(2, 6, 1);
        // 0, 1, 2 cut off: both steps end at 2; 2, 3 terminated; 0, 1, 2 again; then one step waits
        assertThat(column(rows, "observation")).containsExactly(0, 1, 2, 0, 1, 2);
        assertThat(column(rows, "reward")).containsExactly(1 + 0.5f * 2, 2, 3, 2, 2, 3);
        assertThat(column(rows, "next_observation")).containsExactly(2, 2, 3, 2, 2, 3);
        assertThat(column(rows, "discount")).containsExactly(0.25f, 0.5f, 0, 0.25f, 0.5f, 0);
    }

    @Test
    void aStepWaitsForItsReturnFromOneTurnToTheNext() {
        State rows = walked(2, 1, 3);
        assertThat(column(rows, "reward")).containsExactly(2, 2, 3);
    }
}
