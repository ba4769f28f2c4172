package hocket.schedulers;

import hocket.schedulers.evaluation.Evaluation;
import hocket.scopes.Parameters;
import java.util.SortedMap;

/**
 * A started run: a store, sources, environments and the scheduler over them. It owns all of them, except for a store
 * that it was started over. Only the thread that started it uses it; closing it frees what it owns.
 *
 * <p>For example:
 *
 * <pre>{@code
 * try (LiveRun live = definition.begin(7)) {
 *     live.run();
 *     System.out.println(live.scores());
 * }
 * }</pre>
 */
public final class LiveRun implements AutoCloseable {
    private final Setup setup;
    private final Parameters parameters;
    private final boolean owns;
    private final Scheduler scheduler;

    /** @param owns whether the store is closed with the run */
    LiveRun(Setup setup, Parameters parameters, int threads, boolean owns) {
        this.parameters = parameters;
        this.owns = owns;
        try {
            this.setup = setup.open();
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

    /** Returns the parts of the run. */
    public Setup setup() {
        return setup;
    }

    /** Returns the store. */
    public Parameters parameters() {
        return parameters;
    }

    /** Returns the scheduler that takes its turns. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Runs the rest of the run. Throws as {@link Scheduler#run()}.
     *
     * @throws IllegalStateException if a source is already at the end of the budget before the first turn, since the
     *     definition reuses sources
     */
    public void run() {
        Budget budget = scheduler.phase().budget();
        if (scheduler.done()
                && scheduler.position().step() == 0
                && budget.counted().isPresent()
                && budget.count() > 0) {
            throw new IllegalStateException(
                    "nothing is left to train: source " + budget.counted().get() + " has given " + budget.count()
                            + " epochs already; make the sources inside the definition");
        }
        scheduler.run();
    }

    /**
     * Evaluates the current parameters.
     *
     * @throws IllegalStateException if its setup has no evaluation
     */
    public SortedMap<String, Double> scores() {
        Evaluation evaluation = setup.evaluation()
                .orElseThrow(() -> new IllegalStateException("the setup has no evaluation: call evaluated(…)"));
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
