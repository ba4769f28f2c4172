package hocket.schedulers;

import hocket.scopes.Parameters;
import java.util.SortedMap;

/**
 * A run that was begun: a store, sources, acting worlds, and the scheduler over them, all its own. Used by the thread that
 * began it; closing it frees all of it.
 */
public final class LiveRun implements AutoCloseable {
    private final Setup setup;
    private final Parameters parameters;
    private final Scheduler scheduler;

    /** @param parameters closed with the run */
    LiveRun(Setup setup, Parameters parameters, int threads) {
        this.setup = setup;
        this.parameters = parameters;
        try {
            this.scheduler = setup.schedule(parameters, threads);
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
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

    /** Runs what is left of it. Throws as {@link Scheduler#run()}. */
    public void run() {
        scheduler.run();
    }

    /**
     * How its parameters score now.
     *
     * @throws IllegalStateException if its setup says nothing of how to judge them
     */
    public SortedMap<String, Double> scores() {
        return setup.evaluation()
                .orElseThrow(
                        () -> new IllegalStateException("the setup says nothing of how to judge: call evaluated(…)"))
                .scores(parameters);
    }

    @Override
    public void close() {
        try (parameters) {
            scheduler.close();
        }
    }
}
