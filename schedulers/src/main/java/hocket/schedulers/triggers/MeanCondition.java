package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import java.util.List;
import java.util.OptionalDouble;

/** A condition on the mean of a metric's last values; it does not hold before the first value. */
interface MeanCondition extends Condition.Stateless {
    /** Returns the metric, such as {@code d/loss}. */
    String series();

    /** Returns the number of last values in the mean. */
    int window();

    /** Returns whether it holds for a mean. */
    boolean holds(double mean);

    @Override
    default List<String> seriesRead() {
        return List.of(series());
    }

    @Override
    default boolean holds(ScheduleView view) {
        OptionalDouble mean = view.average(series(), window());
        return mean.isPresent() && holds(mean.getAsDouble());
    }
}
