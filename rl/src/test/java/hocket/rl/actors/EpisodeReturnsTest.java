package hocket.rl.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.algorithms.Dqn;
import hocket.rl.algorithms.Ppo;
import hocket.schedulers.Setup;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EpisodeReturnsTest {
    /** Before training all values are 0, so the greedy policy goes up, and up again at the wall. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anEpisodeThatWouldNeverEndIsCutOffAndCounts() {
        Setup untrained = Dqn.usual("CliffWalking-v1").hidden(List.of()).setup();
        try (var parameters = untrained.initialise(1)) {
            assertThat(untrained.evaluation().orElseThrow().over(2).scores(parameters))
                    .containsEntry("episode_length", (double) EpisodeReturns.LONGEST)
                    .containsEntry("return_mean", (double) -EpisodeReturns.LONGEST);
        }
    }

    @Test
    void theIntervalIsThatOfTheMeanAndOneEpisodeHasNone() {
        Setup untrained = Ppo.usual("CartPole-v1").setup();
        try (var parameters = untrained.initialise(1)) {
            SortedMap<String, Double> scores =
                    untrained.evaluation().orElseThrow().over(5).scores(parameters);
            assertThat(scores)
                    .containsOnlyKeys(
                            "episodes",
                            "episode_length",
                            "return_mean",
                            "return_deviation",
                            "return_mean_low",
                            "return_mean_high");
            double half = 2.776445 * score(scores, "return_deviation") / Math.sqrt(5); // Student's t of 4
            assertThat(score(scores, "return_mean_low")).isCloseTo(score(scores, "return_mean") - half, within(1e-4));
            assertThat(score(scores, "return_mean_high")).isCloseTo(score(scores, "return_mean") + half, within(1e-4));
            assertThat(untrained.evaluation().orElseThrow().over(1).scores(parameters))
                    .containsOnlyKeys("episodes", "episode_length", "return_mean");
        }
    }

    private static double score(SortedMap<String, Double> scores, String name) {
        return Objects.requireNonNull(scores.get(name));
    }
}
