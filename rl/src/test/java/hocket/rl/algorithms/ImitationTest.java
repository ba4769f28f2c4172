package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.CartPoleBalancer;
import hocket.rl.actors.Expert;
import hocket.rl.actors.Policy;
import hocket.rl.actors.PolicyExpert;
import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.Pcg64;
import hocket.rl.replay.Demonstrations;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.schedulers.Setup;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImitationTest {
    private static final Supplier<Environment> CART_POLE = () -> Environments.make("CartPole-v1");
    private static final String BALANCER = CartPoleBalancer.class.getName();

    @Test
    void theBalancerReachesTheTimeLimit() {
        assertThat(Demonstrations.of(CART_POLE, new CartPoleBalancer(), 100, 1).returns())
                .hasSize(100)
                .containsOnly(500.0);
    }

    @Test
    void demonstrationsHoldObservationsAndActions() {
        Supplier<Environment> short4 = () -> new TimeLimit(new CartPole(), 4);
        Demonstrations recorded = Demonstrations.of(short4, new CartPoleBalancer(), 3, 1);
        assertThat(recorded.rows().count()).isEqualTo(12);
        var rows = recorded.rows()
                .batchesInOrder("all", 12)
                .draw(column -> true, Streams.seed(0))
                .tensors();
        float[] action = new float[1];
        for (int i = 0; i < 12; i++) {
            float[] seen = Arrays.copyOfRange(tensor(rows, "observation").floats(), 4 * i, 4 * i + 4);
            new CartPoleBalancer().act(seen, Pcg64.of(0), action);
            assertThat(tensor(rows, "action").get(i)).isEqualTo(action[0]);
        }
        assertThat(Demonstrations.of(short4, new CartPoleBalancer(), 3, 1)
                        .batches(12)
                        .draw(c -> true, Streams.seed(0)))
                .isEqualTo(recorded.batches(12).draw(c -> true, Streams.seed(0)));
    }

    private static Tensor tensor(Map<String, Tensor> rows, String column) {
        return Objects.requireNonNull(rows.get(column));
    }

    @Test
    void anEpisodeThatDoesNotEndIsNotRecorded() {
        assertThatThrownBy(() -> Demonstrations.of(CartPole::new, new CartPoleBalancer(), 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("episode 1 of CartPole-v1 must end, has not in 10000 steps");
        assertThatThrownBy(() -> Demonstrations.of(CART_POLE, new CartPoleBalancer(), 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1, was 0");
    }

    @Test
    void anExpertIsRefusedInAnEnvironmentItCannotActIn() {
        assertThatThrownBy(
                        () -> Demonstrations.of(() -> Environments.make("Pendulum-v1"), new CartPoleBalancer(), 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "expert CartPoleBalancer: needs the 4 numbers that CartPole-v1 gives and actions"
                                + " of Discrete(2), Pendulum-v1 gives 3 numbers and takes actions of Box(");
        assertThatThrownBy(
                        () -> BehaviourCloning.usual("MountainCar-v0", BALANCER).setup())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("MountainCar-v0 gives 2 numbers and takes actions of Discrete(3)");
    }

    @Test
    void fewerDemonstrationsThanABatchTakesAreRefusedByTheirSettings() {
        Supplier<Environment> short4 = () -> new TimeLimit(new CartPole(), 4);
        Demonstrations recorded = Demonstrations.of(short4, new CartPoleBalancer(), 1, 1);
        assertThatThrownBy(() -> BehaviourCloning.usual("CartPole-v1", BALANCER).setup(short4, recorded))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("demonstrations: must hold at least as many steps as batch takes, 64, hold 4 in 1 episode");
        assertThatThrownBy(() -> Gail.usual(Ppo.usual("CartPole-v1"), BALANCER).setup(short4, recorded))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("as many steps as agent.minibatch takes, ");
    }

    private static final Supplier<Environment> LAMPS = () -> Lamps.strict(MultiDiscrete.of(3, 4));

    /** An environment that throws where an action is taken that its mask forbids. */
    @Test
    void aClonedPolicyKeepsToTheMask() {
        Expert shown = (observation, random, action) -> System.arraycopy(observation, 0, action, 0, 2);
        Demonstrations recorded = Demonstrations.of(LAMPS, shown, 30, 1);
        assertThat(recorded.returns()).containsOnly(1.0);
        assertThat(recorded.columns("expert_")).containsExactly("expert_observation", "expert_action", "expert_mask");
        BehaviourCloning cloning =
                BehaviourCloning.usual("Lamps", BALANCER).checked(false).rate(1e-2);
        for (long epochs : new long[] {1, 60}) {
            Setup setup = cloning.epochs(epochs).setup(LAMPS, recorded);
            try (var parameters = setup.initialise(7);
                    var scheduler = setup.schedule(parameters, 1)) {
                scheduler.run();
                double mean = Training.mean(setup, parameters, 20);
                assertThat(mean).isGreaterThan(epochs == 1 ? 0.2 : 0.95);
            }
        }
    }

    @Test
    void anExpertThatTakesWhatIsNotAllowedIsRefused() {
        Expert stubborn = (observation, random, action) -> action[1] = 3;
        assertThatThrownBy(() -> Demonstrations.of(LAMPS, stubborn, 30, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("demonstrations: the expert takes an action that Lamps does not allow,"
                        + " \\[0\\.0, 3\\.0\\], in step \\d of episode \\d+");
    }

    @Test
    void aClonedPolicyBalancesAndIsAnExpertItself() {
        Setup algorithm = BehaviourCloning.usual("CartPole-v1", BALANCER).setup();
        var setup = algorithm;
        try (var parameters = setup.initialise(7);
                var scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            assertThat(Training.mean(setup, parameters, 20)).isGreaterThanOrEqualTo(475);
            Discrete actions = new Discrete(2);
            Policy policy = new Policy(
                    algorithm.networks().program("act"), ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
            try (var expert = new PolicyExpert(policy, actions, Optional.empty(), parameters)) {
                List<Double> returns =
                        Demonstrations.of(CART_POLE, expert, 5, 3).returns();
                assertThat(returns.stream().mapToDouble(each -> each).average().orElseThrow())
                        .isGreaterThanOrEqualTo(475);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = 7)
    void anImitatorBalancesAsLongAsTheExpert(long seed) {
        assertThat(Training.mean(gail().setup(), seed, 100)).isGreaterThanOrEqualTo(475);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(longs = {8, 9})
    void soItDoesFromOtherSeeds(long seed) {
        anImitatorBalancesAsLongAsTheExpert(seed);
    }

    /** A task that positive rewards alone do not solve, unlike CartPole, where longer episodes earn more. */
    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void theDiscriminatorSeparatesExpertAndAgent(long seed) {
        assertThat(recital(recitalBy(1e-3), false, seed)).isGreaterThanOrEqualTo(0.9 * Recital.LENGTH);
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void aDiscriminatorThatAnswersTheSameToEverythingTeachesNothing(long seed) {
        assertThat(recital(recitalBy(0), true, seed)).isLessThanOrEqualTo(0.6 * Recital.LENGTH);
    }

    private static Gail recitalBy(double discriminatorRate) {
        Ppo agent = Ppo.usual("Recital")
                .environments(EnvironmentSettings.of(8))
                .rollout(64)
                .minibatch(128)
                .rate(1e-3)
                .gamma(0.5)
                .hidden(List.of(32))
                .totalSteps(40_000);
        return Gail.usual(agent, "here").discriminatorRate(discriminatorRate);
    }

    /** The mean return after training; the discriminator may begin with 0 in all its weights. */
    private static double recital(Gail gail, boolean dumb, long seed) {
        Setup setup = gail.setup(Recital::new, Demonstrations.of(Recital::new, Recital.pianist(), 20, 0));
        try (var parameters = setup.initialise(seed);
                var scheduler = setup.schedule(parameters, 1)) {
            for (var each : parameters.declarations()) {
                if (dumb && each.path().text().startsWith("discriminator/")) {
                    parameters.set(each.path().text(), new double[each.shape().size()]);
                }
            }
            scheduler.run();
            return Training.mean(setup, parameters, 100);
        }
    }

    private static Gail gail() {
        Ppo agent = Ppo.usual("CartPole-v1")
                .environments(EnvironmentSettings.of(8))
                .rollout(128)
                .minibatch(128)
                .totalSteps(150_000);
        return Gail.usual(agent, BALANCER);
    }
}
