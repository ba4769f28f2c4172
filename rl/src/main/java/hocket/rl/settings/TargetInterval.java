package hocket.rl.settings;

import hocket.schedulers.Count;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.schedulers.plans.Repeat;

/**
 * The interval between updates of a target network, in rounds that each begin with one. If it is no multiple of the steps
 * of a collection, the collections of a round alternate between two numbers.
 *
 * @param collects collections of a round
 * @param rounds of the run
 * @param steps total environment steps of all rounds
 */
public record TargetInterval(Count collects, long rounds, long steps) {
    /**
     * Returns the rounds of a run.
     *
     * @param targetEvery environment steps between two updates
     * @param collected environment steps of a collection
     * @param steps environment steps of the run
     */
    public static TargetInterval of(long targetEvery, long collected, long steps) {
        long all = StepBudgets.rounds(steps, collected);
        if (targetEvery <= collected || targetEvery % collected == 0 || targetEvery / collected >= all) {
            int collects = (int) Math.min(Math.max(1, targetEvery / collected), all);
            long rounds = StepBudgets.rounds(all, collects);
            return new TargetInterval(new Count.Times(collects), rounds, rounds * collects * collected);
        }
        long rounds = StepBudgets.rounds(all * collected, targetEvery);
        return new TargetInterval(
                new UntilDue(targetEvery, collected), rounds, rounds * targetEvery / collected * collected);
    }

    /** Returns whether each collection is followed by an update. */
    private boolean isEachCollection() {
        return collects.equals(new Count.Times(1));
    }

    /**
     * Returns the plan of a round: the target's update, and until the next one collections, each followed by learning; {@code
     * sequence(collect, target, learning)} if each collection is followed by an update.
     */
    public Plan round(Turn target, Turn collect, Plan learning) {
        return isEachCollection()
                ? Plan.sequence(collect, target, learning)
                : Plan.sequence(target, new Repeat(collects, Plan.sequence(collect, learning)));
    }

    /** The number of collections between two updates. */
    record UntilDue(long every, long collected) implements Count {
        @Override
        public int at(ScheduleView view) {
            return (int) (before(view.round() + 1) - before(view.round()));
        }

        private long before(long round) {
            return round * every / collected;
        }

        @Override
        public String toString() {
            return "(" + every / collected + " or " + (every / collected + 1) + ")";
        }
    }
}
