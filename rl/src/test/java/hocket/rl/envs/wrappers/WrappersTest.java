package hocket.rl.envs.wrappers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Allocation;
import hocket.rl.envs.CheckedEnvironment;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.Faulty;
import hocket.rl.envs.Ramp;
import hocket.rl.envs.RandomPlay;
import hocket.rl.envs.classic.CartPole;
import hocket.rl.envs.classic.MountainCarContinuous;
import hocket.rl.envs.classic.Pendulum;
import hocket.rl.envs.minatar.Breakout;
import hocket.rl.envs.tabular.Blackjack;
import hocket.rl.envs.tabular.CliffWalking;
import hocket.rl.envs.tabular.Taxi;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests wrappers against numbers worked by hand or made by Gymnasium 1.4.0. */
class WrappersTest {
    private static final float[] NOTHING = {0};

    static Stream<Function<Environment, Environment>> wrappers() {
        return Stream.of(
                inner -> new TimeLimit(inner, 9),
                RescaleAction::new,
                inner -> new FrameStack(inner, 3),
                inner -> new StickyActions(inner, 0.5),
                CheckedEnvironment::new,
                inner -> new FrameStack(new RescaleAction(new TimeLimit(inner, 7)), 2));
    }

    @Test
    void aStickyActionIsTheLastWithItsProbability() {
        Ramp ramp = new Ramp();
        Environment always = new StickyActions(ramp, 1);
        Environment half = new StickyActions(new CartPole(), 0.5);
        always.reset(Pcg64.of(1));
        always.step(new float[] {5}, 0);
        always.step(new float[] {0}, 0);
        assertThat(ramp.done()).isEqualTo(5);
        half.reset(Pcg64.of(2));
        int agents = 0;
        int steps = 0;
        for (float action = 0; steps < 2000; action = 1 - action, steps++) {
            float before = RandomPlay.observed(half)[1];
            half.step(new float[] {action}, 0);
            boolean isRight = RandomPlay.observed(half)[1] > before; // a push to the right speeds the cart up
            agents += isRight == (action == 1) ? 1 : 0;
            if (half.terminated() || half.truncated()) {
                half.reset();
            }
        }
        // p = 1/2 + 1/2·(1 - p): the last action is the agent's where it was not the agent's before, since these
        // alternate
        assertThat((double) agents / steps).isBetween(0.6, 0.73);
        assertThatIllegalArgumentException().isThrownBy(() -> new StickyActions(new Ramp(), 1.5));
    }

    @Test
    void boardsThatAreResizedHaveSharesOfCells() {
        Environment small = new Resize(new Breakout(), 5, 5);
        small.reset(Pcg64.of(1));
        float[] board = RandomPlay.observed(small);
        assertThat(board).contains(0.25f).doesNotContain(Float.NaN);
        assertThat(small.observations().contains(board, 0)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void wrappersKeepTheContractOfAnEnvironment(Function<Environment, Environment> wrapped) {
        assertThat(EnvironmentChecker.check(() -> wrapped.apply(new Pendulum())))
                .isEmpty();
        assertThat(EnvironmentChecker.check(() -> wrapped.apply(new MountainCarContinuous())))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("wrappers")
    void wrappersAllocateNothingInAStep(Function<Environment, Environment> wrapped) {
        Environment environment = wrapped.apply(new Pendulum());
        float[] action = new float[1];
        float[] observation = new float[environment.observations().width()];
        environment.reset(Pcg64.of(0));
        Runnable play = () -> {
            for (int i = 0; i < 20_000; i++) {
                if (environment.truncated()) {
                    environment.reset();
                }
                environment.step(action, 0);
                environment.observe(observation, 0);
            }
        };
        play.run();
        // the JIT may still be at work; a byte a step would be 20,000
        assertThat(Allocation.of(play)).isLessThan(10_000);
    }

    @Test
    void anActionIsStretchedOverItsBox() {
        Ramp ramp = new Ramp();
        Environment stretched = new RescaleAction(ramp);
        assertThat(stretched.actions()).isEqualTo(Box.symmetric(1));
        float[][] pairs = {{-1, -2}, {-0.5f, 0}, {0, 2}, {0.25f, 3}, {1, 6}, {1.5f, 6}, {-7, -2}};
        for (float[] pair : pairs) {
            stretched.reset(Pcg64.of(0));
            stretched.step(pair, 0);
            assertThat(ramp.done()).as("of %s", pair[0]).isEqualTo(pair[1]);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RescaleAction(new CartPole()))
                .withMessage("CartPole-v1: rescaled actions must be of a box, they are of Discrete(2)");
    }

    @Test
    void moreFramesThanAnArrayHoldsAreRefused() {
        Environment two = new FrameStack(new Ramp(), 2);
        assertThatThrownBy(() -> new FrameStack(two, 1 << 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Ramp: stacked observations: must have at most 2147483647 elements, 1073741824 · 2 are"
                        + " 2147483648");
    }

    @Test
    void framesAreStackedAndFilledWithTheFirst() {
        FrameStack stack = new FrameStack(new Ramp(), 3);
        assertThat(stack.observations())
                .hasToString("Box(3,1) of [-1000.0, -1000.0, -1000.0] to [1000.0, 1000.0, 1000.0]");
        stack.reset(Pcg64.of(0));
        assertThat(RandomPlay.observed(stack)).containsExactly(0, 0, 0);
        stack.step(NOTHING, 0);
        assertThat(RandomPlay.observed(stack)).containsExactly(0, 0, 1);
        stack.step(NOTHING, 0);
        stack.step(NOTHING, 0);
        assertThat(RandomPlay.observed(stack)).containsExactly(1, 4, 9);
        stack.reset();
        assertThat(RandomPlay.observed(stack)).containsExactly(0, 0, 0);
    }

    @Test
    void aWholeNumberIsOneHotEncoded() {
        Environment cliff = new OneHotObservations(new CliffWalking());
        assertThat(cliff.observations()).isEqualTo(Box.of(48, 0, 1).whole());
        cliff.reset(Pcg64.of(0));
        float[] seen = RandomPlay.observed(cliff);
        assertThat(seen[36]).isEqualTo(1);
        seen[36] = 0;
        assertThat(seen).containsOnly(0);
        Environment blackjack = new OneHotObservations(new Blackjack());
        blackjack.reset(Pcg64.of(0)); // 11 against 10, no usable ace
        float[] hand = RandomPlay.observed(blackjack);
        assertThat(hand).hasSize(32 + 11 + 2);
        assertThat(new float[] {hand[11], hand[32 + 10], hand[32 + 11]}).containsOnly(1);
        assertThat(Arrays.hashCode(hand)).isNotZero();
        assertThat(EnvironmentChecker.check(() -> new OneHotObservations(new Blackjack())))
                .isEmpty();
        assertThat(EnvironmentChecker.check(() -> new OneHotObservations(new TimeLimit(new Taxi(), 50))))
                .isEmpty();
    }

    @Test
    void mistakesDuringUseAreStoppedWithTheirPlace() {
        for (Faulty.Fault fault : List.of(Faulty.Fault.OUTSIDE, Faulty.Fault.NAN, Faulty.Fault.NAN_REWARD)) {
            Environment checked = new CheckedEnvironment(new Faulty(fault));
            checked.reset(Pcg64.of(0));
            while (!checked.terminated()) {
                checked.step(NOTHING, 0);
            }
            checked.reset();
            checked.step(NOTHING, 0);
            assertThatIllegalStateException()
                    .isThrownBy(() -> checked.step(NOTHING, 0))
                    .withMessage("Faulty, episode 2, step 2: "
                            + switch (fault) {
                                case OUTSIDE ->
                                    "an observation must be of Box(2) of [0.0, 0.0] to [50.0, 50.0], was [70.0, 2.0]";
                                case NAN -> "an observation must be finite, was [NaN, 2.0]";
                                default -> "the reward must be finite, was NaN";
                            });
        }
    }
}
