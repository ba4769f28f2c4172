package hocket.rl.envs.wrappers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import hocket.rl.envs.Allocation;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.Environments;
import hocket.rl.envs.Ramp;
import hocket.rl.envs.StateArrays;
import hocket.rl.envs.VectorEnvironment;
import hocket.rl.envs.tabular.Taxi;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests normalisation by statistics of all environments. */
class VectorNormalisationTest {
    private static final double FIRST_COUNT = 1e-4;

    private static VectorNormalisation ramps() {
        return new VectorNormalisation(VectorEnvironment.of(Ramp::new, 2, Autoreset.SAME_STEP), 0.5);
    }

    /** Two equal environments with observations 0, 1, 4, and 9 at the end, and rewards 1, 2, 3. */
    @Test
    void statisticsAreOfAllEnvironmentsTogether() {
        VectorNormalisation vector = ramps();
        List<Integer> lengths = new ArrayList<>();
        vector.listen((environment, ret, length) -> lengths.add((int) ret * 10 + length));
        vector.reset(0);
        assertThat(vector.observations()).containsExactly(0, 0);
        vector.step();
        // rows 0, 0, 1, 1 after the count of 1e-4 at mean 0 and variance 1
        double n = 4 + FIRST_COUNT;
        double mean = 2 / n;
        double variance = (FIRST_COUNT + 2) / n - mean * mean;
        assertThat(vector.observations()[0])
                .isCloseTo((float) ((1 - mean) / Math.sqrt(variance + 1e-8)), within(1e-6f)); // one float32 rounding
        // discounted sums 1, 1
        double m = 2 + FIRST_COUNT;
        double returned = (FIRST_COUNT + 2) / m - (2 / m) * (2 / m);
        assertThat(vector.rewards()[1]).isEqualTo(10); // 1 / 0.01 is clipped
        assertThat(1 / Math.sqrt(returned)).isGreaterThan(10);
        vector.step();
        // sums 2.5, 2.5
        m += 2;
        returned = (FIRST_COUNT + 2 + 2 * 6.25) / m - (7 / m) * (7 / m);
        assertThat(vector.rewards()[1]).isCloseTo(2 / Math.sqrt(returned + 1e-8), within(1e-9));
        assertThat(vector.rawRewards()).containsExactly(2, 2);
        vector.step();
        assertThat(vector.terminated()).containsExactly(true, true);
        // the statistics have seen 0, 1, 4 and the next start 0, each twice
        n = 8 + FIRST_COUNT;
        mean = 10 / n;
        variance = (FIRST_COUNT + 2 * 17) / n - mean * mean;
        assertThat(vector.finalObservations()[1])
                .isCloseTo((float) ((9 - mean) / Math.sqrt(variance + 1e-8)), within(1e-5f));
        assertThat(vector.observations()[1]).isCloseTo((float) (-mean / Math.sqrt(variance + 1e-8)), within(1e-6f));
        assertThat(lengths).containsExactly(63, 63);
        vector.step();
        // a new episode's sum begins anew: 1, after 1, 2.5 and 4.25
        m += 4;
        returned = (FIRST_COUNT + 2 * (1 + 6.25 + 4.25 * 4.25 + 1)) / m - Math.pow(2 * (1 + 2.5 + 4.25 + 1) / m, 2);
        assertThat(vector.rewards()[0]).isCloseTo(1 / Math.sqrt(returned + 1e-8), within(1e-9));
    }

    @Test
    void frozenStatisticsStayAndCanBeCopied() {
        VectorNormalisation trained = ramps();
        trained.reset(0);
        trained.step();
        trained.step();
        VectorNormalisation evaluated = ramps();
        evaluated.adopt(trained.save());
        evaluated.freeze(true);
        State before = evaluated.save();
        evaluated.reset(1);
        evaluated.step();
        assertThat(evaluated.save().state("observed")).isEqualTo(before.state("observed"));
        assertThat(evaluated.save().state("returned").state("moments"))
                .isEqualTo(before.state("returned").state("moments"))
                .isEqualTo(trained.save().state("returned").state("moments"));
        assertThat(trained.save().state("observed")).isEqualTo(before.state("observed"));
    }

    @Test
    void aNewEpisodeBeginsWithAReturnOfZero() {
        VectorNormalisation vector = ramps();
        vector.reset(0);
        vector.step();
        assertThat(returns(vector)).containsExactly(1, 1);
        vector.reset(new boolean[] {true, false});
        assertThat(returns(vector)).containsExactly(0, 1);
        vector.reset();
        assertThat(returns(vector)).containsExactly(0, 0);
    }

    @Test
    void aStateOfAnotherNumberOfEnvironmentsIsRefusedAndChangesNothing() {
        VectorNormalisation vector = ramps();
        vector.reset(0);
        State saved = vector.save();
        State three = saved.state("returned").with("returns", StateArrays.tensor(1.0, 2.0, 3.0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> vector.restore(saved.with("returned", three)))
                .withMessage("the saved state's returns must hold 2 numbers, has 3");
        assertThat(vector.save()).isEqualTo(saved);
    }

    private static double[] returns(VectorNormalisation vector) {
        return vector.save().state("returned").tensor("returns").doubles();
    }

    @Test
    void onlyTheSelectedPartsAreNormalised() {
        VectorEnvironment taxis = VectorEnvironment.of(Taxi::new, 2, Autoreset.SAME_STEP);
        VectorNormalisation rewards = new VectorNormalisation(taxis, false, true, 0.9);
        assertThat(rewards.observationSpace()).isEqualTo(new Discrete(500));
        rewards.reset(0);
        assertThat(rewards.observations()).isEqualTo(taxis.observations());
        rewards.step();
        assertThat(rewards.rewards()[0]).isNotEqualTo(taxis.rewards()[0]);
        VectorEnvironment ramps = VectorEnvironment.of(Ramp::new, 2, Autoreset.SAME_STEP);
        VectorNormalisation observations = new VectorNormalisation(ramps, true, false, 0.9);
        observations.reset(0);
        observations.step();
        assertThat(observations.rewards()).containsExactly(1, 1);
        assertThat(observations.observations()).isNotEqualTo(ramps.observations());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VectorNormalisation(taxis, 0.9))
                .withMessage("Taxi-v4: normalised observations must be of a box, they are of Discrete(500)");
    }

    @Test
    void aRestoredStateContinuesBitForBit() {
        VectorNormalisation vector = pendulums();
        vector.reset(3);
        Pcg64 chooser = Pcg64.of(1);
        played(vector, chooser, 130);
        State saved = vector.save();
        State chooserSaved = chooser.save();
        List<String> wanted = played(vector, chooser, 130);
        VectorNormalisation other = pendulums();
        other.restore(saved);
        assertThat(other.save()).isEqualTo(saved);
        assertThat(played(other, Pcg64.of(chooserSaved), 130)).isEqualTo(wanted);
    }

    private static VectorNormalisation pendulums() {
        return new VectorNormalisation(
                VectorEnvironment.of(() -> Environments.make("Pendulum-v1"), 3, Autoreset.SAME_STEP), 0.99);
    }

    private static List<String> played(VectorEnvironment vector, Pcg64 chooser, int steps) {
        List<String> log = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            for (int j = 0; j < vector.size(); j++) {
                vector.actionSpace().sample(chooser, vector.actions(), j);
            }
            vector.step();
            log.add(Arrays.toString(vector.observations())
                    + Arrays.toString(vector.rewards())
                    + Arrays.toString(vector.finalObservations()));
        }
        return log;
    }

    @Test
    void aStepAllocatesNothing() {
        VectorNormalisation vector = pendulums();
        vector.reset(0);
        Runnable play = () -> {
            for (int i = 0; i < 10_000; i++) {
                vector.step();
            }
        };
        play.run();
        // the JIT may still be at work; a byte a step of an environment would be 30,000
        assertThat(Allocation.of(play)).isLessThan(15_000);
    }
}
