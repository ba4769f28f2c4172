package hocket.workbench.sweeps;

import java.util.List;

/**
 * The rungs of successive halving: how long trials train, and how many continue.
 *
 * @param count number of rungs; 1 if all trials train to their end
 * @param eta one in {@code eta} trials continues
 */
record Rungs(int count, int eta) {
    static Rungs of(StrategySpec strategy) {
        return strategy instanceof StrategySpec.HalvingSpec halving
                ? new Rungs(
                        halving.successiveHalving().rungs(),
                        halving.successiveHalving().eta())
                : new Rungs(1, 2);
    }

    /** Returns the fraction of the whole budget at which a rung ends, in (0, 1]: a power of 1/eta. */
    double part(int rung) {
        double part = 1;
        for (int above = count - 1; above > rung; above--) {
            part /= eta;
        }
        return part;
    }

    /** Returns how many of the trials that have finished a rung continue. */
    int survivorCount(int trials) {
        return Math.max(1, trials / eta);
    }

    /**
     * Returns the trials that continue: the best.
     *
     * @param trials number of these trials
     * @param best the trials that did not fail, the best first
     */
    <T> List<T> survivors(int trials, List<T> best) {
        return best.subList(0, Math.min(best.size(), survivorCount(trials)));
    }
}
