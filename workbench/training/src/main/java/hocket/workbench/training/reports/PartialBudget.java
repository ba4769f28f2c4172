package hocket.workbench.training.reports;

import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import java.util.Optional;

/**
 * Ends a run with the round that reaches a part of its budget.
 *
 * @param part in (0, 1)
 */
public record PartialBudget(double part) implements Ring {
    /** Parts of budgets are sums. */
    private static final double NEARLY = 1e-9;

    /** Returns whether a run between two rounds has reached its part of the budget. */
    public static boolean isThere(Scheduler scheduler, double part) {
        return part < 1 && scheduler.done(scheduler.phase().budget()) >= part - NEARLY;
    }

    @Override
    public Optional<Trigger> trigger() {
        return Optional.of(Trigger.everyRounds(1));
    }

    @Override
    public void due(Run run) {
        if (isThere(run.scheduler(), part)) {
            run.stop();
        }
    }
}
