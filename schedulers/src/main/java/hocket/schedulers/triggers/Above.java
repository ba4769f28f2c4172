package hocket.schedulers.triggers;

import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;

/** While the mean of the last figures of a series is above a value; not before the first figure. */
public record Above(
        @Setting(name = "metric", former = "series", help = "a metric, such as d/loss")
        String series,

        @Setting(help = "the value") double value,

        @Setting(usually = "1", least = 1, most = 1000, help = "the mean of how many last figures")
        int window)
        implements MeanCondition, AboveCopies {
    /** @throws IllegalArgumentException if the window is below 1, or the value no number, with which it would never fire */
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
