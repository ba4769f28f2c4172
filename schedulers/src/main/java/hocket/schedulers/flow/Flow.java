package hocket.schedulers.flow;

/**
 * The five steps of a run, in their order.
 *
 * @param instance decides which run this is
 * @param network defines what is computed and trained
 * @param startup makes the store and the scheduler, and fills the store
 * @param runner trains, or does what else is done with it
 * @param terminal makes something of the result
 */
public record Flow(Step instance, Step network, Step startup, Step runner, Step terminal) {
    /**
     * Takes the steps up to the runner: everything that may be refused.
     *
     * @return whether the runner or the terminal step is to follow
     */
    public boolean prepare(FlowContext context) {
        return before(instance, context) && before(network, context) && before(startup, context);
    }

    /** Goes to the next step, unless this one says otherwise. */
    private static boolean before(Step step, FlowContext context) {
        if (context.status() == Status.TERMINAL) {
            return true;
        }
        repeat(step, context);
        return context.status() != Status.END;
    }

    /** Takes the runner and the terminal step, as far as the status allows. */
    public void run(FlowContext context) {
        if (context.status() == Status.NEXT) {
            repeat(runner, context);
        }
        if (context.status() != Status.END) {
            repeat(terminal, context);
        }
    }

    private static void repeat(Step step, FlowContext context) {
        do {
            context.status(Status.NEXT);
            step.take(context);
        } while (context.status() == Status.AGAIN);
    }
}
