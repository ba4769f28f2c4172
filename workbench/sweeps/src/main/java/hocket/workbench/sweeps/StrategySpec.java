package hocket.workbench.sweeps;

import hocket.schedulers.settings.Setting;
import hocket.workbench.files.forms.WrittenAsValue;

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
}
