package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.NumberText;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.AddedLater;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Fires when a metric has not improved for a number of its values in a row, and then restarts its count: of the values that
 * are new when it is asked. With {@code do: [stop]} it is early stopping. As PyTorch's {@code ReduceLROnPlateau} in absolute
 * mode.
 */
public record Plateau(
        @Setting(name = "metric", former = "series", help = "a metric, such as d/loss")
        String series,

        @Setting(usually = "least", help = "least or most, whichever is better")
        Improves.Better better,

        @Setting(usually = "10", least = 0, help = "values without improvement that are tolerated")
        int patience,

        @Setting(usually = "0", least = 0, help = "smallest change that counts as an improvement")
        double threshold,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of last values in the mean")
        int window)
        implements Condition<Plateau.Waited>, PlateauCopies {
    /**
     * The memory of a plateau.
     *
     * @param best the best so far; NaN before the first value
     * @param looks the number of values since that were not better
     * @param reports how often the metric had been reported at the last of them
     */
    public record Waited(double best, int looks, @AddedLater long reports) {}

    /** @throws IllegalArgumentException if a setting is out of its range */
    public Plateau {
        PlateauCopies.check(patience, threshold, window);
    }

    @Override
    public String words() {
        return "when " + NumberText.mean(series, window) + " has not improved for "
                + NumberText.counted(patience, "look");
    }

    @Override
    public List<String> seriesRead() {
        return List.of(series);
    }

    @Override
    public Waited start() {
        return new Waited(Double.NaN, 0, 0);
    }

    @Override
    public Look<Waited> look(Waited waited, ScheduleView view) {
        OptionalDouble mean = view.average(series, window);
        long reports = view.reports(series);
        if (mean.isEmpty() || reports == waited.reports()) {
            return new Look<>(false, waited);
        }
        double now = mean.getAsDouble();
        if (Double.isNaN(waited.best()) || better.isBetter(now, waited.best(), threshold)) {
            return new Look<>(false, new Waited(now, 0, reports));
        }
        return waited.looks() >= patience
                ? new Look<>(true, new Waited(waited.best(), 0, reports))
                : new Look<>(false, new Waited(waited.best(), waited.looks() + 1, reports));
    }
}
