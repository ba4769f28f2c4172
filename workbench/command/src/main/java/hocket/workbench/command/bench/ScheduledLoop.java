package hocket.workbench.command.bench;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;

/** Rounds of a workload through the public scheduler: fed, computed, updated, reported to a listener. */
final class ScheduledLoop implements Work {
    private final Parameters parameters;
    private final Scheduler scheduler;
    private long rounds;
    private double loss;

    ScheduledLoop(Workload workload, int threads) {
        parameters = Parameters.initialise(workload.graph().declarations(), Streams.seed(0));
        scheduler = Scheduler.over(parameters, threads);
        scheduler
                .plan(Plan.sequence(workload.turns().toArray(Plan[]::new)))
                .feed(workload.source(), Resample.EACH_TURN)
                .listen(Event.Descended.class, turn -> loss += turn.loss());
    }

    /** Audits every turn. */
    ScheduledLoop audit() {
        scheduler.audit(1);
        return this;
    }

    @Override
    public void run(int times) {
        rounds += times;
        scheduler.run(Budget.rounds(rounds));
        if (!Double.isFinite(loss)) {
            throw new IllegalStateException("the measured losses do not stay finite");
        }
    }

    @Override
    public void close() {
        scheduler.close();
        parameters.close();
    }
}
