package hocket.schedulers.plans;

import hocket.schedulers.ScheduleView;
import hocket.schedulers.runs.DivergenceRules;
import hocket.scopes.Stream;
import java.util.OptionalDouble;

/**
 * The view of a plan where processes are in different turns: it has no metrics, since each process would decide by
 * different ones. Plans that request metrics in their first rounds are refused before training; this view refuses later
 * requests.
 *
 * @param view of one process
 */
public record ViewWithoutMetrics(ScheduleView view) implements ScheduleView {
    @Override
    public OptionalDouble average(String series, int window) {
        throw new IllegalStateException("the plan depends on " + series + DivergenceRules.IN_DIFFERENT_TURNS);
    }

    @Override
    public long count(String turn) {
        return view.count(turn);
    }

    @Override
    public long step() {
        return view.step();
    }

    @Override
    public long round() {
        return view.round();
    }

    @Override
    public double epoch(String source) {
        return view.epoch(source);
    }

    @Override
    public double setting(String name) {
        return view.setting(name);
    }

    @Override
    public Stream random() {
        return view.random();
    }

    @Override
    public Stream random(String name) {
        return view.random(name);
    }
}
