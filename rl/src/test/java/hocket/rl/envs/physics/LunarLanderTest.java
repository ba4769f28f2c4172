package hocket.rl.envs.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentPicture;
import hocket.rl.envs.Environments;
import hocket.rl.envs.RandomPlay;
import hocket.rl.random.Pcg64;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the physics, the rewards, the options and the saved state of a lunar lander. */
class LunarLanderTest {
    private static final int X = 0;
    private static final int SPEED_X = 2;
    private static final int SPEED_Y = 3;
    private static final int SPIN = 5;
    private static final float[] NOTHING = {0};
    private static final float[] LEFT = {1};
    private static final float[] MAIN = {2};
    private static final float[] RIGHT = {3};

    /** Velocities are observed in other units: 10/50 across, 20/3/50 down, 20/50 in rotation. */
    private static final double UNIT_Y = 50 / (20.0 / 3);

    private static final double UNIT_X = 5;
    private static final double UNIT_SPIN = 2.5;

    /** The mass of the lander and its legs. */
    private static final double MASS = 4.81667 + 2 * 0.0711111;

    /** The moment of inertia of the lander and its legs, about. */
    private static final double INERTIA = 0.9;

    private static final int STEPS_OF_WIND = 15;

    /** Flies towards the pad, upright, and brakes: lands in about 92 of 100 episodes, here and in Gymnasium. */
    private static float[] controlled(float[] seen) {
        double aim = Math.max(-0.4, Math.min(0.4, 0.5 * seen[X] + seen[SPEED_X]));
        boolean onGround = seen[6] > 0 || seen[7] > 0;
        double turn = onGround ? 0 : (aim - seen[4]) * 0.5 - seen[SPIN];
        double up = onGround ? -0.5 * seen[SPEED_Y] : (0.55 * Math.abs(seen[X]) - seen[1] - seen[SPEED_Y]) * 0.5;
        if (up > Math.abs(turn) && up > 0.05) {
            return MAIN;
        }
        return turn < -0.05 ? RIGHT : turn > 0.05 ? LEFT : NOTHING;
    }

    private static Environment started(String name, long seed, Map<String, ?> options) {
        Environment environment = Environments.make(name, options);
        environment.reset(Pcg64.of(seed));
        return environment;
    }

    /** Plays until an episode has ended, or a leg touches the ground where asked for. */
    private static double play(Environment environment, UnaryOperator<float[]> policy, boolean untilContact) {
        double total = 0;
        float[] seen = RandomPlay.observed(environment);
        while (!environment.terminated()
                && !environment.truncated()
                && !(untilContact && (seen[6] > 0 || seen[7] > 0))) {
            environment.step(policy.apply(seen), 0);
            total += environment.reward();
            seen = RandomPlay.observed(environment);
        }
        return total;
    }

    private static List<String> log(Environment environment, int steps) {
        List<String> log = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            if (environment.terminated() || environment.truncated()) {
                environment.reset();
            } else {
                environment.step(controlled(RandomPlay.observed(environment)), 0);
            }
            log.add(Arrays.toString(RandomPlay.observed(environment)) + Double.toHexString(environment.reward()));
        }
        return log;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStateSavedWithALegOnTheGroundContinuesBitForBitAlsoAcrossResets(boolean wind) {
        Map<String, Boolean> options = Map.of("enable_wind", wind);
        Environment environment = started("LunarLander-v3", 10_000, options);
        play(environment, LunarLanderTest::controlled, true);
        environment.step(NOTHING, 0);
        assertThat(RandomPlay.observed(environment)[6] + RandomPlay.observed(environment)[7])
                .isPositive();
        State saved = environment.save();
        List<String> wanted = log(environment, 900);
        Environment other = Environments.make("LunarLander-v3", options);
        other.restore(saved);
        assertThat(other.save()).isEqualTo(saved);
        assertThat(log(other, 900)).isEqualTo(wanted);
        environment.restore(saved);
        assertThat(log(environment, 900)).isEqualTo(wanted);
    }

    @Test
    void aStateWhoseActionsAreMissingIsRefusedAndChangesNothing() {
        Environment environment = started("LunarLander-v3", 1, Map.of()).unwrapped();
        environment.step(MAIN, 0);
        environment.step(LEFT, 0);
        State before = environment.save();
        State world = before.state("world");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment.restore(before.with("world", world.with("steps", 3))))
                .withMessage("the saved state's actions must hold 3 numbers, has 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> environment.restore(before.with("world", world.without("actions"))));
        assertThat(environment.save()).isEqualTo(before);
    }

    /** In 200 episodes of these seeds Gymnasium's mean is 242, with a standard error of 6.5; 93 % land. */
    @Test
    void theControllerThatLandsInGymnasiumLandsHere() {
        Environment environment = Environments.make("LunarLander-v3");
        double total = 0;
        int landed = 0;
        for (int seed = 0; seed < 60; seed++) {
            environment.reset(Pcg64.of(10_000 + seed));
            total += play(environment, LunarLanderTest::controlled, false);
            landed += environment.reward() == 100 ? 1 : 0;
        }
        assertThat(total / 60).isBetween(242 - 3 * 14.0, 242 + 3 * 14.0);
        assertThat(landed).isGreaterThanOrEqualTo(50);
    }

    /**
     * An impulse of 13 times the nozzle's offset: 4 of 30 units downwards, along and across perturbed by the two numbers that a
     * step draws.
     */
    @Test
    void theMainEngineChangesTheVelocityByItsImpulse() {
        for (int seed = 0; seed < 5; seed++) {
            double[] drawn = drawn(seed);
            double[] change = change(seed, MAIN);
            assertThat(change[1]).isCloseTo(13 * (4 + 2 * drawn[0]) / 30 / MASS, within(0.003));
            assertThat(change[0]).isCloseTo(13 * drawn[1] / 30 / MASS, within(0.01));
        }
    }

    /** An impulse of 0.6 times the nozzle's offset: 12 of 30 units outwards, across perturbed threefold; it also turns. */
    @Test
    void aSideEngineChangesTheVelocityAndTheSpinByItsImpulse() {
        for (int seed = 0; seed < 5; seed++) {
            double across = 3 * drawn(seed)[1];
            double[] left = change(seed, LEFT);
            double[] right = change(seed, RIGHT);
            assertThat(left[0]).isCloseTo(-0.6 * (12 - across) / 30 / MASS, within(0.003));
            assertThat(right[0]).isCloseTo(0.6 * (12 + across) / 30 / MASS, within(0.003));
            assertThat(left[2]).isBetween(0.05, 0.15);
            assertThat(right[2]).isBetween(-0.15, -0.05);
        }
    }

    /** The two numbers that perturb the engines in the first step of an episode, from its seed. */
    private static double[] drawn(long seed) {
        Pcg64 random = Pcg64.of(seed);
        for (int i = 0; i < 12 + 2 + 2; i++) {
            random.random();
        }
        return new double[] {random.uniform(-1, 1), random.uniform(-1, 1)};
    }

    /** By how much velocities after one step with an action differ from those after one without. */
    private static double[] change(long seed, float[] action) {
        Environment with = started("LunarLander-v3", seed, Map.of());
        Environment without = started("LunarLander-v3", seed, Map.of());
        with.step(action, 0);
        without.step(NOTHING, 0);
        float[] one = RandomPlay.observed(with);
        float[] other = RandomPlay.observed(without);
        return new double[] {
            (one[SPEED_X] - other[SPEED_X]) * UNIT_X,
            (one[SPEED_Y] - other[SPEED_Y]) * UNIT_Y,
            (one[SPIN] - other[SPIN]) * UNIT_SPIN
        };
    }

    @Test
    void theGroundIsSmoothAndFlatAroundThePad() {
        LunarTerrain terrain = new LunarTerrain(Pcg64.of(1));
        Pcg64 random = Pcg64.of(1);
        double[] drawn = new double[12];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = random.uniform(0, 20.0 / 3);
        }
        assertThat(terrain.ys[1]).isEqualTo(0.33 * (drawn[0] + drawn[1] + drawn[2]));
        assertThat(terrain.ys[0]).isEqualTo(0.33 * (drawn[11] + drawn[0] + drawn[1]));
        assertThat(Arrays.copyOfRange(terrain.ys, 4, 7)).containsOnly(0.33 * (10.0 / 3 + 10.0 / 3 + 10.0 / 3));
        assertThat(terrain.padLeft()).isEqualTo(8);
        assertThat(terrain.padRight()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-10, -4, -11.5})
    void aLanderFallsByGravity(double gravity) {
        Environment environment = started("LunarLander-v3", 4, Map.of("gravity", gravity));
        float[] before = RandomPlay.observed(environment);
        for (int i = 0; i < 10; i++) {
            environment.step(NOTHING, 0);
        }
        float[] after = RandomPlay.observed(environment);
        assertThat((after[SPEED_Y] - before[SPEED_Y]) * UNIT_Y).isCloseTo(gravity * 10 / 50, within(0.02));
        assertThat(after[SPEED_X]).isCloseTo(before[SPEED_X], within(0.01f));
    }

    /** The forces are tanh(sin(0.02 t) + sin(0.01 π t)) of two times that start at whole numbers drawn after the first push. */
    @Test
    void windPushesAndTurnsByItsPower() {
        Pcg64 random = Pcg64.of(6);
        for (int i = 0; i < 12 + 2; i++) {
            random.random();
        }
        double gusts = gusts(random.integers(-9999, 9999));
        double whirls = gusts(random.integers(-9999, 9999));
        float[] calm = fallen(Map.of("enable_wind", true, "wind_power", 0, "turbulence_power", 0));
        float[] windy = fallen(Map.of("enable_wind", true, "wind_power", 20, "turbulence_power", 0));
        float[] turbulent = fallen(Map.of("enable_wind", true, "wind_power", 0, "turbulence_power", 2));
        assertThat((windy[SPEED_X] - calm[SPEED_X]) * UNIT_X).isCloseTo(gusts * 20 / 50 / MASS, withinPercentage(3));
        assertThat((turbulent[SPIN] - calm[SPIN]) * UNIT_SPIN)
                .isCloseTo(whirls * 2 / 50 / INERTIA, withinPercentage(10));
    }

    private static double gusts(long start) {
        double sum = 0;
        for (int i = 0; i <= STEPS_OF_WIND; i++) {
            long time = start + i;
            sum += Math.tanh(Math.sin(0.02 * time) + Math.sin(0.01 * Math.PI * time));
        }
        return sum;
    }

    private static float[] fallen(Map<String, ?> options) {
        Environment environment = started("LunarLander-v3", 6, options);
        for (int i = 0; i < STEPS_OF_WIND; i++) {
            environment.step(NOTHING, 0);
        }
        return RandomPlay.observed(environment);
    }

    @Test
    void aCrashAndLeavingThePictureCost100() {
        Environment falls = started("LunarLander-v3", 3, Map.of());
        play(falls, seen -> NOTHING, false);
        assertThat(falls.terminated()).isTrue();
        assertThat(falls.reward()).isEqualTo(-100);
        assertThat(Math.abs(RandomPlay.observed(falls)[X])).isLessThan(1);

        Environment leaves = started("LunarLanderContinuous-v3", 0, Map.of("gravity", -0.1));
        play(leaves, seen -> new float[] {-1, 0}, false);
        assertThat(leaves.reward()).isEqualTo(-100);
        assertThat(RandomPlay.observed(leaves)[X]).isGreaterThanOrEqualTo(1);
    }

    @Test
    void rewardsAreTheChangeOfShapingLessTheFuel() {
        Environment environment = started("LunarLanderContinuous-v3", 5, Map.of());
        float[][] actions = {{-1, 0}, {0, 0.5f}, {1, 0}, {0.2f, 0}, {-1, 0.75f}, {-1, -3}, {7, 0}};
        double[] fuel = {0, 0, 0.3, 0.3 * 0.6, 0.03 * 0.75, 0.03, 0.3};
        for (int i = 0; i < actions.length; i++) {
            double before = shaping(RandomPlay.observed(environment));
            environment.step(actions[i], 0);
            double after = shaping(RandomPlay.observed(environment));
            assertThat(environment.reward())
                    .as(Arrays.toString(actions[i]))
                    .isCloseTo(after - before - fuel[i], within(1e-4));
        }
    }

    private static double shaping(float[] seen) {
        return -100 * Math.hypot(seen[X], seen[1])
                - 100 * Math.hypot(seen[SPEED_X], seen[SPEED_Y])
                - 100 * Math.abs(seen[4])
                + 10 * (seen[6] + seen[7]);
    }

    @Test
    void weakThrottlesOfSideEnginesAreOff() {
        Environment one = started("LunarLander-v3", 9, Map.of("continuous", true));
        Environment other = started("LunarLanderContinuous-v3", 9, Map.of());
        Environment third = started("LunarLanderContinuous-v3", 9, Map.of("continuous", false));
        one.step(new float[] {-0.1f, 0.5f}, 0);
        other.step(new float[] {0, -0.3f}, 0);
        third.step(NOTHING, 0);
        assertThat(RandomPlay.observed(one)).isEqualTo(RandomPlay.observed(other));
        assertThat(RandomPlay.observed(one)).isEqualTo(RandomPlay.observed(third));
    }

    @Test
    void optionsOutsideTheirRangesAreRefused() {
        refused(Map.of("gravity", 0), "LunarLander: gravity must be above -12 and below 0, was 0.0");
        refused(Map.of("gravity", -12), "LunarLander: gravity must be above -12 and below 0, was -12.0");
        refused(Map.of("wind_power", 20.5), "LunarLander: wind_power must be 0 to 20, was 20.5");
        refused(Map.of("turbulence_power", -1), "LunarLander: turbulence_power must be 0 to 2, was -1.0");
        refused(Map.of("gravity", Double.NaN), "LunarLander: gravity must be above -12 and below 0, was NaN");
    }

    private static void refused(Map<String, ?> options, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Environments.make("LunarLander-v3", options))
                .withMessage(message);
    }

    @Test
    void flamesShowWhichEnginesBurn() {
        int[] none = flames(NOTHING);
        int[] main = flames(MAIN);
        int[] left = flames(LEFT);
        int[] right = flames(RIGHT);
        assertThat(none).containsExactly(0, 0);
        assertThat(main[0]).isPositive();
        assertThat(main[1]).isPositive();
        assertThat(left).satisfies(sides -> assertThat(sides[1]).isGreaterThan(sides[0]));
        assertThat(right).satisfies(sides -> assertThat(sides[0]).isGreaterThan(sides[1]));
    }

    /** The number of orange pixels to the left and to the right of the lander. */
    private static int[] flames(float[] action) {
        Environment environment = started("LunarLander-v3", 2, Map.of());
        for (int i = 0; i < 30; i++) {
            environment.step(NOTHING, 0);
        }
        environment.step(action, 0);
        int middle = 300 + (int) (300 * RandomPlay.observed(environment)[X]);
        int[] pixels = EnvironmentPicture.of(environment, 600, 400).getRGB(0, 0, 600, 400, null, 0, 600);
        int[] counts = new int[2];
        for (int i = 0; i < pixels.length; i++) {
            if ((pixels[i] & 0xffffff) == 0xf08a24) {
                counts[i % 600 < middle ? 0 : 1]++;
            }
        }
        return counts;
    }

    @Test
    void theStateIsSaidInWords() {
        Environment environment = started("LunarLander-v3", 2, Map.of());
        environment.step(MAIN, 0);
        assertThat(environment.text())
                .matches("at \\(\\S+, \\S+\\), velocity \\(\\S+, \\S+\\), angle \\S+°, spin \\S+, legs up up, "
                        + "main 1.00, side 0.00");
    }
}
