package hocket.rl.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Session.Feeds;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.wrappers.FrameStack;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.schedulers.state.Saved;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests against numbers worked by hand, with gamma 1/2; see {@link Walk}. */
class ReplayCollectorTest {
    private static Saved.Rows walked(int nSteps, int each, int times) {
        Walker walker = Walker.start();
        Replay replay = Transitions.replay(
                walker.environments().observationSpace(), walker.environments().actionSpace(), 100, 1);
        walker.run(
                new ReplayCollector(
                        walker.environments(),
                        walker.policy(),
                        new Exploration.None(),
                        new Transitions(walker.environments(), replay, nSteps, 0.5),
                        0,
                        each),
                times);
        return replay.save().rows("segment-000000000");
    }

    private static float[] column(Saved.Rows rows, String name) {
        int column = List.of("observation", "action", "reward", "next_observation", "discount")
                .indexOf(name);
        float[] numbers = SavedRows.floats(rows);
        float[] values = new float[rows.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = numbers[i * rows.width() / Float.BYTES + column];
        }
        return values;
    }

    @Test
    void theTargetOfOneStepIsItsRewardPlusTheNextValue() {
        Saved.Rows rows = walked(1, 4, 1);
        assertThat(column(rows, "observation")).containsExactly(0, 1, 2, 0);
        assertThat(column(rows, "action")).containsOnly(1);
        assertThat(column(rows, "reward")).containsExactly(1, 2, 3, 1);
        assertThat(column(rows, "next_observation")).containsExactly(1, 2, 3, 1);
        assertThat(column(rows, "discount")).containsExactly(0.5f, 0.5f, 0, 0.5f);
    }

    @Test
    void twoStepsAreAddedUpAndFewerWhereTheEpisodeEndsBefore() {
        Saved.Rows rows = walked(2, 6, 1);
        // 0, 1, 2 cut off: both steps end at 2; 2, 3 terminated; 0, 1, 2 again; then one step waits
        assertThat(column(rows, "observation")).containsExactly(0, 1, 2, 0, 1, 2);
        assertThat(column(rows, "reward")).containsExactly(1 + 0.5f * 2, 2, 3, 2, 2, 3);
        assertThat(column(rows, "next_observation")).containsExactly(2, 2, 3, 2, 2, 3);
        assertThat(column(rows, "discount")).containsExactly(0.25f, 0.5f, 0, 0.25f, 0.5f, 0);
    }

    @Test
    void returnsOfMoreStepsThanAnArrayHoldsAreRefused() {
        Walker walker = Walker.start();
        TrainingEnvironments two = new TrainingEnvironments(
                VectorEnvironment.of(() -> new FrameStack(Walk.limited(), 1 << 8), 1 << 8, Autoreset.SAME_STEP));
        Replay replay = Transitions.replay(two.observationSpace(), two.actionSpace(), 100, 1);
        assertThatThrownBy(() -> new Transitions(two, replay, 1 << 16, 0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("experience: observations of environments and steps of a return: must have at most"
                        + " 2147483647 elements, 256 · 65536 · 256 are 4294967296");
    }

    @Test
    void itHoldsRawNumbersAndNormalisesSamplesByTheCurrentStatistics() {
        Walker plain = Walker.start();
        VectorNormalisation statistics =
                new VectorNormalisation(VectorEnvironment.of(Walk::limited, 1, Autoreset.SAME_STEP), 0.5);
        Walker normalising =
                new Walker(plain.graph(), plain.policy(), plain.judge(), new TrainingEnvironments(statistics));
        List<Feeds> drawn = new ArrayList<>();
        List<Saved.Rows> held = new ArrayList<>();
        for (Walker walker : List.of(plain, normalising)) {
            TrainingEnvironments worlds = walker.environments();
            Replay replay = Transitions.replay(worlds.observationSpace(), worlds.actionSpace(), 100, 16);
            walker.run(
                    new ReplayCollector(
                            worlds,
                            walker.policy(),
                            new Exploration.None(),
                            new Transitions(worlds, replay, 1, 0.5),
                            0,
                            4),
                    3);
            held.add(replay.save().rows("segment-000000000"));
            drawn.add(replay.draw(column -> true, Streams.seed(1)));
        }
        assertThat(held.get(1).values()).isEqualTo(held.get(0).values());
        for (String column : List.of("observation", "next_observation")) {
            float[] expected = floats(drawn.get(0), column);
            for (int i = 0; i < expected.length; i++) {
                float[] one = {expected[i]};
                statistics.normalise(one);
                expected[i] = one[0];
            }
            assertThat(floats(drawn.get(1), column)).isEqualTo(expected);
        }
        float[] rewards = floats(drawn.get(0), "reward");
        for (int i = 0; i < rewards.length; i++) {
            rewards[i] = (float) statistics.normalise((double) rewards[i]);
        }
        assertThat(floats(drawn.get(1), "reward")).isEqualTo(rewards).isNotEqualTo(floats(drawn.get(0), "reward"));
        assertThat(floats(drawn.get(1), "discount")).isEqualTo(floats(drawn.get(0), "discount"));
    }

    private static float[] floats(Feeds feeds, String column) {
        return Objects.requireNonNull(feeds.tensors().get(column)).floats();
    }

    @Test
    void aStepWaitsForItsReturnFromOneTurnToTheNext() {
        Saved.Rows rows = walked(2, 1, 3);
        assertThat(column(rows, "reward")).containsExactly(2, 2, 3);
    }
}
