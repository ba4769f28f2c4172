package hocket.rl.algorithms;

import hocket.schedulers.optimizers.Progress;
import hocket.schedulers.optimizers.Rate;

/** Rounds of environment steps. */
final class Budgets {
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

    /** Rounds until so many steps are reached. */
    static long rounds(long steps, long stepsOfRound) {
        return (steps + stepsOfRound - 1) / stepsOfRound;
    }

    /** A rate that falls to 0 in a line, a step of it each round: {@code start·(1 - round/rounds)}, rounds from 0. */
    static Rate falling(double start, long rounds, long updatesOfRound) {
        return new Falling(start, rounds, updatesOfRound);
    }

    private record Falling(double start, long rounds, long updatesOfRound) implements Rate {
        @Override
        public double at(Progress at) {
            long round = (at.update() - 1) / updatesOfRound;
            return start * Math.max(0, 1 - (double) round / rounds);
        }

        @Override
        public String describe() {
            return start + ", falling to 0 over " + rounds + " rounds";
        }
    }
}
