package hocket.schedulers.optimizers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.schedulers.optimizers.rates.CosineRate;
import hocket.schedulers.optimizers.rates.ExponentialRate;
import hocket.schedulers.optimizers.rates.InverseRate;
import hocket.schedulers.optimizers.rates.LinearRate;
import hocket.schedulers.optimizers.rates.MultiStepRate;
import hocket.schedulers.optimizers.rates.OnPlateauRate;
import hocket.schedulers.optimizers.rates.OneCycleRate;
import hocket.schedulers.optimizers.rates.PiecewiseRate;
import hocket.schedulers.optimizers.rates.PolynomialRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.StepRate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.rates.WarmRestartsRate;
import hocket.schedulers.optimizers.rates.WarmUpRate;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Values of rates, computed by hand from their formulas, with starts, exponents and units that are not the usual ones. */
class RatesTest {
    /** At 1-based updates, in round 0. */
    private static void updates(Rate rate, long[] updates, double... values) {
        for (int i = 0; i < updates.length; i++) {
            assertThat(rate.at(TrainingProgress.of(updates[i], 0, 0)))
                    .as(rate + " at update " + updates[i])
                    .isCloseTo(values[i], within(1e-12));
        }
    }

    private static void rounds(Rate rate, long[] rounds, double... values) {
        for (int i = 0; i < rounds.length; i++) {
            assertThat(rate.at(TrainingProgress.of(1000, rounds[i], 0)))
                    .as(rate + " in round " + rounds[i])
                    .isCloseTo(values[i], within(1e-12));
        }
    }

    @Test
    void aLineBeginsLaterAndEnds() {
        LinearRate line = new LinearRate(4, 1, 10, 6, RateUnit.UPDATE);
        updates(line, new long[] {1, 11, 13, 15, 17, 100}, 4, 4, 3, 2, 1, 1);
        assertThat(line.describe()).isEqualTo("4, from update 10 to 16 in a line to 1");
        assertThat(line).hasToString(line.describe());
        assertThat(line.per(RateUnit.ROUND).describe()).isEqualTo("4, from round 10 to 16 in a line to 1");
        rounds(line.per(RateUnit.ROUND), new long[] {0, 10, 12, 16}, 4, 4, 3, 1);
    }

    @Test
    void aPolynomialAndACosineBeginLater() {
        PolynomialRate squares = new PolynomialRate(5, 1, 10, 20, 2, RateUnit.UPDATE);
        updates(squares, new long[] {1, 21, 26, 31, 90}, 5, 5, 2, 1, 1);
        CosineRate cosine = new CosineRate(5, 1, 10, 20, 2, false, RateUnit.UPDATE);
        updates(cosine, new long[] {1, 21, 26, 31, 90}, 5, 5, 2, 1, 1);
        CosineRate swinging = new CosineRate(5, 1, 10, 20, 1, true, RateUnit.ROUND);
        rounds(swinging, new long[] {0, 20, 25, 30, 35, 40}, 5, 5, 3, 1, 3, 5);
    }

    @Test
    void inversesAndPowersDecay() {
        updates(new InverseRate(6, 4, 0.5, RateUnit.UPDATE), new long[] {1, 13, 33}, 6, 3, 2);
        rounds(new InverseRate(6, 4, 1, RateUnit.ROUND), new long[] {0, 4, 8}, 6, 3, 2);
        ExponentialRate stairs = new ExponentialRate(8, 0.5, 10, 5, true, 1.5, RateUnit.UPDATE);
        updates(stairs, new long[] {1, 15, 16, 25, 26, 36, 500}, 8, 8, 4, 4, 2, 1.5, 1.5);
        updates(stairs.staircase(false), new long[] {6, 26, 11}, 8, 2, 8 * Math.sqrt(0.5));
        rounds(new StepRate(8, 3, 0.5, RateUnit.ROUND), new long[] {0, 2, 3, 6}, 8, 8, 4, 2);
        rounds(new MultiStepRate(8, List.of(2L, 5L), 0.5, RateUnit.ROUND), new long[] {1, 2, 4, 5}, 8, 4, 4, 2);
        rounds(
                new PiecewiseRate(List.of(1.0, 5.0, 2.0), List.of(2L, 4L), RateUnit.ROUND),
                new long[] {1, 2, 4},
                1,
                5,
                2);
    }

    @Test
    void restartsGetLonger() {
        WarmRestartsRate growing = new WarmRestartsRate(5, 1, 4, 2, RateUnit.UPDATE);
        updates(growing, new long[] {1, 3, 5, 9, 13, 21}, 5, 3, 5, 3, 5, 3);
        updates(growing.growth(1), new long[] {1, 3, 5, 7, 9, 11}, 5, 3, 5, 3, 5, 3);
    }

    @Test
    void aWarmUpCountsItsOwnUnitAndLetsTheRateBeginAfterIt() {
        LinearRate then = new LinearRate(4, 0, 0, 4, RateUnit.UPDATE);
        updates(new WarmUpRate(4, then, 0, RateUnit.UPDATE), new long[] {1, 2, 3, 5, 6, 7, 9}, 0, 1, 2, 4, 3, 2, 0);
        updates(new WarmUpRate(4, then, 2, RateUnit.UPDATE), new long[] {1, 3}, 2, 3);
        LinearRate byRounds = then.per(RateUnit.ROUND);
        rounds(new WarmUpRate(4, byRounds, 0, RateUnit.ROUND), new long[] {0, 1, 3, 4, 5, 8}, 0, 1, 3, 4, 3, 0);
        LinearRate byEpochs = then.per(RateUnit.EPOCH);
        WarmUpRate epochs = new WarmUpRate(2, byEpochs, 0, RateUnit.EPOCH);
        for (double[] each : new double[][] {{0, 0}, {1, 2}, {2, 4}, {3, 3}, {5, 1}}) {
            assertThat(epochs.at(TrainingProgress.of(1000, 50, each[0]))).isEqualTo(each[1]);
        }
        // A warm-up in rounds of a rate in updates: the updates of the warm-up count.
        assertThat(new WarmUpRate(4, then.length(2000), 0, RateUnit.ROUND).at(TrainingProgress.of(1001, 4, 0)))
                .isEqualTo(2);
    }

    @Test
    void aPlateauIsOfMeansOfWindows() {
        OnPlateauRate rate = new OnPlateauRate(Rate.constant(8), "d/loss", 2, 1, 0.5, 3, 0.1);
        OnPlateauRate.Memory memory = rate.start();
        TrainingProgress at = TrainingProgress.of(1, 0, 0);
        assertThat(rate.at(at)).isEqualTo(8);
        // Means 10, 9.5 (not a tenth below), 8 (is), 7.5 (waits), 7.4 (reduces), 7.3 (waits), 7.25 (reduces, to the
        // least).
        double[] values = {9, 11, 9, 10, 8, 8, 7, 8, 7.4, 7.4, 7.3, 7.3, 7.2, 7.3};
        double[] rates = {8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 3};
        for (int i = 0; i < values.length; i++) {
            memory = rate.next(memory, values[i]);
            assertThat(rate.at(memory, at)).as("after %d values", i + 1).isEqualTo(rates[i]);
        }
        assertThat(memory.means()).isEqualTo(7);
        assertThat(memory.best()).isEqualTo(8);
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        Rate inner = new OnPlateauRate(Rate.constant(1), "d/loss", 1, 1, 0.5, 0, 0);
        for (ThrowingCallable each : List.<ThrowingCallable>of(
                () -> new LinearRate(-1, 1, 0, 1, RateUnit.UPDATE),
                () -> new LinearRate(1, 1, 0, 0, RateUnit.UPDATE),
                () -> new PolynomialRate(1, 0, 0, 0, 1, RateUnit.UPDATE),
                () -> new PolynomialRate(1, 0, 1, 0, 0, RateUnit.UPDATE),
                () -> new CosineRate(1, 0, 0, 0, 1, false, RateUnit.UPDATE),
                () -> new CosineRate(1, 0, 1, 0, 0, false, RateUnit.UPDATE),
                () -> new InverseRate(1, 0, 1, RateUnit.UPDATE),
                () -> new InverseRate(1, 1, 0, RateUnit.UPDATE),
                () -> new ExponentialRate(1, -1, 1, 0, false, 0, RateUnit.UPDATE),
                () -> new StepRate(1, 0, 1, RateUnit.UPDATE),
                () -> new MultiStepRate(-1, List.of(1L), 1, RateUnit.UPDATE),
                () -> new PiecewiseRate(List.of(1.0, -1.0), List.of(1L), RateUnit.UPDATE),
                () -> new PiecewiseRate(List.of(1.0, 1.0, 1.0), List.of(2L, 2L), RateUnit.UPDATE),
                () -> new WarmRestartsRate(1, 0, 0, 1, RateUnit.UPDATE),
                () -> new WarmUpRate(0, Rate.constant(1), 0, RateUnit.UPDATE),
                () -> new WarmUpRate(1, inner, 0, RateUnit.UPDATE),
                () -> new OnPlateauRate(inner, "d/loss", 1, 1, 0.5, 0, 0),
                () -> new OnPlateauRate(Rate.constant(1), "d/loss", 0, 1, 0.5, 0, 0),
                () -> new OneCycleRate(1, 0, 0.3, false, false, 0.85, 25, 1e4, Convention.PYTORCH, RateUnit.UPDATE))) {
            assertThatThrownBy(each).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRateDescribesItsSettings() {
        assertThat(new InverseRate(6, 4, 0.5, RateUnit.UPDATE).describe())
                .isEqualTo("inverse from 6.0 length 4 power 0.5");
        assertThat(new WarmUpRate(4, Rate.constant(2), 0, RateUnit.ROUND).describe())
                .startsWith("warm_up length 4 then ")
                .endsWith(" from 0.0 per round");
        assertThat(new CosineRate(1, 0, 5, 0, 1, true, RateUnit.UPDATE).describe())
                .isEqualTo("cosine from 1.0 to 0.0 length 5 begin 0 power 1.0 swings");
        Rate own = at -> 1;
        assertThat(own.describe()).isEqualTo("a function of the update");
    }
}
