package hocket.rl.envs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import hocket.rl.envs.classic.Pendulum;
import hocket.rl.envs.tabular.Bandit;
import hocket.rl.envs.tabular.Taxi;
import hocket.rl.envs.tabular.TransitionOutcome;
import hocket.rl.envs.tabular.TransitionTable;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the contract of all environments, and what each refuses. */
class EnvironmentsTest {
    static Set<String> names() {
        return Environments.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aStateSavedInTheMiddleOfAnEpisodeContinuesBitForBit(String name) {
        Environment environment = Environments.make(name);
        environment.reset(Pcg64.of(5));
        Pcg64 chooser = Pcg64.of(6);
        RandomPlay.on(environment, chooser, 37);
        State saved = environment.save();
        State chooserSaved = chooser.save();
        List<String> wanted = RandomPlay.on(environment, chooser, 700);
        Environment other = Environments.make(name);
        other.restore(saved);
        assertThat(RandomPlay.on(other, Pcg64.of(chooserSaved), 700)).isEqualTo(wanted);
        environment.restore(saved);
        assertThat(environment.save()).isEqualTo(saved);
        assertThat(RandomPlay.on(environment, Pcg64.of(chooserSaved), 700)).isEqualTo(wanted);
    }

    /** Nearly every passenger changes its destination, some after the state was saved. */
    @Test
    void aFicklePassengersStateIsSaved() {
        for (int seed = 0; seed < 30; seed++) {
            Environment taxi = new Taxi(true, true, 0.8, 1);
            taxi.reset(Pcg64.of(seed));
            Pcg64 chooser = Pcg64.of(seed);
            RandomPlay.on(taxi, chooser, 3);
            Environment other = new Taxi(true, true, 0.8, 1);
            other.restore(taxi.save());
            assertThat(RandomPlay.on(other, Pcg64.of(chooser.save()), 400))
                    .isEqualTo(RandomPlay.on(taxi, chooser, 400));
        }
    }

    @Test
    void aTaxisMaskAllowsWhatChangesItsState() {
        Taxi taxi = new Taxi();
        taxi.reset(Pcg64.of(1));
        Pcg64 chooser = Pcg64.of(2);
        for (int step = 0; step < 2000; step++) {
            float[] mask = new float[8];
            taxi.mask(mask, 1);
            int before = taxi.state();
            int taken = chooser.choice(6);
            taxi.step(new float[] {taken}, 0);
            boolean isOfUse = taxi.state() != before || taxi.terminated();
            assertThat(mask[1 + taken]).isEqualTo(isOfUse ? 1 : 0);
            if (taxi.terminated()) {
                taxi.reset();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void anEnvironmentThatWasNeverResetIsSavedAsSuch(String name) {
        Environment environment = Environments.make(name);
        State fresh = environment.save();
        environment.reset(Pcg64.of(5));
        environment.restore(fresh);
        assertThatIllegalStateException()
                .isThrownBy(() -> environment.step(new float[4], 0))
                .withMessage(name + ": no episode has begun: a step must follow a reset");
        assertThatIllegalStateException()
                .isThrownBy(environment::reset)
                .withMessage(name + ": it has no generator yet: the first reset must give one");
    }

    @ParameterizedTest
    @MethodSource("names")
    void aStateOfAnotherEnvironmentIsRefusedAndChangesNothing(String name) {
        Environment environment = Environments.make(name).unwrapped();
        Environment other = Environments.make(name.equals("Taxi-v4") ? "Acrobot-v1" : "Taxi-v4")
                .unwrapped();
        environment.reset(Pcg64.of(5));
        State before = environment.save();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment.restore(other.save()))
                .withMessage(name + ": the saved state is of another environment, " + other.name());
        assertThatIllegalArgumentException().isThrownBy(() -> environment.restore(before.without("world")));
        assertThatIllegalArgumentException().isThrownBy(() -> environment.restore(before.with("world", State.empty())));
        assertThat(environment.save()).isEqualTo(before);
    }

    /** All but those on dyn4j, which makes new vectors and lists in each step. */
    static Stream<String> thoseThatAllocateNothing() {
        return names().stream().filter(name -> !name.startsWith("LunarLander"));
    }

    @ParameterizedTest
    @MethodSource("thoseThatAllocateNothing")
    void aStepAllocatesNothing(String name) {
        Environment environment = Environments.make(name);
        environment.reset(Pcg64.of(5));
        Pcg64 chooser = Pcg64.of(6);
        float[] action = new float[environment.actions().width()];
        float[] observation = new float[environment.observations().width()];
        Runnable play = () -> {
            for (int i = 0; i < 20_000; i++) {
                environment.actions().sample(chooser, action, 0);
                environment.step(action, 0);
                environment.observe(observation, 0);
                if (environment.terminated() || environment.truncated()) {
                    environment.reset();
                }
            }
        };
        play.run();
        // the JIT may still be at work; a byte a step would be 20,000
        assertThat(Allocation.of(play)).isLessThan(10_000);
    }

    @Test
    void aStepAfterTheEndIsRefused() {
        Environment cartPole = Environments.make("CartPole-v1");
        cartPole.reset(Pcg64.of(1));
        while (!cartPole.terminated()) {
            cartPole.step(new float[] {1}, 0);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> cartPole.step(new float[] {1}, 0))
                .withMessage("CartPole-v1: the episode has terminated: a step must follow a reset");
        Environment short2 = new TimeLimit(new Pendulum(), 2);
        short2.reset(Pcg64.of(1));
        short2.step(new float[] {0}, 0);
        assertThat(short2.truncated()).isFalse();
        short2.step(new float[] {0}, 0);
        assertThat(short2.truncated()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> short2.step(new float[] {0}, 0))
                .withMessage("Pendulum-v1: the episode was truncated after 2 steps: a step must follow a reset");
        short2.reset();
        assertThat(short2.truncated()).isFalse();
    }

    @Test
    void anActionOutsideItsSpaceIsRefused() {
        Environment cartPole = Environments.make("CartPole-v1");
        cartPole.reset(Pcg64.of(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cartPole.step(new float[] {2}, 0))
                .withMessage("CartPole-v1: an action must be of Discrete(2), was 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cartPole.step(new float[] {0.5f}, 0))
                .withMessage("CartPole-v1: an action must be of Discrete(2), was 0.5");
        assertThatIllegalArgumentException().isThrownBy(() -> cartPole.step(new float[] {-1}, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> cartPole.step(new float[] {Float.NaN}, 0));
        Environment pendulum = Environments.make("Pendulum-v1");
        pendulum.reset(Pcg64.of(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pendulum.step(new float[] {Float.NaN}, 0))
                .withMessage("Pendulum-v1: an action must be finite, about Box(1) of [-2.0] to [2.0], was [NaN]");
    }

    @Test
    void anUnknownNameOrOptionIsRefusedWithTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("CartPole-v2"))
                .withMessage("there is no environment CartPole-v2; did you mean CartPole-v1?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("Taxi-v4", Map.of("is_rainny", true)))
                .withMessage("Taxi-v4: it has no option is_rainny; did you mean is_rainy?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("Taxi-v4", Map.of("is_rainy", "yes")))
                .withMessage("Taxi-v4: is_rainy must be true or false, was yes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("Bandit-v0", Map.of("arms", 2.5)))
                .withMessage("Bandit-v0: arms must be a whole number, was 2.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("FrozenLake-v1", Map.of("map_name", "9x9")))
                .withMessageContaining("it has no map 9x9; there is: 4x4, 8x8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("FrozenLake-v1", Map.of("desc", List.of("SF", "FX"))))
                .withMessage("a lake's rows must be equally long and of the letters S, F, H, G, were [SF, FX]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("Taxi-v4", Map.of("rainy_probability", 2)))
                .withMessage("Taxi-v4: a probability must be 0 to 1, was 2.0");
    }

    @Test
    void aCustomMapCanBeCrossed() {
        Environment lake = Environments.make(
                "FrozenLake-v1", Map.of("desc", List.of("SFG"), "is_slippery", false, "max_episode_steps", 3));
        lake.reset(Pcg64.of(0));
        lake.step(new float[] {2}, 0);
        assertThat(lake.terminated()).isFalse();
        lake.step(new float[] {2}, 0);
        assertThat(lake.terminated()).isTrue();
        assertThat(lake.truncated()).isFalse();
        assertThat(lake.reward()).isEqualTo(1);
    }

    @Test
    void aBanditPaysEachArmsMean() {
        Bandit bandit = new Bandit(3);
        bandit.reset(Pcg64.of(4));
        Pcg64 same = Pcg64.of(4);
        for (int arm = 0; arm < 3; arm++) {
            assertThat(bandit.mean(arm)).isEqualTo(same.standardNormal());
        }
        bandit.step(new float[] {1}, 0);
        assertThat(bandit.reward()).isEqualTo(bandit.mean(1) + same.standardNormal());
    }

    @Test
    void aTransitionMustBeCertainInSumAndLeadSomewhere() {
        double[] start = {1};
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new TransitionTable(start, 1, (s, a) -> List.of(new TransitionOutcome(0.5, 0, 0, false))))
                .withMessage("the probabilities of state 0, action 0 must sum to 1, they sum to 0.5");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new TransitionTable(start, 1, (s, a) -> List.of(new TransitionOutcome(1, 1, 0, false))))
                .withMessage("state 0, action 0: the next state must be 0 to 0, was 1");
    }

    @Test
    void aDrawIsTheFirstIndexWithACumulativeProbabilityAboveIt() {
        double[] sums = {9, 0.25, 0.25, 0.75, 1 - 0x1p-53, 9};
        assertThat(TransitionTable.sampledIndex(sums, 1, 5, 0)).isEqualTo(1);
        assertThat(TransitionTable.sampledIndex(sums, 1, 5, 0.25)).isEqualTo(3);
        assertThat(TransitionTable.sampledIndex(sums, 1, 5, 0.8)).isEqualTo(4);
        // rounding left no sum above it: NumPy's argmax gives the first
        assertThat(TransitionTable.sampledIndex(sums, 1, 5, 1 - 0x1p-53)).isEqualTo(1);
    }
}
