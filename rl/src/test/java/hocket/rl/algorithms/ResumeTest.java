package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.actors.CartPoleBalancer;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.losses.CategoricalReturn;
import hocket.rl.losses.ExpectedReturn;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.AttentionMemory;
import hocket.rl.networks.GruMemory;
import hocket.rl.networks.LstmMemory;
import hocket.rl.sampling.PrioritisedSampler;
import hocket.rl.sampling.Sampler;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.RateDecay;
import hocket.schedulers.Definition;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResumeTest {
    private static final List<Integer> SMALL = List.of(8);
    private static final EnvironmentSettings TWO = EnvironmentSettings.of(2);
    private static final Ppo PPO = Ppo.usual("CartPole-v1")
            .environments(new EnvironmentSettings(2, true, true, true))
            .rollout(20)
            .minibatch(20)
            .epochs(2)
            .hidden(SMALL)
            .totalSteps(9 * 40);

    private static final Impala IMPALA = Impala.usual("CartPole-v1")
            .environments(TWO)
            .unroll(5)
            .trajectories(4)
            .hidden(SMALL);

    private static final Rainbow RAINBOW = Rainbow.usual("CartPole-v1")
            .distribution(new CategoricalReturn(7, 0, 20))
            .environments(TWO)
            .hidden(SMALL)
            .replay(64)
            .learningStarts(20)
            .batch(8)
            .targetEvery(16)
            .totalSteps(20 + 9 * 16);

    private static final R2d2 R2D2 = R2d2.usual("CartPole-v1")
            .memory(new LstmMemory(4))
            .hidden(SMALL)
            .nSteps(2)
            .replay(64)
            .learningStarts(24)
            .collect(6)
            .batch(8)
            .sequence(4)
            .burnIn(3)
            .targetEvery(18)
            .updates(2)
            .totalSteps(24 + 9 * 18);

    private static final Dreamer DREAMER = Dreamer.usual("CartPole-v1")
            .environments(TWO)
            .memoryUnits(6)
            .choices(2)
            .classes(3)
            .bins(5)
            .horizon(3)
            .hidden(SMALL)
            .replay(64)
            .learningStarts(20)
            .collect(3)
            .sequence(4)
            .batch(8)
            .totalSteps(20 + 9 * 6);

    static Stream<Arguments> algorithms() {
        String balancer = CartPoleBalancer.class.getName();
        return Stream.of(
                Arguments.of("ppo", PPO),
                Arguments.of("ppo, to a target KL", PPO.minibatch(10).rate(1e-2).targetKl(1e-3)),
                Arguments.of(
                        "a2c",
                        A2c.usual("CartPole-v1").environments(TWO).hidden(SMALL).totalSteps(9 * 10)),
                Arguments.of(
                        "ppo of normalised values",
                        PPO.normaliseValues(true).valueLoss(ValueLoss.MAPPO).valueClip(0.2)),
                Arguments.of(
                        "ppo with a memory, of normalised values",
                        PPO.memory(new LstmMemory(4)).normaliseValues(true)),
                Arguments.of(
                        "ppo with a memory",
                        PPO.memory(new LstmMemory(4)).minibatch(20).totalSteps(9 * 40)),
                Arguments.of(
                        "ppo with attention to its past",
                        PPO.memory(new AttentionMemory(3, 4, 2)).minibatch(20).totalSteps(9 * 40)),
                Arguments.of(
                        "ppo among allowed actions", PPO.environment("Taxi-v4").environments(TWO)),
                Arguments.of(
                        "ppo among allowed actions with a memory",
                        PPO.environment("Taxi-v4").environments(TWO).memory(new GruMemory(4))),
                Arguments.of(
                        "dqn among allowed actions",
                        Dqn.usual("Taxi-v4")
                                .environments(TWO)
                                .doubleQ(true)
                                .nSteps(3)
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .collect(1)
                                .targetEvery(6)
                                .totalSteps(50 + 9 * 6)),
                Arguments.of(
                        "a2c with a memory, continuous",
                        A2c.usual("Pendulum-v1")
                                .environments(TWO)
                                .memory(new GruMemory(4))
                                .hidden(SMALL)
                                .totalSteps(9 * 10)),
                Arguments.of("impala", IMPALA.totalSteps(9 * 20)),
                Arguments.of(
                        "impala among allowed actions",
                        IMPALA.environment("Taxi-v4").totalSteps(9 * 20)),
                Arguments.of("impala, three updates behind", IMPALA.actorLag(3).totalSteps(9 * 3 * 20)),
                Arguments.of(
                        "dqn",
                        Dqn.usual("CartPole-v1")
                                .environments(TWO)
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(20)
                                .batch(8)
                                .targetEvery(16)
                                .nSteps(3)
                                .totalSteps(20 + 9 * 16)),
                Arguments.of("ppo with shared layers", PPO.environments(TWO).sharedLayers(true)),
                Arguments.of(
                        "ppo with a memory, whose critic sees more",
                        PPO.environments(TWO).memory(new GruMemory(4)).onlyCriticSees(List.of(1, 3))),
                Arguments.of(
                        "dqn with priorities",
                        Dqn.usual("CartPole-v1")
                                .optimizer(OptimizerRule.RMS_PROP)
                                .sampler(PrioritisedSampler.usual())
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(20)
                                .batch(8)
                                .targetEvery(16)
                                .updates(2)
                                .totalSteps(20 + 9 * 16)),
                Arguments.of("rainbow", RAINBOW),
                Arguments.of(
                        "rainbow without its parts, among allowed actions",
                        RAINBOW.environment("Taxi-v4")
                                .distribution(ExpectedReturn.usual())
                                .sigma(0)
                                .epsilonFrom(1)
                                .nSteps(1)
                                .sampler(Sampler.uniform())
                                .doubleQ(false)
                                .dueling(false)),
                Arguments.of(
                        "qr-dqn",
                        QrDqn.usual("CartPole-v1")
                                .quantiles(5)
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(20)
                                .batch(8)
                                .targetEvery(16)
                                .totalSteps(20 + 9 * 16)),
                Arguments.of("r2d2", R2D2),
                Arguments.of(
                        "r2d2 with priorities among allowed actions, in normalised environments",
                        R2D2.environment("Taxi-v4")
                                .environments(new EnvironmentSettings(2, true, true, true))
                                .memory(new GruMemory(4))
                                .rescaleValues(false)
                                .sampler(PrioritisedSampler.usual())),
                Arguments.of(
                        "td3",
                        Td3.usual("Pendulum-v1")
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 9 * 2)),
                Arguments.of(
                        "ddpg",
                        Ddpg.usual("Pendulum-v1")
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 9)),
                Arguments.of(
                        "discrete sac",
                        DiscreteSac.usual("CartPole-v1")
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 9)),
                Arguments.of("a world model", DREAMER),
                Arguments.of("a world model of an action in a box", DREAMER.environment("Pendulum-v1")),
                Arguments.of(
                        "the cross-entropy method, among allowed actions",
                        CrossEntropy.usual("Taxi-v4")
                                .environments(EnvironmentSettings.of(1).limit(20))
                                .population(10)
                                .episodes(2)
                                .extraDeviation(0.1)
                                .generations(9)),
                Arguments.of(
                        "evolution strategies",
                        EvolutionStrategies.usual("Pendulum-v1")
                                .environments(EnvironmentSettings.of(1).limit(20))
                                .population(4)
                                .generations(9)),
                Arguments.of(
                        "sac",
                        Sac.usual("Pendulum-v1")
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 9)),
                Arguments.of(
                        "sac of several steps and updates, with a fixed temperature",
                        Sac.usual("Pendulum-v1")
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .nSteps(3)
                                .updates(2)
                                .rateDecay(RateDecay.LINEAR)
                                .learnTemperature(false)
                                .totalSteps(50 + 9)),
                Arguments.of(
                        "sac with priorities",
                        Sac.usual("Pendulum-v1")
                                .sampler(PrioritisedSampler.usual())
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 9)),
                Arguments.of(
                        "td3 with priorities and several updates",
                        Td3.usual("Pendulum-v1")
                                .sampler(PrioritisedSampler.usual())
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .updates(4)
                                .totalSteps(50 + 9)),
                Arguments.of(
                        "sac, in wrapped and normalised environments",
                        Sac.usual("Pendulum-v1")
                                .environments(new EnvironmentSettings(2, true, true, true)
                                        .limit(11)
                                        .wrappers(List.of(new Wrapper.ActionRepeat(2), new Wrapper.FrameStack(3))))
                                .hidden(SMALL)
                                .replay(64)
                                .learningStarts(50)
                                .batch(8)
                                .totalSteps(50 + 18)),
                Arguments.of(
                        "several agents with a joint critic",
                        MultiAgentPpo.usual(PPO.environment("Pursuit-v0")
                                .environments(TWO)
                                .minibatch(40)
                                .totalSteps(9 * 160))),
                Arguments.of(
                        "self-play against a pool",
                        SelfPlay.usual(PPO.environment("TicTacToe-v0").environments(TWO))
                                .opponents(3)
                                .freezeEvery(2)
                                .opening(4)
                                .ratingGames(2)),
                Arguments.of(
                        "reinforce",
                        Reinforce.usual("CartPole-v1")
                                .environments(EnvironmentSettings.of(1).limit(20))
                                .rollout(50)
                                .hidden(SMALL)
                                .totalSteps(9 * 50)),
                Arguments.of(
                        "cloning",
                        BehaviourCloning.usual("CartPole-v1", balancer)
                                .demonstrations(1)
                                .epochs(2)
                                .hidden(SMALL)),
                Arguments.of("preferences, four networks", PreferencePpoTest.SMALL),
                Arguments.of("gail", new Gail(PPO.environments(TWO), balancer, 1, 0, 1, 1e-3, SMALL)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void aResumedRunEndsBitForBitAsAnUninterruptedOneAndAnotherSeedElsewhere(String name, Definition definition) {
        State whole = Training.whole(definition.setup(), 5);
        State stopped = Training.stopped(definition.setup(), 5, 4);
        assertThat(stopped.equals(whole)).isFalse();
        assertSame(Training.resumed(definition.setup(), 5, stopped), whole);
        State other = Training.whole(definition.setup(), 6);
        assertThat(other.state("parameters").equals(whole.state("parameters")))
                .as("of another seed")
                .isFalse();
    }

    private static void assertSame(State actual, State expected) {
        expected.items()
                .forEach((item, value) -> assertThat(value.equals(actual.items().get(item)))
                        .as(item)
                        .isTrue());
        assertThat(actual.equals(expected)).isTrue();
    }

    @Test
    void aRunWithOtherSettingsIsNotResumed() {
        State stopped = Training.stopped(PPO.setup(), 5, 4);
        assertThatThrownBy(() -> Training.resumed(PPO.epochs(3).setup(), 5, stopped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plan");
        assertThatThrownBy(() -> Training.resumed(PPO.setup(), 6, stopped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("seed 5");
    }

    @Test
    void aRunSavedWithTargetsRenewedAfterAFixedNumberOfCollectsResumes() {
        Dqn dqn = Dqn.usual("CartPole-v1")
                .hidden(SMALL)
                .replay(64)
                .learningStarts(20)
                .batch(8)
                .targetEvery(10)
                .totalSteps(20 + 9 * 10);
        State stopped = Training.stopped(dqn.setup(), 5, 4);
        String plan = stopped.text("plan");
        assertThat(plan).isEqualTo("sequence(target, sequence(collect, q) × (2 or 3))");
        State former = stopped.with("plan", "sequence(target, sequence(collect, q) × 2)");
        assertSame(Training.resumed(dqn.setup(), 5, former), Training.whole(dqn.setup(), 5));
        assertThatThrownBy(() -> Training.resumed(
                        dqn.setup(), 5, stopped.with("plan", "sequence(target, sequence(collect, q) × 3)")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("plan");
    }

    @Test
    void aRunWhoseTargetWasRenewedInEachCollectResumesBetweenItsRounds() {
        Dqn dqn = Dqn.usual("CartPole-v1")
                .hidden(SMALL)
                .replay(64)
                .learningStarts(20)
                .batch(8)
                .updates(2)
                .targetEvery(6)
                .totalSteps(20 + 9 * 6);
        assertThat(Training.stopped(dqn.setup(), 5, 2).text("plan"))
                .isEqualTo("sequence(target, sequence(collect, q × 2) × (1 or 2))");
        Dqn former = dqn.targetEvery(4); // its plan, and a target that was renewed as often
        State stopped = Training.stopped(former.setup(), 5, 4);
        assertThat(stopped.text("plan")).isEqualTo("sequence(collect, target, q × 2)");
        assertThat(Training.resumed(dqn.setup(), 5, stopped).whole("round")).isEqualTo(10); // 14 collects of 4 steps
        for (int turns = 1; turns < 4; turns++) {
            State inRound = after(former.setup(), turns);
            assertThatThrownBy(() -> Training.resumed(dqn.setup(), 5, inRound))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the saved state is of plan sequence(collect, target, q × 2)");
        }
    }

    private static State after(Setup setup, int turns) {
        try (Parameters parameters = setup.initialise(5);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            for (int turn = 0; turn < turns; turn++) {
                scheduler.proceed();
            }
            return scheduler.save();
        }
    }

    @Test
    void anUnfinishedRolloutIsPartOfTheSavedState() {
        State whole = inTheMiddle(Integer.MAX_VALUE);
        for (int saved = 1; saved <= 6; saved++) {
            assertSame(inTheMiddle(saved), whole);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void aRunResumesExactlyBetweenAnyTwoTurnsOfItsPlan(String name, Definition definition) {
        State whole = proceeded(definition, Integer.MAX_VALUE);
        for (int saved = 1; saved < PROCEEDED; saved += 3) {
            assertSame(proceeded(definition, saved), whole);
        }
    }

    private static final int PROCEEDED = 10;

    /** Takes a number of turns of the plan; another run resumes after some of them. */
    private static State proceeded(Definition definition, int change) {
        Setup one = definition.setup();
        Setup other = definition.setup();
        try (Parameters first = one.initialise(5);
                Parameters second = other.initialise(5);
                Scheduler before = one.schedule(first, 1);
                Scheduler after = other.schedule(second, 1)) {
            Scheduler now = before;
            for (int turn = 0; turn < PROCEEDED; turn++) {
                if (turn == change) {
                    after.restore(before.save());
                    now = after;
                }
                now.proceed();
            }
            return now.save();
        }
    }

    /** Takes two rollouts with four updates each in a user's loop; another run resumes after a number of turns. */
    private static State inTheMiddle(int change) {
        Setup one = PPO.setup();
        Setup other = PPO.setup();
        try (Parameters first = one.initialise(5);
                Parameters second = other.initialise(5);
                Scheduler before = one.schedule(first, 1);
                Scheduler after = other.schedule(second, 1)) {
            Scheduler now = before;
            Setup ran = one;
            for (int turn = 0; turn < 10; turn++) {
                if (turn == change) {
                    after.restore(before.save());
                    now = after;
                    ran = other;
                }
                String name = turn % 5 == 0 ? "collect" : "update";
                now.step(Objects.requireNonNull(ran.turnsByName().get(name)));
            }
            return now.save();
        }
    }

    @Test
    void restoringTheInitialStateResetsTheMoments() {
        Setup algorithm = PPO.setup();
        try (Parameters parameters = algorithm.initialise(5);
                Scheduler scheduler = algorithm.schedule(parameters, 1)) {
            State beginning = scheduler.save();
            scheduler.run();
            State end = scheduler.save();
            scheduler.restore(beginning);
            scheduler.run();
            assertSame(scheduler.save(), end);
        }
    }

    @Test
    void aTrainedAgentIsTrainedFurtherFromItsParameters() {
        try (LiveRun trained = PPO.begin(5, 1);
                LiveRun further = PPO.begin(6, 1)) {
            trained.run();
            further.parameters().restore(trained.parameters().snapshot());
            assertThat(further.parameters().digest())
                    .isEqualTo(trained.parameters().digest());
            further.run();
            assertThat(further.parameters().digest())
                    .isNotEqualTo(trained.parameters().digest());
        }
    }

    @Test
    void aFinishedRunContinuesWithMoreStepsAsIfItHadStartedWithThem() {
        State over = Training.whole(PPO.totalSteps(4 * 40).setup(), 5);
        State whole = Training.whole(PPO.setup(), 5);
        assertThat(over.equals(whole)).isFalse();
        assertSame(Training.resumed(PPO.setup(), 5, over), whole);
    }

    @Test
    void theEnvironmentsOfASetupAreForOneRun() {
        Setup algorithm = PPO.setup();
        Training.stopped(algorithm, 5, 1);
        assertThatThrownBy(() -> Training.stopped(algorithm, 6, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "these parts were started before, and their sources and environments are where that run left");
    }
}
