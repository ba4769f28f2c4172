package hocket.distributed.cluster;

import hocket.schedulers.Next;
import hocket.schedulers.commands.Steering;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRequest.ResumeCommand;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import hocket.workbench.training.Worker;

/**
 * Trains with the other processes of a run, as the worker that writes the folder.
 *
 * @param place role of this process
 */
public record ClusterRing(NodeConfig place) implements RunRing {
    @Override
    public RunRingOrder layer() {
        return RunRingOrder.CLUSTER;
    }

    @Override
    public void run(RunContext run, Next next) {
        try {
            next.proceed();
            run.find(Cluster.class).ifPresent(Cluster::close);
        } catch (RuntimeException | Error e) {
            run.find(Cluster.class).ifPresent(joined -> joined.fail(String.valueOf(e.getMessage())));
            throw e;
        }
    }

    @Override
    public SelectedExperiment select(RunContext run, SelectedExperiment built) {
        Cluster joined = Cluster.join(
                place,
                RunFingerprint.of(run.request().file()),
                built.setup(),
                run.request().workplace().terminal(),
                run.stop()::isAsked);
        run.give(Cluster.class, joined);
        run.give(Worker.All.class, joined::workers);
        run.stop().agreedBy(joined::stops);
        SelectedExperiment divided = built.among(joined.exchange());
        divided.setup().checkDivision();
        return divided;
    }

    @Override
    public void write(RunContext run, Next next) {
        run.get(Steering.class)
                .amongSeveral(
                        "only a run of one process can be paused or changed; this run has "
                                + NumberFormats.counted(place.workers(), "worker") + " and takes save, fork and stop",
                        run.stop()::requestByCommand);
        run.give(
                ResumeCommand.class,
                new ResumeCommand(CommandContext.command(
                        "launch",
                        "--workers",
                        place.workers(),
                        "--servers",
                        place.servers(),
                        "--resume",
                        run.request().folder().path())));
        run.ring(run.get(Cluster.class).inStep());
        next.proceed();
    }
}
