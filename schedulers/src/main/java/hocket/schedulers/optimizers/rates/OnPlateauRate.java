package hocket.schedulers.optimizers.rates;

import hocket.schedulers.settings.Setting;

/**
 * A rate that is multiplied by a factor when a metric stops decreasing, as PyTorch's {@code ReduceLROnPlateau}, which looks
 * once at each value that is new at an update: the means of {@code window} values are compared with the least so far; after
 * more than {@code patience} of them that are not below it by {@code threshold} of its size, the rate falls.
 *
 * @param rate the rate before anything is multiplied
 * @param watches the metric: {@code d/loss} for the loss of turn d
 * @param window values in a mean, at least 1
 * @param patience means that may not improve
 * @param factor factor of each fall, in [0, 1]
 * @param least the smallest rate, at least 0
 * @param threshold relative decrease that counts as better, at least 0
 */
public record OnPlateauRate(
        @Setting(help = "the initial rate") Rate rate,

        @Setting(help = "the metric, such as d/loss") String watches,

        @Setting(usually = "1", least = 1, help = "values in a mean")
        int window,

        @Setting(usually = "10", least = 0, help = "number of means without improvement")
        int patience,

        @Setting(usually = "0.1", least = 0, most = 1, help = "factor of each reduction")
        double factor,

        @Setting(usually = "0", least = 0, help = "the smallest rate")
        double least,

        @Setting(usually = "1e-4", least = 0, help = "relative decrease that counts as better")
        double threshold)
        implements MetricRate<OnPlateauRate.Memory>, OnPlateauRateCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, or the initial rate watches a metric, too */
    public OnPlateauRate {
        OnPlateauRateCopies.check(window, patience, factor, least, threshold);
        MetricRate.requireOutermost("rate", rate);
    }

    /**
     * The memory of this rate.
     *
     * @param sum of the values of this window
     * @param seen number of these values
     * @param means number of means so far
     * @param best the least of them
     * @param waited number of means since that were not better
     * @param scale factor of the rate
     */
    public record Memory(double sum, int seen, long means, double best, int waited, double scale) {}

    @Override
    public Memory start() {
        return new Memory(0, 0, 0, 0, 0, 1);
    }

    @Override
    public Memory next(Memory memory, double value) {
        double sum = memory.sum() + value;
        int seen = memory.seen() + 1;
        if (seen < window) {
            return new Memory(sum, seen, memory.means(), memory.best(), memory.waited(), memory.scale());
        }
        double mean = sum / seen;
        long means = memory.means() + 1;
        if (means == 1 || mean < memory.best() - threshold * Math.abs(memory.best())) {
            return new Memory(0, 0, means, mean, 0, memory.scale());
        } else if (memory.waited() < patience) {
            return new Memory(0, 0, means, memory.best(), memory.waited() + 1, memory.scale());
        }
        return new Memory(0, 0, means, memory.best(), 0, memory.scale() * factor);
    }

    @Override
    public double at(Memory memory, TrainingProgress trainingProgress) {
        double whole = rate.at(trainingProgress);
        return Math.min(whole, Math.max(least, whole * memory.scale()));
    }
}
