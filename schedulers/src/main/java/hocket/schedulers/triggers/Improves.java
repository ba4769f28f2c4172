package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.OptionalDouble;

/** Fires when the mean of a metric's last values is better than ever before. */
public record Improves(
        @Setting(name = "metric", former = "series", help = "a metric, such as d/loss")
        String series,

        @Setting(usually = "least", help = "least or most, whichever is better")
        Better better,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of last values in the mean")
        int window)
        implements Condition<Improves.Best>, ImprovesCopies {
    /** The direction of improvement. */
    public enum Better {
        LEAST,
        MOST;

        boolean isBetter(double one, double than, double by) {
            return this == LEAST ? one < than - by : one > than + by;
        }
    }

    /** The best so far; NaN before the first value. */
    public record Best(double value) {}

    /** @throws IllegalArgumentException if the window is below 1 */
    public Improves {
        ImprovesCopies.check(window);
    }

    @Override
    public String words() {
        return "when " + NumberText.mean(series, window) + " improves";
    }

    @Override
    public List<String> seriesRead() {
        return List.of(series);
    }

    @Override
    public Best start() {
        return new Best(Double.NaN);
    }

    @Override
    public Look<Best> look(Best best, ScheduleView view) {
        OptionalDouble mean = view.average(series, window);
        boolean fires = mean.isPresent()
                && (Double.isNaN(best.value()) || better.isBetter(mean.getAsDouble(), best.value(), 0));
        return new Look<>(fires, fires ? new Best(mean.getAsDouble()) : best);
    }
}
