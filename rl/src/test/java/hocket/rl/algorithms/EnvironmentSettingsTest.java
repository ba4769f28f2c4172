package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.envs.wrappers.ActionRepeat;
import hocket.rl.envs.wrappers.FrameStack;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.random.Pcg64;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a file says of an environment. */
class EnvironmentSettingsTest {
    private static final EnvironmentSettings ALL = EnvironmentSettings.of(1)
            .options(Map.of("g", "9.81"))
            .limit(7)
            .wrappers(List.of(new Wrapper.ActionRepeat(2), new Wrapper.FrameStack(3)))
            .rewardScale(0.5)
            .rewardClip(2);

    @Test
    void optionsLimitRepeatedActionsAndFramesAreThoseOfTheEnvironmentsOwnWrappers() {
        Environment byHand = new FrameStack(
                new ActionRepeat(Environments.make("Pendulum-v1", Map.of("g", 9.81, "max_episode_steps", 7)), 2), 3);
        byHand.reset(Pcg64.of(5));
        float[] seen = new float[byHand.observations().width()];
        List<Double> returns = new ArrayList<>();
        double sum = 0;
        boolean clipped = false;
        try (Parameters store = Parameters.initialise(Set.of(), Streams.seed(5))) {
            TrainingEnvironments worlds = ALL.open(EnvironmentSettings.named("Pendulum-v1"), 0.99);
            worlds.listen((environment, ret, length) -> returns.add(ret));
            worlds.begin(store);
            assertThat(worlds.maxEpisodeSteps())
                    .hasValue(4); // 7 steps of the environment are 4 of two each, the last of one
            for (int step = 1; step <= 12; step++) {
                byHand.observe(seen, 0);
                assertThat(worlds.observations()).isEqualTo(seen);
                float[] action = {step % 3 - 1};
                worlds.actions()[0] = action[0];
                worlds.step();
                byHand.step(action, 0);
                sum += byHand.reward();
                double scaled = 0.5 * byHand.reward();
                clipped |= scaled < -2;
                assertThat(worlds.rewards()).containsExactly(Math.max(scaled, -2));
                assertThat(worlds.truncated()).containsExactly(step % 4 == 0);
                if (byHand.truncated()) {
                    assertThat(returns.remove(0))
                            .as("returns as the environment gives them")
                            .isEqualTo(sum);
                    sum = 0;
                    byHand.reset();
                }
            }
        }
        assertThat(clipped).isTrue();
    }

    @Test
    void evaluationHasTheSameObservationsAndTheOriginalRewards() {
        Environment seen = ALL.seen(EnvironmentSettings.named("Pendulum-v1")).get();
        assertThat(seen.observations().width()).isEqualTo(9);
        assertThat(seen.maxEpisodeSteps()).hasValue(4);
        seen.reset(Pcg64.of(5));
        Environment byHand = new ActionRepeat(Environments.make("Pendulum-v1", Map.of("g", 9.81)), 2);
        byHand.reset(Pcg64.of(5));
        seen.step(new float[] {1}, 0);
        byHand.step(new float[] {1}, 0);
        assertThat(seen.reward()).isEqualTo(byHand.reward());
    }

    @Test
    void aRepeatedActionEndsWithItsEpisodeAndResumesExactly() {
        Environment world = new ActionRepeat(Environments.make("CartPole-v1", Map.of("max_episode_steps", 5)), 3);
        world.reset(Pcg64.of(0));
        world.step(new float[] {1}, 0);
        assertThat(world.reward()).isEqualTo(3);
        Environment other = new ActionRepeat(Environments.make("CartPole-v1", Map.of("max_episode_steps", 5)), 3);
        other.restore(world.save());
        for (Environment each : Arrays.asList(world, other)) {
            assertThat(each.reward()).isEqualTo(3);
            each.step(new float[] {0}, 0);
            assertThat(each.reward()).isEqualTo(2);
            assertThat(each.truncated()).isTrue();
        }
        assertThat(other.save()).isEqualTo(world.save());
    }

    @Test
    void aPlanSaysWhatIsDoneToAnEnvironment() {
        assertThat(Sac.usual("Pendulum-v1")
                        .worlds(ALL.normaliseObservations(true))
                        .setup()
                        .feeds()
                        .get(0)
                        .source()
                        .notes())
                .contains("environments: options {g=9.81}, episodes of at most 7 steps, each action 2 times, the last 3"
                        + " observations together, observations normalised, rewards × 0.5, rewards clipped at ±2.0");
    }
}
