package hocket.schedulers.triggers;

import hocket.schedulers.Condition;
import hocket.schedulers.ScheduleView;
import java.util.List;
import java.util.OptionalDouble;

/** A condition on the mean of the last figures of a series; it does not hold before the first figure. */
interface MeanCondition extends Condition<MeanCondition.Nothing> {
    /** The state of such a condition, which remembers nothing. */
    record Nothing() {}

    /** The series, such as {@code d/loss}. */
    String series();

    /** The mean of how many last figures. */
    int window();

    /** Whether it holds for a mean. */
    boolean holds(double mean);

    @Override
    default List<String> seriesRead() {
        return List.of(series());
    }

    @Override
    default Nothing start() {
        return new Nothing();
    }

    @Override
    default Look<Nothing> look(Nothing state, ScheduleView view) {
        OptionalDouble mean = view.average(series(), window());
        return new Look<>(mean.isPresent() && holds(mean.getAsDouble()), state);
    }
}
