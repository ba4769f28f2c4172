package hocket.workbench.sweeps;

import hocket.schedulers.settings.Setting;
import hocket.workbench.files.forms.WrittenAsValue;
import java.util.List;

/** A strategy: which values are tried, and for how long. */
public sealed interface StrategySpec {
    /** The largest number of trials on one machine. */
    int MOST_TRIALS = 1000;

    /** A strategy without settings. */
    enum Strategy {
        /** The grid strategy. */
        GRID
    }

    /** Every combination of the values. */
    @WrittenAsValue
    record GridSpec(
            @Setting(help = "every combination of the values")
            Strategy strategy) implements StrategySpec {}

    /** Random search. */
    record RandomSpec(
            @Setting(help = "random values, such as {trials: 32}")
            TrialsSpec random) implements StrategySpec {}

    /** Successive halving. */
    record HalvingSpec(
            @Setting(help = "random values, of which the best continue, such as {trials: 27, eta: 3, rungs: 4}")
            RungsSpec successiveHalving)
            implements StrategySpec {}

    /** Population-based training. */
    record PopulationSpec(
            @Setting(help = "the worst trials copy the best during training, such as {members: 8, intervals: 10}")
            MembersSpec population)
            implements StrategySpec {}

    /** The number of trials. */
    record TrialsSpec(
            @Setting(least = 1, most = MOST_TRIALS, help = "the number of trials")
            int trials) {}

    /**
     * Successive halving (Jamieson and Talwalkar, 2016): of the trials of a rung the best 1/eta, at least one, continue
     * to the next from their own checkpoints. The last rung is the experiment's whole budget, each rung before it is
     * 1/eta of the next.
     */
    record RungsSpec(
            @Setting(least = 2, most = MOST_TRIALS, help = "number of trials at the start")
            int trials,

            @Setting(usually = "2", least = 2, most = 100, help = "one in eta trials continues to the next rung")
            int eta,

            @Setting(usually = "3", least = 2, most = 10, help = "rungs: the last is the whole budget")
            int rungs) {}

    /**
     * Population-based training (Jaderberg et al., 2017) with truncation selection: after each interval but the last,
     * each member of the worst fraction copies weights, states and settings of a member that is sampled from the best
     * fraction, and explores other settings around them.
     */
    record MembersSpec(
            @Setting(least = 2, most = MOST_TRIALS, help = "number of trials that train side by side")
            int members,

            @Setting(
                    usually = "10",
                    least = 2,
                    most = 1000,
                    help = "equal parts of the budget; the worst copy after each")
            int intervals,

            @Setting(
                    usually = "0.25",
                    least = 0.001,
                    most = 0.5,
                    help = "fraction of the worst members, which copy, and of the best, which are copied")
            double quantile,

            @Setting(
                    usually = "[0.8, 1.2]",
                    least = 0.001,
                    most = 1000,
                    help = "factors of which one perturbs a copied value")
            List<Double> factors,

            @Setting(
                    usually = "0.25",
                    least = 0,
                    most = 1,
                    help = "probability that a copied value is resampled instead of perturbed")
            double resample) {
        /** @throws IllegalArgumentException if no factor changes a value */
        public MembersSpec {
            if (factors.isEmpty() || factors.contains(1.0)) {
                throw new IllegalArgumentException("factors: must be numbers other than 1, was " + factors);
            }
        }

        /** Returns how many members copy another one after an interval, and from how many they choose. */
        int quantileCount() {
            return Math.min(members / 2, (int) Math.ceil(members * quantile));
        }

        /** Returns the fraction of the whole budget at which an interval ends. */
        double part(int interval) {
            return (interval + 1.0) / intervals;
        }
    }
}
