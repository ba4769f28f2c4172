package hocket.schedulers.triggers;

import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** Fires while the mean of a metric's last values is below a limit; not before the first value. */
public record Below(
        @Setting(name = "metric", former = "series", help = "a metric, such as d/loss")
        String series,

        @Setting(help = "the value") double value,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of last values in the mean")
        int window)
        implements MeanCondition, BelowCopies {
    /** @throws IllegalArgumentException if the window is below 1, or the limit is NaN, so that it would never fire */
    public Below {
        BelowCopies.check(window);
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("value: nothing is below NaN, so it would never fire");
        }
    }

    @Override
    public String words() {
        return "when " + NumberText.mean(series, window) + " is below " + NumberText.exactly(value);
    }

    @Override
    public boolean holds(double mean) {
        return mean < value;
    }
}
