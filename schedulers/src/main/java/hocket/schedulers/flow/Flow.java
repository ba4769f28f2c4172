package hocket.schedulers.flow;

import hocket.schedulers.Next;
import java.util.List;
import java.util.function.Consumer;

/**
 * The five steps of a run, each of which wraps those after it: the outermost rings of the run. The rings of its
 * scheduler are around the runner.
 *
 * @param instance decides which run this is
 * @param network defines networks and training
 * @param startup makes the store and the scheduler, and fills the store
 * @param runner trains, or runs another task
 * @param terminal uses the result
 */
public record Flow(Step instance, Step network, Step startup, Step runner, Step terminal) {
    /**
     * Runs the steps, as their results allow.
     *
     * @param started wraps the runner and terminal steps, after all checks
     */
    public void run(FlowContext context, Consumer<Next> started) {
        Next.around(
                List.of(instance, network, startup),
                (step, next) -> step.around(context, next),
                () -> started.accept(() -> end(context)));
    }

    private void end(FlowContext context) {
        context.within(() -> runner.around(context, () -> {}));
        if (context.status() != StepResult.END) {
            context.status(StepResult.NEXT);
            terminal.around(context, () -> {});
        }
    }
}
