package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.RandomPlay;
import hocket.rl.envs.wrappers.ActionRepeat;
import hocket.rl.envs.wrappers.FrameStack;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.networks.ConvolutionalEncoder;
import hocket.rl.networks.ConvolutionalEncoder.ChannelAxis;
import hocket.rl.random.Pcg64;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
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
    void whereActionsAreForbiddenARepeatMayTakeASingleStep() {
        Environment free = new ActionRepeat(Environments.make("CartPole-v1", Map.of("max_episode_steps", 5)), 3);
        assertThat(free.maxEpisodeSteps()).hasValue(2);
        Environment masked = new ActionRepeat(Environments.make("Taxi-v4", Map.of()), 4);
        assertThat(masked.maxEpisodeSteps()).hasValue(200);
    }

    /** Shows a red picture that darkens. */
    private static final class Sunset extends EpisodicEnvironment {
        private static final Shape PICTURE = Shape.of(8, 6, 3);
        private int step;

        Sunset() {
            super("Sunset", new Box(PICTURE, new float[PICTURE.size()], bytes()).whole(), new Discrete(2));
        }

        private static float[] bytes() {
            float[] high = new float[PICTURE.size()];
            Arrays.fill(high, 255);
            return high;
        }

        @Override
        protected void begin() {
            step = 0;
        }

        @Override
        protected void act(float[] action, int at) {
            outcome(action[at], ++step == 5);
        }

        @Override
        public void observe(float[] into, int at) {
            for (int i = 0; i < PICTURE.size(); i++) {
                into[at + i] = i % 3 == 0 ? 250 - 50 * step : 0;
            }
        }

        @Override
        protected State saveOwnState() {
            return State.empty().with("step", step);
        }

        @Override
        protected void restoreOwnState(State state) {
            step = (int) state.whole("step");
        }
    }

    @Test
    void picturesInGreyAndSmallerAndStackedReachAConvolution() {
        EnvironmentSettings pictures = EnvironmentSettings.of(2)
                .wrappers(List.of(new Wrapper.Greyscale(), new Wrapper.Resize(4, 3), new Wrapper.FrameStack(2)));
        Environment seen = pictures.seen(Sunset::new).get();
        assertThat(seen.observations().shape()).isEqualTo(Shape.of(2, 1, 4, 3));
        seen.reset(Pcg64.of(1));
        seen.step(new float[] {0}, 0);
        assertThat(RandomPlay.observed(seen)).startsWith(53).endsWith(42); // ⌊0.2125 · 250⌋ and ⌊0.2125 · 200⌋
        Ppo ppo = Ppo.usual("Sunset")
                .environments(pictures)
                .rollout(16)
                .minibatch(16)
                .encoder(new ConvolutionalEncoder(List.of(2), List.of(2), List.of(1), 4, ChannelAxis.FIRST))
                .hidden(List.of())
                .rate(1e-2)
                .totalSteps(1600);
        assertThat(Training.mean(ppo.setup(Sunset::new), 7, 5)).isEqualTo(5);
    }

    @Test
    void aPlanSaysWhatIsDoneToAnEnvironment() {
        assertThat(Sac.usual("Pendulum-v1")
                        .environments(ALL.normaliseObservations(true))
                        .setup()
                        .feeds()
                        .get(0)
                        .source()
                        .notes())
                .contains("environments: options {g=9.81}, episodes of at most 7 steps, each action 2 times, the last 3"
                        + " observations together, observations normalised, rewards × 0.5, rewards clipped at ±2.0");
    }
}
