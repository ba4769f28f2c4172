package hocket.schedulers.triggers;

import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** Fires while the mean of a metric's last values is above a limit; not before the first value. */
public record Above(
        @Setting(name = "metric", former = "series", help = "a metric, such as d/loss")
        String series,

        @Setting(help = "the value") double value,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of last values in the mean")
        int window)
        implements MeanCondition, AboveCopies {
    /** @throws IllegalArgumentException if the window is below 1, or the limit is NaN, so that it would never fire */
    public Above {
        AboveCopies.check(window);
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("value: nothing is above NaN, so it would never fire");
        }
    }

    @Override
    public String words() {
        return "when " + NumberText.mean(series, window) + " is above " + NumberText.exactly(value);
    }

    @Override
    public boolean holds(double mean) {
        return mean > value;
    }
}
