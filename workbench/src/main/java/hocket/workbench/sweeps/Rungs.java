package hocket.workbench.sweeps;

import java.util.List;

/**
 * For how long trials train, and which go on.
 *
 * @param count how many rungs there are; 1 where all train to their end
 * @param eta one of so many goes on
 */
record Rungs(int count, int eta) {
    static Rungs of(StrategySpec strategy) {
        return strategy instanceof StrategySpec.HalvingSpec halving
                ? new Rungs(
                        halving.successiveHalving().rungs(),
                        halving.successiveHalving().eta())
                : new Rungs(1, 2);
    }

    /** The part of the whole budget at which a rung ends, in (0, 1]: a power of 1/eta. */
    double part(int rung) {
        double part = 1;
        for (int above = count - 1; above > rung; above--) {
            part /= eta;
        }
        return part;
    }

    /** How many of those that came so far go on. */
    int going(int trials) {
        return Math.max(1, trials / eta);
    }

    /**
     * Which go on: the best.
     *
     * @param trials how many these are
     * @param best those that did not fail, the best first
     */
    <T> List<T> goingOn(int trials, List<T> best) {
        return best.subList(0, Math.min(best.size(), going(trials)));
    }
}
