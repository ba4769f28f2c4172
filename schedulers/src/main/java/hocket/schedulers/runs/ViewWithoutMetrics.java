package hocket.schedulers.runs;

import hocket.schedulers.Scheduler;
import hocket.schedulers.turns.BoundTurns;
import java.util.OptionalDouble;

/**
 * The view of a plan where processes are in different turns: it has no metrics, since each process would decide by
 * different ones. Plans that request metrics in their first rounds are refused before training; this view refuses later
 * requests.
 */
public final class ViewWithoutMetrics extends RunView {
    public ViewWithoutMetrics(Scheduler scheduler, BoundTurns turns, History history) {
        super(scheduler, turns, history);
    }

    @Override
    public long reports(String series) {
        throw reading(series);
    }

    @Override
    public OptionalDouble average(String series, int window) {
        throw reading(series);
    }

    private static IllegalStateException reading(String series) {
        return new IllegalStateException("the plan depends on " + series + DivergenceRules.IN_DIFFERENT_TURNS);
    }
}
