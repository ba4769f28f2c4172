package hocket.schedulers.flow;

/** The usual runner: the phases, one after the other, to the end or until the run is asked to stop. */
public record Train() implements Step {
    @Override
    public void take(FlowContext context) {
        context.scheduler().run();
        if (context.stopRequested()) {
            context.status(StepResult.END);
        }
    }
}
