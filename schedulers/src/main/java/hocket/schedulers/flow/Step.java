package hocket.schedulers.flow;

/**
 * One step of a run. A class that an experiment file names is a record, whose components are its settings (see {@link
 * hocket.schedulers.Setting}), or has one public constructor.
 */
public interface Step {
    /**
     * Does its part, and says by {@link FlowContext#status(Status)} what comes next, if that is not the step after it.
     *
     * @throws IllegalArgumentException if what was asked for is refused; before the run this leaves no trace
     */
    void take(FlowContext context);
}
