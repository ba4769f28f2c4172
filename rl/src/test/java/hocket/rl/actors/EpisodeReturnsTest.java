package hocket.rl.actors;

import static hocket.programs.Layers.dense;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.algorithms.Dqn;
import hocket.rl.algorithms.Ppo;
import hocket.rl.algorithms.Td3;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Setup;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EpisodeReturnsTest {
    /** Before training all values are 0, so the greedy policy always goes up, even at the wall. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void anEpisodeThatWouldNeverEndIsCutOffAndCounted() {
        Setup untrained = Dqn.usual("CliffWalking-v1").hidden(List.of()).setup();
        try (var parameters = untrained.initialise(1)) {
            assertThat(untrained.evaluation().orElseThrow().over(2).scores(parameters))
                    .containsEntry("episode_length", (double) EpisodeReturns.LONGEST)
                    .containsEntry("return_mean", (double) -EpisodeReturns.LONGEST)
                    .containsEntry("episodes_cut_off", 2.0);
        }
    }

    @Test
    void sampledActionsAreThoseOfTraining() {
        Setup untrained = Ppo.usual("CartPole-v1").setup();
        try (var parameters = untrained.initialise(1)) {
            Evaluation greedy = untrained.evaluation().orElseThrow().over(20);
            SortedMap<String, Double> drawn = greedy.sampled().scores(parameters);
            assertThat(greedy.sampled().scores(parameters)).isEqualTo(drawn);
            assertThat(drawn).isNotEqualTo(greedy.scores(parameters)).containsEntry("episodes", 20.0);
            assertThat(score(drawn, "return_mean")).isBetween(15.0, 30.0); // by chance 22; one action always 9
            assertThat(greedy.selecting(20).sampled().scores(parameters)).isNotEqualTo(drawn);
        }
    }

    @Test
    void aPolicyThatDrawsNoActionsIsNotSampled() {
        for (Setup untrained : List.of(
                Dqn.usual("CartPole-v1").setup(), Td3.usual("Pendulum-v1").setup())) {
            Evaluation evaluation = untrained.evaluation().orElseThrow();
            assertThatThrownBy(evaluation::sampled)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the policy draws no actions: it takes the same one whenever it observes the same");
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
                            "episodes_cut_off",
                            "episode_length",
                            "return_mean",
                            "return_deviation",
                            "return_mean_low",
                            "return_mean_high");
            double half = 2.776445 * score(scores, "return_deviation") / Math.sqrt(5); // Student's t of 4
            assertThat(score(scores, "return_mean_low")).isCloseTo(score(scores, "return_mean") - half, within(1e-4));
            assertThat(score(scores, "return_mean_high")).isCloseTo(score(scores, "return_mean") + half, within(1e-4));
            assertThat(untrained.evaluation().orElseThrow().over(1).scores(parameters))
                    .containsOnlyKeys("episodes", "episodes_cut_off", "episode_length", "return_mean")
                    .containsEntry(
                            "episodes_cut_off", 0.0); // or seeds with and without any would not have it in common
        }
    }

    /** An environment with random rewards. */
    private static final class Raffle extends EpisodicEnvironment {
        private int drawn;

        Raffle() {
            super("Raffle", Box.of(1, 0, 1), new Discrete(2));
        }

        @Override
        protected void begin() {
            drawn = 0;
        }

        @Override
        protected void act(float[] action, int at) {
            drawn++;
            outcome(random().random(), drawn == 10);
        }

        @Override
        public void observe(float[] into, int at) {
            into[at] = 1;
        }

        @Override
        protected State saveOwnState() {
            return State.empty().with("drawn", drawn);
        }

        @Override
        protected void restoreOwnState(State state) {
            drawn = (int) state.whole("drawn");
        }
    }

    @Test
    void aStochasticPolicyDoesNotChangeTheEnvironmentsDraws() {
        Graph graph = new Graph();
        Value seen = graph.input(Policy.OBSERVATION, Shape.of(1));
        Network<Value, Value> actor = graph.module("actor", x -> dense("logits", x, 2));
        Value logits = actor.apply(seen);
        Program act = Program.compile("act", Mode.EVAL, logits);
        Discrete actions = new Discrete(2);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1))) {
            var drawing = new Policy(act, ActionSelection.sampled(actions), Policy.ActionTransform.SAME);
            var sure = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
            assertThat(new EpisodeReturns(Raffle::new, drawing, Optional.empty(), 5).scores(parameters))
                    .isEqualTo(new EpisodeReturns(Raffle::new, sure, Optional.empty(), 5).scores(parameters));
        }
    }

    @Test
    void actionsAtRandomAreScoredBeside() {
        Setup untrained = Ppo.usual("Taxi-v4").setup();
        Evaluation evaluation = untrained.evaluation().orElseThrow().over(20);
        Evaluation.Reference random = evaluation.references(1).get(0);
        assertThat(random.rows()).isEqualTo(20);
        // among allowed actions no step costs more than 1 in the 200 steps of an episode
        assertThat(score(random.scores(), "return_mean")).isBetween(-200.0, 20.0);
        EnvironmentSettings free = EnvironmentSettings.of(1).wrappers(List.of(new Wrapper.Unmasked()));
        Evaluation ofAll =
                Ppo.usual("Taxi-v4").environments(free).setup().evaluation().orElseThrow();
        assertThat(score(ofAll.over(20).references(1).get(0).scores(), "return_mean"))
                .isLessThan(-500); // a third of the actions is illegal, at -10
    }

    private static double score(SortedMap<String, Double> scores, String name) {
        return Objects.requireNonNull(scores.get(name));
    }
}
