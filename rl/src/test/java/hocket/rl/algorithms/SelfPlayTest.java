package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Operators;
import hocket.programs.Program;
import hocket.rl.actors.AgentReturns;
import hocket.rl.actors.Policy;
import hocket.rl.envs.games.AgentVector;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.networks.LstmMemory;
import hocket.rl.random.Pcg64;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.optimizers.Optimizers;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SelfPlayTest {
    private static final Ppo PPO = Ppo.usual("TicTacToe-v0")
            .environments(EnvironmentSettings.of(2))
            .rollout(8)
            .minibatch(16)
            .epochs(1)
            .hidden(List.of(8))
            .totalSteps(16 * 12);
    private static final SelfPlay PLAY =
            SelfPlay.usual(PPO).opponents(2).freezeEvery(2).ratingGames(2);

    @Test
    void onlyAFreezeWritesAnOpponent() {
        Writes writes = PLAY.setup().check();
        assertThat(writes.paths("update")).allMatch(path -> !path.text().startsWith("opponents/"));
        assertThat(writes.paths("freeze-1"))
                .isNotEmpty()
                .allMatch(path -> path.text().startsWith("opponents/1/actor/"));
        assertThat(writes.paths("collect")).isEmpty();
        assertThat(writes.paths("rate")).isEmpty();
    }

    /** A turn that trains an opponent by mistake is refused, naming the parameter and both turns. */
    @Test
    void anOpponentIsNotTrained() {
        Setup setup = PLAY.setup();
        Program opponent = setup.networks().programs().stream()
                .filter(program -> program.name().equals("opponent-1"))
                .findFirst()
                .orElseThrow();
        Program train = Program.compile(
                        "train",
                        Mode.TRAIN,
                        Loss.of(Operators.mean(opponent.targets().get(0))))
                .reading("actor/**", "opponents/1/actor/**");
        Turn mistake = Turn.of("train", train).updates("opponents/1/actor/**", Optimizers.adam(1e-3));
        List<Turn> turns = new ArrayList<>(setup.turnsByName().values());
        turns.add(mistake);
        assertThatThrownBy(() -> Writes.of(turns, setup.declarations()))
                .hasMessageContaining("opponents/1/actor")
                .hasMessageContaining("train")
                .hasMessageContaining("freeze-1");
    }

    /** Freezes come in rounds 1, 3, 5, …: the last of 12 rounds is of round 11 and the one before of 9, both of other policies. */
    @Test
    void theCopiesAreOfFormerPolicies() {
        Setup setup = PLAY.setup();
        try (Parameters parameters = setup.initialise(5);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            String weights = "actor/out/weight";
            assertThat(parameters.tensor("opponents/0/" + weights)).isEqualTo(parameters.tensor(weights));
            scheduler.run(Budget.rounds(1));
            assertThat(parameters.tensor("opponents/0/" + weights)).isEqualTo(parameters.tensor(weights));
            assertThat(parameters.tensor("opponents/1/" + weights)).isNotEqualTo(parameters.tensor(weights));
            Tensor first = parameters.tensor(weights);
            scheduler.run(Budget.rounds(3));
            assertThat(parameters.tensor("opponents/0/" + weights)).isEqualTo(first);
            assertThat(parameters.tensor("opponents/1/" + weights)).isEqualTo(parameters.tensor(weights));
        }
    }

    /** The policy of several agents reads its own numbers alone, also where the critic sees those of all. */
    @Test
    void theCriticAloneSeesWhatAllObserve() {
        MultiAgentPpo joint = MultiAgentPpo.usual(PPO.environment("Pursuit-v0"));
        MultiAgentPpo own = joint.critic(MultiAgentPpo.Critic.OWN);
        assertThat(inputs(joint, "actor")).isEqualTo(inputs(own, "actor")).isEqualTo(75 + 4);
        assertThat(inputs(own, "critic")).isEqualTo(75 + 4);
        assertThat(inputs(joint, "critic")).isEqualTo(75 + 4 + 4 * 75);
    }

    private static int inputs(MultiAgentPpo of, String module) {
        return of.setup().declarations().stream()
                .filter(each -> each.path().text().equals(module + "/hidden0/weight"))
                .mapToInt(each -> each.shape().get(1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() ->
                        MultiAgentPpo.usual(PPO.environment("CartPole-v1")).setup())
                .hasMessageContaining(
                        "agent.environment must be one of several agents, such as TicTacToe-v0 or Pursuit-v0");
        assertThatThrownBy(() -> SelfPlay.usual(PPO.environment("CartPole-v1")).setup())
                .hasMessageContaining("agent.environment must be one of several agents")
                .hasMessageContaining("was CartPole-v1");
        assertThatThrownBy(() -> SelfPlay.usual(PPO.environment("Pursuit-v0")).setup())
                .hasMessage(
                        "agent.environment must be a game of two agents, such as TicTacToe-v0, was Pursuit-v0 of 4");
        assertThatThrownBy(() -> SelfPlay.usual(PPO.memory(new LstmMemory(4))).setup())
                .hasMessageContaining("agent.memory must be none");
        assertThatThrownBy(() -> SelfPlay.usual(PPO.environments(new EnvironmentSettings(2, true, false, true)))
                        .setup())
                .hasMessageContaining("agent.environments.normalise_observations must be false");
        assertThatThrownBy(() -> PLAY.opponents(7).setup())
                .hasMessage("opponents must be at most 6, was 7: 12 rounds freeze one every 2; lower opponents or"
                        + " freeze_every, or raise agent.total_steps");
        EnvironmentSettings uneven =
                EnvironmentSettings.of(2).options(Map.of("payoffs", "1,-1 2,-2 3,-3; 0,0 1,-1 2,-2"));
        assertThatThrownBy(() -> SelfPlay.usual(PPO.environment("MatrixGame-v0").environments(uneven))
                        .setup())
                .hasMessageStartingWith("MatrixGame-v0: agents that share a policy must observe alike, ");
        Ppo pursuit = PPO.environment("Pursuit-v0");
        assertThat(MultiAgentPpo.usual(pursuit.minibatch(64)).setup().turnsByName())
                .hasSize(2); // 8 steps × 2 games × 4 agents
        assertThatThrownBy(() -> MultiAgentPpo.usual(pursuit.minibatch(24)).setup())
                .hasMessage("minibatch must divide the rows of a rollout, 64 (rollout 8 × environments.count 2 × 4"
                        + " agents), was 24");
        assertThatThrownBy(() -> MultiAgentPpo.usual(
                                pursuit.environments(EnvironmentSettings.of(2).limit(20)))
                        .setup())
                .hasMessage("agent.environments.limit must be 0, was 20: agents play the game as it is");
        assertThatThrownBy(() -> MultiAgentPpo.usual(pursuit.environments(
                                EnvironmentSettings.of(2).wrappers(List.of(new Wrapper.FrameStack(2)))))
                        .setup())
                .hasMessageStartingWith("agent.environments.wrappers must be empty, were [");
    }

    /** A game of two that nobody ends; each step costs a tenth. */
    private static final class Endless implements MultiAgentEnvironment {
        @Override
        public String name() {
            return "Endless-v0";
        }

        @Override
        public List<String> agents() {
            return List.of("one", "other");
        }

        @Override
        public Space observations(int agent) {
            return new Box(new float[] {0}, new float[] {1});
        }

        @Override
        public Space actions(int agent) {
            return new Discrete(2);
        }

        @Override
        public void reset(Pcg64 random) {}

        @Override
        public boolean acts(int agent) {
            return true;
        }

        @Override
        public void step(float[][] actions, Pcg64 random) {}

        @Override
        public void observe(int agent, float[] into, int at) {
            into[at] = 0;
        }

        @Override
        public double reward(int agent) {
            return -0.1;
        }

        @Override
        public boolean terminated() {
            return false;
        }

        @Override
        public String text() {
            return name();
        }

        @Override
        public State save() {
            return State.empty();
        }

        @Override
        public void restore(State state) {}
    }

    @Test
    void agentsAreEvaluatedBySampledActionsToo() {
        Setup setup = MultiAgentPpo.usual(PPO.environment("Pursuit-v0")).setup();
        try (Parameters parameters = setup.initialise(7)) {
            Evaluation best = setup.evaluation().orElseThrow().over(10);
            assertThat(best.sampled().scores(parameters))
                    .isEqualTo(best.sampled().scores(parameters))
                    .isNotEqualTo(best.scores(parameters))
                    .containsEntry("episodes", 10.0);
        }
    }

    @Test
    void aFilmOfSeveralAgentsShowsHowAnEpisodeEnds() {
        EnvironmentSettings three = EnvironmentSettings.of(2).options(Map.of("max_cycles", "3"));
        Setup setup = MultiAgentPpo.usual(PPO.environment("MatrixGame-v0").environments(three))
                .setup();
        List<BufferedImage> frames = new ArrayList<>();
        try (Parameters parameters = setup.initialise(7)) {
            setup.film().orElseThrow().play(parameters, 1, 2, frames::add);
        }
        assertThat(frames).hasSize(2 * (1 + 3));
    }

    @Test
    void aGameThatDoesNotEndCountsWithItsReturnSoFar() {
        Policy policy = ((AgentReturns) MultiAgentPpo.usual(PPO.environment("Pursuit-v0"))
                        .setup()
                        .evaluation()
                        .orElseThrow())
                .policy();
        AgentReturns returns = AgentReturns.of(count -> new AgentVector(Endless::new, count, false), policy, policy, 2);
        assertThat(returns.references(1).get(0).scores())
                .containsEntry("episodes_cut_off", 2.0)
                .containsEntry("episode_length", 10_000.0)
                .hasEntrySatisfying("return_mean", mean -> assertThat(mean).isCloseTo(-1000, within(1e-6)));
    }
}
