package hocket.rl.actors;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.algorithms.Dqn;
import hocket.schedulers.Setup;
import java.util.List;
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
}
