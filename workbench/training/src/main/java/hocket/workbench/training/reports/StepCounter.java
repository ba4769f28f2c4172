package hocket.workbench.training.reports;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.workbench.terminal.NumberFormats;
import java.util.OptionalDouble;

/**
 * Counts the steps that a run's Java turns report as {@code steps}, such as those of an environment.
 */
public final class StepCounter implements Event.Listener {
    /** The name of the metric with this count. */
    static final String NAME = "steps";

    private double first = Double.NaN;
    private double last = Double.NaN;

    @Override
    public void acted(Run run, Event.Acted acted) {
        if (acted.metrics().names().contains(NAME)) {
            last = acted.metrics().get(NAME);
            if (Double.isNaN(first)) {
                first = last;
            }
        }
    }

    @Override
    public void started(Run run, Event.Started event) {
        if (event.at().step() == 0) {
            first = 0; // in a resumed run, the first report is the start of the count
        }
    }

    /** Returns the current count; empty if no turn has reported one. */
    OptionalDouble now() {
        return Double.isNaN(last) ? OptionalDouble.empty() : OptionalDouble.of(last);
    }

    /** Returns the steps since this object listens. */
    double taken() {
        return Double.isNaN(last) ? 0 : last - first;
    }

    /** Returns a rate for people: {@code 8,213 steps/s}. */
    static String pace(double rate) {
        return (rate < 10_000 ? NumberFormats.rate(rate) : NumberFormats.briefly(Math.round(rate))) + " steps/s";
    }
}
