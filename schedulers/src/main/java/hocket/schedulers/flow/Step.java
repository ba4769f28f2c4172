package hocket.schedulers.flow;

import hocket.schedulers.Next;
import hocket.schedulers.Setup;
import java.util.List;

/**
 * One step of a run. A class that an experiment file names is a record, whose components are its settings (see {@link
 * hocket.schedulers.settings.Setting}), or has one public constructor.
 */
public interface Step {
    /**
     * Runs the step, and sets by {@link FlowContext#status(StepResult)} what follows, if that is not the next step.
     *
     * @throws IllegalArgumentException if the request is rejected; before the run this leaves no trace
     */
    void take(FlowContext context);

    /**
     * Rejects before a run what {@link #take} would reject, as far as that is known without making anything; by default
     * it accepts everything. {@code hocket plan} calls it.
     *
     * @param setup of the run
     * @throws IllegalArgumentException if {@link #take} would reject the request
     */
    default void check(Setup setup) {}

    /**
     * Returns notes for people before a run, a line each, which {@code hocket plan} shows. Throws as {@link #check}.
     */
    default List<String> notes(Setup setup) {
        return List.of();
    }

    /**
     * The step as a ring: takes it, again while its status requires it, and then the rest, unless the run ends here. It
     * is skipped if an earlier step continued with the terminal one.
     */
    default void around(FlowContext context, Next rest) {
        if (context.status() == StepResult.NEXT) {
            do {
                context.status(StepResult.NEXT);
                take(context);
            } while (context.status() == StepResult.AGAIN);
        }
        if (context.status() != StepResult.END) {
            rest.proceed();
        }
    }
}
