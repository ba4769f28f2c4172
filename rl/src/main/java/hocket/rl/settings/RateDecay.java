package hocket.rl.settings;

import hocket.schedulers.optimizers.rates.CosineRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.settings.FormerName;
import java.util.Locale;

/** How a learning rate, or a clip range, decays to 0 over a run. */
public enum RateDecay {
    /** It stays as it is. */
    @FormerName("false")
    NONE {
        @Override
        public Rate over(double start, long total, RateUnit unit) {
            return Rate.constant(start);
        }
    },
    /** {@code start·(1 - done/total)}. */
    @FormerName("true")
    LINEAR {
        @Override
        public Rate over(double start, long total, RateUnit unit) {
            return new Linear(start, total, unit);
        }
    },
    /** {@code start·(1 + cos(π·done/total))/2}. */
    COSINE {
        @Override
        public Rate over(double start, long total, RateUnit unit) {
            return new CosineRate(start, 0, total, 0, 1, false, unit);
        }
    };

    /**
     * Returns the rate over a run.
     *
     * @param start the rate at first
     * @param total units after which it is 0
     * @param unit a round, or an update where a round has many
     */
    public abstract Rate over(double start, long total, RateUnit unit);

    private record Linear(double start, long total, RateUnit unit) implements Rate {
        @Override
        public double at(TrainingProgress at) {
            return start * Math.max(0, 1 - unit.of(at) / total);
        }

        @Override
        public String describe() {
            return start + ", decaying to 0 over " + total + " " + unit.name().toLowerCase(Locale.ROOT) + "s";
        }
    }
}
