package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.actors.CartPoleBalancer;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.envs.EpisodicEnvironment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.gymnasium.PythonSettings;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.losses.CategoricalReturn;
import hocket.rl.networks.GruMemory;
import hocket.rl.networks.Memory;
import hocket.rl.replay.Demonstrations;
import hocket.rl.returns.RewardToGo;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.LossSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.RateDecay;
import hocket.rl.settings.RateSettings;
import hocket.rl.settings.TaskSettings;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Definition;
import hocket.schedulers.Event;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that do not go together, or are outside their bounds, are refused before anything is trained. */
class SettingsTest {
    private static final EnvironmentSettings NORMALISED = new EnvironmentSettings(2, true, false, true);
    private static final EnvironmentSettings SCALED = new EnvironmentSettings(2, false, true, true);
    private static final String BALANCER = CartPoleBalancer.class.getName();

    @Test
    void aReplayThatHoldsLessThanIsTakenFromItIsRefused() {
        Dqn dqn = Dqn.usual("CartPole-v1");
        assertRefused(() -> dqn.replay(16).setup(), "replay must be at least batch, were 16 and 32");
        assertRefused(() -> dqn.replay(4).batch(2).nSteps(5).setup(), "replay must be at least n_steps, were 4 and 5");
        assertRefused(
                () -> Sac.usual("Pendulum-v1").replay(100).setup(), "replay must be at least batch, were 100 and 256");
        assertRefused(
                () -> Td3.usual("Pendulum-v1").replay(100).setup(), "replay must be at least batch, were 100 and 256");
    }

    private static void assertRefused(ThrowingCallable made, String message) {
        assertThatThrownBy(made).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void valuesOutOfRangeAreRefusedInJavaAsInFiles() {
        Ppo ppo = Ppo.usual("CartPole-v1");
        assertRefused(() -> ppo.gamma(1.5), "gamma must be 0 to 1, was 1.5");
        assertRefused(() -> ppo.gamma(Double.NaN), "gamma must be 0 to 1, was NaN");
        assertRefused(() -> ppo.minibatch(0), "minibatch must be 1 to 10000000, was 0");
        assertRefused(() -> ppo.hidden(List.of(64, 0)), "hidden[1] must be 1 to 100000, was 0");
        assertRefused(
                () -> ppo.environments(EnvironmentSettings.of(0)), "environments.count must be 1 to 100000, was 0");
        assertRefused(() -> Dqn.usual("CartPole-v1").totalSteps(0), "total_steps must be 1 to 1000000000000, was 0");
        assertRefused(
                () -> Gail.usual(wrong(ppo), BALANCER).setup(),
                "agent.entropy_coefficient must be 0 to 1000000000, was -1.0");
    }

    /** Made without a copy, which would refuse it. */
    private static Ppo wrong(Ppo usual) {
        return new Ppo(
                usual.task(),
                usual.batches(),
                usual.gradients(),
                usual.returns(),
                usual.adamEpsilon(),
                usual.clipRange(),
                usual.clipRangeDecay(),
                usual.targetKl(),
                usual.valueClip(),
                usual.valueLoss(),
                new LossSettings(usual.valueCoefficient(), -1),
                usual.policy(),
                usual.network());
    }

    @Test
    void aRecordMadeByItsConstructorIsCheckedWhenItIsBuilt() {
        Ppo wrong = wrong(Ppo.usual("CartPole-v1"));
        assertRefused(wrong::setup, "entropy_coefficient must be 0 to 1000000000, was -1.0");
        EnvironmentSettings none = EnvironmentSettings.of(0);
        NetworkSettings network = Ppo.usual("CartPole-v1").network();
        RateSettings rates = new RateSettings(1e-3, RateDecay.NONE);
        var cloning = new BehaviourCloning("CartPole-v1", BALANCER, 1, 0, 1, 0, rates, network, true);
        assertRefused(cloning::setup, "batch must be 1 to 1000000, was 0");
        var reinforce =
                new Reinforce(new TaskSettings("CartPole-v1", none, 1), 1, rates, 1, RewardToGo.Baseline.NONE, network);
        assertRefused(reinforce::setup, "environments.count must be 1 to 100000, was 0");
    }

    @Test
    void ratesDecayOverTheWholeRun() {
        Path none = Path.of("gone.npz"); // is read when the run begins
        Map<Setup, String> lengths = Map.of(
                Reinforce.usual("CartPole-v1")
                        .rollout(500)
                        .totalSteps(1500)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "3 rounds",
                BehaviourCloning.usual("CartPole-v1", BALANCER)
                        .epochs(7)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "7 epochs",
                OfflineCloning.usual("CartPole-v1", none)
                        .updates(8)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "8 rounds",
                DiscreteCql.usual("CartPole-v1", none)
                        .updates(9)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "9 rounds",
                Iql.usual("Pendulum-v1", none)
                        .updates(10)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "10 rounds",
                Cql.usual("Pendulum-v1", none)
                        .updates(11)
                        .rateDecay(RateDecay.LINEAR)
                        .setup(),
                "11 rounds");
        lengths.forEach((setup, length) -> assertThat(setup.descending())
                .isNotEmpty()
                .flatExtracting(turn -> turn.updates())
                .allSatisfy(update -> assertThat(((Adam) update.rule()).rate().describe())
                        .endsWith(", decaying to 0 over " + length)));
    }

    @Test
    void aMemoryLearnsFromWholeRollouts() {
        Ppo remembering = Ppo.usual("CartPole-v1").memory(new GruMemory(4)).rollout(32);
        assertRefused(
                remembering.minibatch(16)::setup,
                "minibatch must be a multiple of rollout with a memory, which learns from whole rollouts of an"
                        + " environment, was 16 with rollout 32");
        assertRefused(
                Gail.usual(remembering.minibatch(32), BALANCER)::setup,
                "agent.memory must be none, was GruMemory[units=4]: the discriminator judges single steps");
    }

    @Test
    void layersAreSharedWhereBothReadTheSameAndRememberNothing() {
        Ppo shared = Ppo.usual("CartPole-v1").sharedLayers(true);
        assertRefused(
                shared.memory(new GruMemory(4)).rollout(64)::setup,
                "shared_layers must be false where there is a memory, and memory was GruMemory[units=4]");
        assertRefused(
                shared.onlyCriticSees(List.of(1))::setup,
                "shared_layers must be false where only_critic_sees is not empty, was [1]: the shared layers would show"
                        + " these numbers to the policy");
        assertRefused(
                A2c.usual("CartPole-v1").sharedLayers(true).hidden(List.of())::setup,
                "shared_layers must be false where hidden is [] and the encoder flat: there is no layer to share");
        assertThat(MultiAgentPpo.usual(shared.environment("Pursuit-v0")
                                .environments(EnvironmentSettings.of(4))
                                .rollout(16))
                        .critic(MultiAgentPpo.Critic.OWN)
                        .setup())
                .isNotNull();
        assertRefused(
                MultiAgentPpo.usual(shared.environment("Pursuit-v0"))::setup,
                "agent.shared_layers must be false where critic is joint: the shared layers would show the observations"
                        + " of others to the policy");
    }

    @Test
    void onlyNumbersThatAreThereAreObserved() {
        assertRefused(
                () -> Ppo.usual("CartPole-v1")
                        .environments(EnvironmentSettings.of(1).wrappers(List.of(new Wrapper.Observed(List.of(0, 4)))))
                        .setup(),
                "CartPole-v1: observed numbers must be different ones of 0 to 3, were [0, 4]");
    }

    @Test
    void trajectoriesAreThoseOfWholeActors() {
        Impala impala = Impala.usual("CartPole-v1").environments(EnvironmentSettings.of(3));
        assertRefused(impala::setup, "trajectories must be a multiple of environments.count, 3, was 8");
        assertRefused(
                () -> impala.environments(NORMALISED).setup(),
                "environments.normalise_observations must be false for IMPALA, was true: each actor would normalise by what it"
                        + " alone has seen");
        assertRefused(
                () -> impala.unroll(1_000_000).trajectories(3000).setup(),
                "unroll times trajectories must be at most 2147483647, was 1000000 × 3000");
    }

    @Test
    void aMinibatchMustDivideTheRollout() {
        Ppo ppo = Ppo.usual("CartPole-v1").rollout(32).environments(EnvironmentSettings.of(2));
        String rows = "minibatch must divide the rows of a rollout, 64 (rollout 32 × environments.count 2), was ";
        assertRefused(() -> ppo.minibatch(48).setup(), rows + 48);
        assertRefused(() -> ppo.minibatch(128).setup(), rows + 128);
        assertRefused(() -> Gail.usual(ppo.minibatch(48), BALANCER).setup(), rows + 48);
    }

    @Test
    void rolloutsAndRoundsTooLargeToCountAreRefused() {
        EnvironmentSettings many = EnvironmentSettings.of(100_000);
        assertRefused(
                () -> Ppo.usual("CartPole-v1")
                        .rollout(100_000)
                        .environments(many)
                        .setup(),
                "rollout times environments.count must be at most 2147483647, was 100000 × 100000");
        assertRefused(
                () -> A2c.usual("CartPole-v1")
                        .rollout(100_000)
                        .environments(many)
                        .setup(),
                "rollout times environments.count must be at most 2147483647, was 100000 × 100000");
        assertRefused(
                () -> Ppo.usual("CartPole-v1")
                        .rollout(1_000_000)
                        .minibatch(1)
                        .epochs(10_000)
                        .setup(),
                "epochs times the minibatches of a rollout must be at most 2147483647, was 10000 × 1000000");
    }

    @Test
    void imitationOfRawDemonstrationsDoesNotNormaliseObservations() {
        Ppo agent = Ppo.usual("CartPole-v1").environments(NORMALISED);
        assertThatThrownBy(() -> Gail.usual(agent, BALANCER).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent.environments.normalise_observations must be false, was true")
                .hasMessageContaining("demonstrations");
        assertRefused(
                () -> Gail.usual(Ppo.usual("CartPole-v1").environments(SCALED), BALANCER)
                        .setup(),
                "agent.environments.normalise_rewards must be false, was true: the discriminator rewards the agent, and the"
                        + " environment's rewards are only counted");
        EnvironmentSettings one = EnvironmentSettings.of(1);
        for (EnvironmentSettings changed : List.of(one.rewardScale(0.5), one.rewardClip(2))) {
            assertRefused(
                    () -> Gail.usual(Ppo.usual("CartPole-v1").environments(changed), BALANCER)
                            .setup(),
                    "agent.environments.reward_scale and agent.environments.reward_clip must be 1 and 0, were "
                            + changed.rewardScale()
                            + " and " + changed.rewardClip() + ": the discriminator rewards the agent, and the"
                            + " environment's rewards are only counted");
        }
    }

    @Test
    void anEpisodeMustFitIntoARolloutOfReinforce() {
        Reinforce reinforce = Reinforce.usual("CartPole-v1");
        assertRefused(
                () -> reinforce.rollout(499).begin(1, 1),
                "rollout must be at least as long as an episode can be, 500 steps, was 499: long episodes would be left"
                        + " out more often than short ones; environments.limit shortens episodes");
        reinforce
                .rollout(499)
                .environments(EnvironmentSettings.of(1).limit(499))
                .begin(1, 1)
                .close();
        Setup setup = reinforce.rollout(499).setup(); // what was trained so before this rule can be judged
        try (Parameters parameters = setup.initialise(1);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            assertThatThrownBy(scheduler::proceed).hasStackTraceContaining("rollout must be at least as long");
        }
        assertRefused(
                () -> Reinforce.usual("CliffWalking-v1").begin(1, 1),
                "environments.limit must be given for REINFORCE in CliffWalking-v1, whose episodes have no limit: only an"
                        + " episode that is sure to end in its rollout counts");
    }

    @ParameterizedTest
    @CsvSource({"600, 16", "6, 4", "7, 4", "9, 8", "513, 256"})
    void theTargetIsRenewedAtEachMultipleOfItsStepsAsIfInsideOfACollect(long every, int collect) {
        Dqn dqn = Dqn.usual("CartPole-v1")
                .learningStarts(1)
                .replay(100)
                .batch(1)
                .hidden(List.of(2))
                .collect(collect)
                .targetEvery(every)
                .totalSteps(1 + 5 * every - collect);
        Setup setup = dqn.setup();
        List<Long> renewed = new ArrayList<>();
        long[] steps = new long[1];
        try (Parameters parameters = setup.initialise(5);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.ring(new Ring() {
                @Override
                public void heard(Run run, Event event) {
                    if (event instanceof Event.Acted acted) {
                        steps[0] = (long) acted.metrics().get("steps") - 1; // less that of chance
                    } else if (event instanceof Event.Followed) {
                        renewed.add(steps[0]);
                    }
                }
            });
            scheduler.run();
        }
        assertThat(renewed).hasSize(5).first().isEqualTo(0L);
        for (int k = 1; k < renewed.size(); k++) {
            // the collect that comes next goes beyond the multiple, or begins at it
            assertThat(renewed.get(k)).isGreaterThan(k * every - collect).isLessThanOrEqualTo(k * every);
        }
        assertThat(steps[0]).isGreaterThan(5 * every - collect).isLessThanOrEqualTo(5 * every);
    }

    @Test
    void theMessageExplainsTheStepsOfRounds() {
        assertThat(notes(Ppo.usual("CartPole-v1").totalSteps(5000)))
                .containsExactly("total_steps: 6,144 in place of 5,000, since rounds are whole");
        assertThat(notes(Ppo.usual("CartPole-v1").totalSteps(4096))).isEmpty();
        assertThat(notes(Dqn.usual("CartPole-v1")
                        .environments(EnvironmentSettings.of(3))
                        .learningStarts(100)
                        .totalSteps(1000)))
                .containsExactly(
                        "total_steps: 1,002 in place of 1,000, since rounds are whole",
                        "learning_starts: 102 in place of 100, since 3 environments step together");
    }

    private static List<String> notes(Definition definition) {
        return definition.setup().feeds().get(0).source().notes();
    }

    @Test
    void optionsThatDoNotFitAnEnvironmentAreRefused() {
        EnvironmentSettings one = EnvironmentSettings.of(1);
        Sac sac = Sac.usual("Pendulum-v1");
        assertRefused(
                () -> sac.environments(one.options(Map.of("gravity", "9.81"))).setup(),
                "environments.options: Pendulum-v1: it has no option gravity; there is: g, max_episode_steps");
        assertRefused(
                () -> sac.environments(one.options(Map.of("g", "high"))).setup(),
                "environments.options: Pendulum-v1: g must be a number, was high");
        assertRefused(
                () -> sac.environments(one.limit(100).options(Map.of("max_episode_steps", "50")))
                        .setup(),
                "environments.limit and environments.options.max_episode_steps are the same setting: only one can be given, were 100"
                        + " and 50");
        assertRefused(
                () -> Reinforce.usual("Hall")
                        .environments(one.options(Map.of("length", "3")))
                        .setup(Hall::limited),
                "environments.options must be empty, were {length=3}: only environments that are named take options, such as"
                        + " Pendulum-v1");
        assertRefused(
                () -> sac.environments(one.python(PythonSettings.usual().restarts(3)))
                        .setup(),
                "environments.python must be left out, was restarts 3: it is of environments in"
                        + " Python, such as gym:Hopper-v5");
        assertRefused(
                () -> sac.environments(one.normaliseRewards(true).rewardScale(0.1))
                        .setup(),
                "environments.reward_scale and environments.reward_clip must be 1 and 0 where environments.normalise_rewards is true, were"
                        + " 0.1 and 0.0: normalised rewards have a scale of their own, and are clipped at 10");
        assertRefused(() -> new Wrapper.ActionRepeat(0), "actionRepeat: must be at least 1, was 0");
        assertRefused(() -> new Wrapper.FrameStack(0), "frameStack: must be at least 1, was 0");
    }

    @Test
    void randomStepsMustLeaveStepsToLearnFrom() {
        String rule = "learning_starts must be less than total_steps, were ";
        assertRefused(() -> Dqn.usual("CartPole-v1").totalSteps(100).setup(), rule + "100 and 100");
        assertRefused(() -> Sac.usual("Pendulum-v1").learningStarts(30_000).setup(), rule + "30000 and 20000");
        assertRefused(() -> Td3.usual("Pendulum-v1").totalSteps(7).setup(), rule + "100 and 7");
    }

    @Test
    void unboundedActionsAreRefusedWhereAPolicyIsStretchedToTheBounds() {
        Supplier<Environment> unbounded = () -> new ForwardingEnvironment(Environments.make("Pendulum-v1")) {
            @Override
            public Space actions() {
                return Box.symmetric(Float.POSITIVE_INFINITY);
            }
        };
        String space = " needs actions in a box with finite bounds, these are "
                + unbounded.get().actions();
        assertRefused(() -> Sac.usual("Pendulum-v1").setup(unbounded), "environment: SAC" + space);
        assertRefused(() -> Td3.usual("Pendulum-v1").setup(unbounded), "environment: a deterministic policy" + space);
        assertRefused(() -> Ddpg.usual("Pendulum-v1").setup(unbounded), "environment: a deterministic policy" + space);
        assertThat(space).contains("Infinity");
    }

    @Test
    void discreteSacNeedsActionsThatAreAllAllowed() {
        assertRefused(
                () -> DiscreteSac.usual("Taxi-v4").setup(),
                "environment: discrete SAC needs actions that are all allowed, these have a mask, which DQN, Rainbow and"
                        + " PPO read; environments.wrappers [unmasked] hides it");
        assertRefused(
                () -> DiscreteSac.usual("Pendulum-v1").setup(),
                "environment: discrete SAC needs discrete actions, these are "
                        + Environments.make("Pendulum-v1").actions());
    }

    @Test
    void aWorldModelNeedsActionsThatAreAllAllowedAndWholeSequences() {
        assertRefused(
                () -> Dreamer.usual("Taxi-v4").setup(),
                "environment: Dreamer needs actions that are all allowed, these have a mask, which DQN, Rainbow and PPO"
                        + " read; environments.wrappers [unmasked] hides it");
        assertRefused(
                () -> Dreamer.usual("CartPole-v1").batch(100).setup(),
                "batch must be a multiple of sequence, were 100 and 16");
        assertRefused(
                () -> Dreamer.usual("CartPole-v1").largestSymlog(30).setup(),
                "largest_symlog must be 1 to 20, was 30.0");
    }

    @Test
    void aSearchComparesReturnsAsTheyAre() {
        CrossEntropy usual = CrossEntropy.usual("CartPole-v1");
        assertRefused(
                () -> usual.environments(EnvironmentSettings.of(2)).setup(),
                "environments.count must be 1, was 2: episodes says how many are stepped together");
        assertRefused(
                () -> usual.environments(new EnvironmentSettings(1, true, false, true))
                        .setup(),
                "environments.normalise_observations must be false for a search, was true: candidates would see other numbers");
        assertRefused(
                () -> usual.environments(EnvironmentSettings.of(1).rewardScale(0.1))
                        .setup(),
                "environments.reward_scale and environments.reward_clip must be 1 and 0, were 0.1 and 0.0: a search compares"
                        + " returns as they are");
        assertRefused(
                () -> usual.eliteShare(0.009).setup(),
                "elite_share of population must be at least two candidates, were 0.009 and 50");
        assertRefused(
                () -> EvolutionStrategies.usual("CartPole-v1").population(5).setup(),
                "population must be even, since candidates are pairs, was 5");
    }

    @Test
    void aTableIsNotDueling() {
        Dqn table = Dqn.usual("FrozenLake-v1").hidden(List.of()).dueling(true);
        assertRefused(table::setup, "dueling must be false without hidden layers, was true with hidden []");
    }

    @Test
    void rainbowNeedsExplorationAndAtomsInOrder() {
        assertRefused(
                () -> Rainbow.usual("CartPole-v1").sigma(0).setup(),
                "sigma, epsilon_from or epsilon_to must be above 0, or nothing explores; all were 0");
        assertRefused(
                () -> QrDqn.usual("CartPole-v1").epsilonFrom(0).epsilonTo(0).setup(),
                "epsilon_from or epsilon_to must be above 0, or nothing explores; both were 0");
        assertThat(Rainbow.usual("CartPole-v1")
                        .sigma(0)
                        .epsilonFrom(1)
                        .replay(64)
                        .setup())
                .isNotNull();
        assertRefused(() -> new CategoricalReturn(51, 10, -10), "low must be below high, were 10.0 and -10.0");
    }

    @Test
    void sequencesMustBeWholeAndThereWhenLearningBegins() {
        R2d2 usual = R2d2.usual("CartPole-v1");
        assertThat(usual.setup()).isNotNull();
        assertRefused(
                () -> usual.memory(Memory.none()).setup(),
                "memory must have a state, was none; Dqn learns without one");
        assertRefused(() -> usual.batch(100).setup(), "batch must be a multiple of sequence, were 100 and 16");
        assertRefused(
                () -> usual.learningStarts(10).collect(5).setup(),
                "learning_starts must let each environment take the 25 steps of a sequence (burn_in, sequence and n_steps)"
                        + " before the first update, it takes 15");
        assertRefused(
                () -> usual.nSteps(500).setup(),
                "n_steps must be less than the 500 steps after which an episode is truncated, was 500: the last n_steps are"
                        + " not learnt");
        assertRefused(
                () -> usual.environment("Pendulum-v1").setup(),
                "environment: Q-learning needs discrete actions, these are Box(1) of [-2.0] to [2.0]");
    }

    @Test
    void aShortRunOfDqnEndsWhereItWasAskedTo() {
        // 10,000 steps until the target is renewed are more than there are
        assertThat(steps(Dqn.usual("CartPole-v1")
                        .hidden(List.of(8))
                        .totalSteps(1000)
                        .setup()))
                .isBetween(1000.0, 1003.0);
    }

    private static double steps(Setup algorithm) {
        double[] steps = new double[1];
        try (var parameters = algorithm.initialise(1);
                var scheduler = algorithm.schedule(parameters, 1)) {
            scheduler.listen(event -> {
                if (event instanceof Event.Acted acted) {
                    steps[0] = acted.metrics().get("steps");
                }
            });
            scheduler.run();
        }
        return steps[0];
    }

    @Test
    void anNStepReturnThatIsLongerThanTheFirstCollectionIsRefused() {
        Rainbow rainbow = Rainbow.usual("CartPole-v1")
                .environments(EnvironmentSettings.of(64))
                .learningStarts(100)
                .collect(1)
                .nSteps(5);
        assertThatThrownBy(rainbow::setup)
                .hasMessage(
                        "learning_starts must let each of the 64 environments take n_steps 5 before the first update,"
                                + " it takes 3: learning_starts of 256 does");
        assertThat(rainbow.learningStarts(256).setup().phases()).hasSize(1);
    }

    @Test
    void aTableOfSeveralAxesReadsAllNumbers() {
        Dqn table = Dqn.usual("FrozenLake-v1")
                .hidden(List.of())
                .environments(EnvironmentSettings.of(1).wrappers(List.of(new Wrapper.FrameStack(2))));
        try (var parameters = table.setup().initialise(1)) {
            assertThat(parameters.tensor("q/table/weight").shape()).isEqualTo(Shape.of(4, 32));
        }
    }

    @Test
    void severalWholeNumbersAreOneHotEncoded() {
        Supplier<Environment> blackjack = EnvironmentSettings.named("Blackjack-v1");
        assertThat(EnvironmentSettings.of(1).open(blackjack, 1).observationSpace())
                .isEqualTo(Box.of(32 + 11 + 2, 0, 1).whole());
    }

    @Test
    void environmentsMadeInJavaAreObservedAsNamedOnes() {
        Dqn table = Dqn.usual("FrozenLake-v1")
                .hidden(List.of())
                .learningStarts(20)
                .batch(8)
                .totalSteps(100);
        Supplier<Environment> lake = () -> Environments.make("FrozenLake-v1");
        assertThat(Training.whole(table.setup(lake), 1)).isEqualTo(Training.whole(table.setup(), 1));
        try (var parameters = table.setup(lake).initialise(1)) {
            assertThat(table.setup(lake).evaluation().orElseThrow().over(2).scores(parameters))
                    .isEqualTo(table.setup().evaluation().orElseThrow().over(2).scores(parameters));
        }
    }

    @Test
    void anotherNameThanThatOfTheEnvironmentIsRefused() {
        String rule = "environment must be the name of the environment that is given, Hall, was Lyft";
        assertRefused(() -> Ppo.usual("Lyft").setup(Hall::limited), rule);
        assertRefused(() -> A2c.usual("Lyft").setup(Hall::limited), rule);
        assertRefused(() -> Dqn.usual("Lyft").setup(Hall::limited), rule);
        assertRefused(() -> Sac.usual("Lyft").setup(Hall::limited), rule);
        assertRefused(() -> Td3.usual("Lyft").setup(Hall::limited), rule);
        assertRefused(() -> Reinforce.usual("Lyft").setup(Hall::limited), rule);
        Demonstrations right = Demonstrations.of(Hall::limited, (seen, random, action) -> action[0] = 1, 1, 1);
        assertRefused(() -> BehaviourCloning.usual("Lyft", BALANCER).setup(Hall::limited, right), rule);
        assertRefused(() -> Gail.usual(Ppo.usual("Lyft"), BALANCER).setup(Hall::limited, right), "agent." + rule);
        Supplier<Environment> slippery = () -> Environments.make("CliffWalkingSlippery-v1");
        assertThat(Dqn.usual("CliffWalkingSlippery-v1").setup(slippery)).isNotNull();
        assertThat(Ppo.usual(Hall.class.getName()).setup(Hall::limited)).isNotNull();
    }

    /** A picture of many numbers. */
    private static final class Wide extends EpisodicEnvironment {
        static int steps;

        Wide() {
            super("Wide", Box.of(100_000, 0, 1), new Discrete(2));
        }

        @Override
        protected void begin() {
            // always alike
        }

        @Override
        protected void act(float[] action, int at) {
            steps++;
            outcome(0, true);
        }

        @Override
        public void observe(float[] into, int at) {
            Arrays.fill(into, at, at + 100_000, 0);
        }

        @Override
        protected State saveOwnState() {
            return State.empty();
        }

        @Override
        protected void restoreOwnState(State state) {
            // nothing to go back to
        }
    }

    @Test
    void aReplayTooLargeForThisMachineIsRefusedBeforeTheFirstStepAndMayBeEvaluated() {
        Dqn dqn = Dqn.usual("Wide").hidden(List.of(2)).totalSteps(10_000_000);
        Definition definition = () -> dqn.setup(Wide::new);
        try (LiveRun run = definition.begin(1, 1)) {
            assertThatThrownBy(run::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "replay: 1,000,000 rows of 800,012 bytes each would need 800,012 MB, and the JVM"
                                    + " has ");
            assertThat(Wide.steps).isZero();
            assertThat(run.setup().evaluation().orElseThrow().over(1).scores(run.parameters())) // fills no replay
                    .containsEntry("return_mean", 0.0);
        }
    }
}
