package hocket.schedulers;

import hocket.schedulers.evaluation.Evaluation;
import hocket.scopes.Parameters;
import java.util.SortedMap;

/**
 * A run that was begun: a store, sources, acting worlds, and the scheduler over them, all its own, but for a store that it was
 * begun over. Used by the thread that began it; closing it frees what is its own.
 */
public final class LiveRun implements AutoCloseable {
    private final Setup setup;
    private final Parameters parameters;
    private final boolean owns;
    private final Scheduler scheduler;

    /** @param owns whether the store is closed with the run */
    LiveRun(Setup setup, Parameters parameters, int threads, boolean owns) {
        this.setup = setup.open();
        this.parameters = parameters;
        this.owns = owns;
        try {
            this.scheduler = this.setup.schedule(parameters, threads);
        } catch (RuntimeException | Error e) {
            closeStore();
            throw e;
        }
    }

    private void closeStore() {
        if (owns) {
            parameters.close();
        }
    }

    /** Its parts. */
    public Setup setup() {
        return setup;
    }

    /** Its store. */
    public Parameters parameters() {
        return parameters;
    }

    /** What takes its turns. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Runs what is left of it. Throws as {@link Scheduler#run()}.
     *
     * @throws IllegalStateException if a source stands where the budget ends before the first turn: a definition that does
     *     not make its sources anew
     */
    public void run() {
        Budget budget = scheduler.phase().budget();
        if (scheduler.done()
                && scheduler.position().step() == 0
                && budget.counted().isPresent()
                && budget.count() > 0) {
            throw new IllegalStateException(
                    "nothing is left to train: source " + budget.counted().get() + " has given " + budget.count()
                            + " epochs already; a definition makes its sources anew");
        }
        scheduler.run();
    }

    /**
     * How its parameters score now.
     *
     * @throws IllegalStateException if its setup says nothing of how to judge them
     */
    public SortedMap<String, Double> scores() {
        Evaluation evaluation = setup.evaluation()
                .orElseThrow(
                        () -> new IllegalStateException("the setup says nothing of how to judge: call evaluated(…)"));
        return scheduler.scores(evaluation);
    }

    @Override
    public void close() {
        try {
            scheduler.close();
        } finally {
            closeStore();
        }
    }
}
