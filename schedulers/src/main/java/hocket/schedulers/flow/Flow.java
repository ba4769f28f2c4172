package hocket.schedulers.flow;

import hocket.schedulers.Next;
import java.util.List;
import java.util.function.Consumer;

/**
 * The five steps of a run, each around those after it: the outermost rings of its onion. The rings of its scheduler are around
 * the runner.
 *
 * @param instance decides which run this is
 * @param network defines what is computed and trained
 * @param startup makes the store and the scheduler, and fills the store
 * @param runner trains, or does what else is done with it
 * @param terminal makes something of the result
 */
public record Flow(Step instance, Step network, Step startup, Step runner, Step terminal) {
    /**
     * Takes the steps, as far as their statuses allow.
     *
     * @param started what is around runner and terminal step: everything that may be refused has been checked
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
