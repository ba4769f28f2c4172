package hocket.rl.algorithms;

import hocket.schedulers.optimizers.Progress;
import hocket.schedulers.optimizers.Rate;

/** Environment steps as rounds of a plan. */
public final class Budgets {
    private Budgets() {}

    /**
     * Steps that are learnt from.
     *
     * @throws IllegalArgumentException if none remain
     */
    static long learning(long totalSteps, int learningStarts) {
        if (learningStarts >= totalSteps) {
            throw new IllegalArgumentException(
                    "learning_starts must be less than total_steps, were " + learningStarts + " and " + totalSteps);
        }
        return totalSteps - learningStarts;
    }

    /** Rounds until so many steps are reached: the quotient, rounded up. */
    public static long rounds(long steps, long stepsOfRound) {
        return (steps + stepsOfRound - 1) / stepsOfRound;
    }

    /** A rate that falls to 0 in a line, a step of it each round: {@code start·(1 - round/rounds)}, rounds from 0. */
    public static Rate falling(double start, long rounds) {
        return new Falling(start, rounds);
    }

    private record Falling(double start, long rounds) implements Rate {
        @Override
        public double at(Progress at) {
            return start * Math.max(0, 1 - (double) at.round() / rounds);
        }

        @Override
        public String describe() {
            return start + ", falling to 0 over " + rounds + " rounds";
        }
    }
}
