package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.tabular.Taxi;
import hocket.rl.envs.wrappers.Wrapper;
import hocket.rl.losses.CategoricalReturn;
import hocket.rl.losses.ExpectedReturn;
import hocket.rl.losses.QuantileReturn;
import hocket.rl.losses.ReturnDistribution;
import hocket.rl.networks.AttentionMemory;
import hocket.rl.networks.ConvolutionalEncoder;
import hocket.rl.networks.ConvolutionalEncoder.ChannelAxis;
import hocket.rl.networks.GruMemory;
import hocket.rl.networks.Memory;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.MultiBinary;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.Setup;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each algorithm learns a small task in seconds; see {@link Hall} and {@link Dart}. */
class LearningTest {
    private static final EnvironmentSettings FOUR = EnvironmentSettings.of(4);
    private static final List<Integer> SMALL = List.of(16);

    private static double mean(Setup algorithm) {
        return Training.mean(algorithm, 7, 10);
    }

    @Test
    void ppoFindsTheLastDoor() {
        assertThat(mean(Ppo.usual("Hall")
                        .environments(FOUR)
                        .rollout(64)
                        .rate(3e-3)
                        .hidden(SMALL)
                        .totalSteps(8000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4); // the best is 0.5
    }

    private static final Ppo SEEING = Ppo.usual("Signpost")
            .environments(EnvironmentSettings.of(8))
            .rollout(12)
            .minibatch(48)
            .rate(3e-3)
            .encoder(new ConvolutionalEncoder(List.of(4), List.of(2), List.of(1), 8, ChannelAxis.FIRST))
            .hidden(List.of())
            .totalSteps(16_000);

    @Test
    void aMemoryKeepsTheSignOfAPictureAndWithoutOneItIsLost() {
        assertThat(mean(SEEING.memory(new GruMemory(16)).setup(Signpost::new))).isEqualTo(1);
        assertThat(Training.mean(SEEING.setup(Signpost::new), 7, 100)).isBetween(-0.4, 0.4);
    }

    @Tag("slow")
    @Test
    void attentionToThePastKeepsTheSignOfAPicture() {
        assertThat(mean(SEEING.memory(new AttentionMemory(12, 16, 2)).setup(Signpost::new)))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("twoNumbers")
    void actionsOfSeveralNumbersAreLearnt(Space actions, Memory memory) {
        assertThat(mean(Ppo.usual("Lamps")
                        .environments(FOUR)
                        .rollout(16)
                        .rate(3e-3)
                        .memory(memory)
                        .hidden(SMALL)
                        .totalSteps(8000)
                        .setup(() -> new Lamps(actions))))
                .isGreaterThan(0.95); // without having seen the numbers 0.5, or of three 0.33 and 0.5
    }

    /** The environment throws if an action that it forbids is taken. */
    @ParameterizedTest
    @MethodSource("memories")
    void forbiddenActionsAreNeverTaken(Memory memory) {
        Ppo ppo = Ppo.usual("Lamps")
                .environments(FOUR)
                .rollout(16)
                .rate(3e-3)
                .memory(memory)
                .hidden(SMALL)
                .totalSteps(8000);
        assertThat(mean(ppo.setup(LearningTest::strict))).isGreaterThan(0.95); // by chance among those allowed 0.61
        List<Wrapper> again = List.of(new Wrapper.StickyActions(0.5), new Wrapper.ActionRepeat(2));
        assertThat(mean(ppo.environments(FOUR.wrappers(again)).totalSteps(640).setup(LearningTest::strict)))
                .isPositive();
        assertThatThrownBy(() -> mean(ppo.environments(FOUR.wrappers(List.of(new Wrapper.Unmasked())))
                        .totalSteps(64)
                        .setup(LearningTest::strict)))
                .hasStackTraceContaining("it is forbidden");
    }

    /** A taxi that throws if it is told to do what it does not allow. */
    private static Environment strictTaxi() {
        return new ForwardingEnvironment(new Taxi()) {
            @Override
            public void step(float[] action, int at) {
                float[] mask = new float[6];
                mask(mask, 0);
                if (mask[(int) action[at]] == 0) {
                    throw new IllegalStateException("it is forbidden");
                }
                super.step(action, at);
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dqnTakesNoForbiddenAction(boolean isDouble) {
        Dqn dqn = Dqn.usual("Taxi-v4")
                .environments(FOUR.limit(30))
                .doubleQ(isDouble)
                .nSteps(2)
                .hidden(SMALL)
                .learningStarts(100)
                .totalSteps(1000);
        assertThat(mean(dqn.setup(LearningTest::strictTaxi))).isGreaterThanOrEqualTo(-30);
        Dqn free = dqn.environments(FOUR.wrappers(List.of(new Wrapper.Unmasked())));
        assertThatThrownBy(() -> mean(free.setup(LearningTest::strictTaxi))).hasStackTraceContaining("it is forbidden");
    }

    static Stream<Memory> memories() {
        return Stream.of(Memory.none(), new GruMemory(8));
    }

    private static Lamps strict() {
        return Lamps.strict(MultiDiscrete.of(2, 3));
    }

    @Test
    void a2cReinforceAndImpalaTakeNoForbiddenAction() {
        A2c a2c = A2c.usual("Lamps").environments(FOUR).hidden(SMALL).totalSteps(400);
        assertThat(mean(a2c.setup(LearningTest::strict))).isPositive();
        Reinforce reinforce = Reinforce.usual("Lamps")
                .environments(FOUR.limit(5))
                .rollout(20)
                .hidden(SMALL)
                .totalSteps(400);
        assertThat(mean(reinforce.setup(LearningTest::strict))).isPositive();
        Impala impala = Impala.usual("Lamps")
                .environments(FOUR)
                .trajectories(8)
                .actorLag(2)
                .rate(3e-3)
                .hidden(SMALL)
                .totalSteps(20_000);
        assertThat(mean(impala.setup(LearningTest::strict))).isGreaterThan(0.95); // by chance among those allowed 0.61
    }

    static Stream<Arguments> twoNumbers() {
        return Stream.of(new MultiDiscrete(List.of(2, 3)), new MultiBinary(2))
                .flatMap(actions ->
                        Stream.of(Memory.none(), new GruMemory(8)).map(memory -> Arguments.of(actions, memory)));
    }

    @Test
    void a2cFindsTheLastDoor() {
        assertThat(mean(A2c.usual("Hall")
                        .environments(FOUR)
                        .rate(3e-3)
                        .hidden(SMALL)
                        .totalSteps(12_000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    @Test
    void impalaFindsTheLastDoor() {
        Impala impala = Impala.usual("Hall")
                .environments(FOUR)
                .unroll(10)
                .trajectories(4)
                .rate(3e-3)
                .hidden(SMALL)
                .totalSteps(16_000);
        assertThat(mean(impala.setup(Hall::limited))).isGreaterThan(0.4);
        assertThat(mean(impala.actorLag(4).setup(Hall::limited))).isGreaterThan(0.4);
    }

    @Test
    void reinforceFindsTheLastDoor() {
        assertThat(mean(Reinforce.usual("Hall")
                        .environments(FOUR)
                        .rollout(64)
                        .hidden(SMALL)
                        .totalSteps(12_000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    @Test
    void dqnFindsTheLastDoor() {
        assertThat(mean(Dqn.usual("Hall")
                        .rate(3e-3)
                        .hidden(SMALL)
                        .replay(5000)
                        .learningStarts(200)
                        .targetEvery(200)
                        .explorationFraction(0.5)
                        .totalSteps(6000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    @ParameterizedTest
    @MethodSource("distributions")
    void rainbowFindsTheLastDoor(ReturnDistribution distribution, double sigma) {
        assertThat(mean(Rainbow.usual("Hall")
                        .distribution(distribution)
                        .sigma(sigma)
                        .epsilonFrom(sigma == 0 ? 1 : 0)
                        .rate(3e-3)
                        .hidden(SMALL)
                        .replay(5000)
                        .learningStarts(200)
                        .targetEvery(200)
                        .explorationFraction(0.5)
                        .totalSteps(6000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    static Stream<Arguments> distributions() {
        return Stream.of(
                Arguments.of(new CategoricalReturn(21, -1, 1), 0.5),
                Arguments.of(new QuantileReturn(20, 1), 0),
                Arguments.of(ExpectedReturn.usual(), 0.5));
    }

    @Test
    void td3HitsTheMark() {
        assertThat(mean(Td3.usual("Dart")
                        .hidden(List.of(32))
                        .replay(2000)
                        .batch(64)
                        .rate(1e-3)
                        .totalSteps(3000)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1); // by chance -2.3, in the middle -1
    }

    @Test
    void ddpgHitsTheMark() {
        assertThat(mean(Ddpg.usual("Dart")
                        .hidden(List.of(32))
                        .replay(2000)
                        .batch(64)
                        .totalSteps(3000)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }

    @Test
    void theCrossEntropyMethodHitsTheMark() {
        assertThat(mean(CrossEntropy.usual("Dart")
                        .hidden(List.of(8))
                        .population(30)
                        .episodes(8)
                        .generations(20)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }

    @Test
    void evolutionStrategiesHitTheMark() {
        assertThat(mean(EvolutionStrategies.usual("Dart")
                        .hidden(List.of(8))
                        .population(30)
                        .episodes(8)
                        .rate(0.05)
                        .generations(100)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }

    @Test
    void discreteSacFindsTheLastDoor() {
        assertThat(mean(DiscreteSac.usual("Hall")
                        .hidden(SMALL)
                        .replay(5000)
                        .rate(3e-3)
                        .gamma(0.9)
                        .targetEntropy(0.3)
                        .totalSteps(4000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    @Test
    void aPolicyThatIsTrainedInAWorldModelFindsTheLastDoor() {
        assertThat(mean(Dreamer.usual("Hall")
                        .memoryUnits(16)
                        .choices(4)
                        .classes(4)
                        .horizon(8)
                        .hidden(SMALL)
                        .replay(5000)
                        .rate(3e-3)
                        .modelRate(3e-3)
                        .gamma(0.9)
                        .totalSteps(4000)
                        .setup(Hall::limited)))
                .isGreaterThan(0.4);
    }

    @Test
    void sacSolvesTheDartTask() {
        assertThat(mean(Sac.usual("Dart")
                        .hidden(List.of(32))
                        .replay(2000)
                        .batch(64)
                        .rate(1e-3)
                        .totalSteps(3000)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }

    @Test
    void impalaSolvesTheDartTask() {
        assertThat(mean(Impala.usual("Dart")
                        .environments(FOUR)
                        .rate(3e-3)
                        .hidden(SMALL)
                        .totalSteps(40_000)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }

    @Test
    void ppoSolvesTheDartTask() {
        assertThat(mean(Ppo.usual("Dart")
                        .environments(FOUR)
                        .rollout(64)
                        .rate(3e-3)
                        .hidden(SMALL)
                        .totalSteps(8000)
                        .setup(Dart::new)))
                .isGreaterThan(-0.1);
    }
}
