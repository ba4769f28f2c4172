package hocket.workbench.training;

import hocket.schedulers.Rest;
import hocket.schedulers.Steering;
import hocket.workbench.cluster.Cluster;
import hocket.workbench.cluster.Fingerprint;
import hocket.workbench.cluster.Place;
import hocket.workbench.cluster.Worker;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Figures;
import hocket.workbench.training.RunRequest.ResumeCommand;
import java.util.List;
import java.util.function.Supplier;

/**
 * Trains with the other processes of a run: as the worker that writes the folder.
 *
 * @param place of this process
 * @param resumedBy the command that resumes such a run
 */
public record ClusterRing(Place place, String resumedBy) implements RunRing {
    /** Gives the state of all workers, to any thread. */
    public interface Workers extends Supplier<List<Worker>> {}

    @Override
    public RunLayer layer() {
        return RunLayer.CLUSTER;
    }

    @Override
    public void run(RunContext run, Rest rest) {
        try {
            rest.go();
            run.find(Cluster.class).ifPresent(Cluster::close);
        } catch (RuntimeException | Error e) {
            run.find(Cluster.class).ifPresent(joined -> joined.fail(String.valueOf(e.getMessage())));
            throw e;
        }
    }

    @Override
    public Selected select(RunContext run, Selected built) {
        Cluster joined = Cluster.join(
                place,
                Fingerprint.of(run.request().file()),
                built.setup(),
                run.request().workplace().terminal(),
                run.stop()::isAsked);
        run.give(Cluster.class, joined);
        run.give(Workers.class, joined::workers);
        run.stop().agreedBy(joined::stops);
        Selected divided = built.among(joined.exchange());
        divided.setup().checkDivision();
        return divided;
    }

    @Override
    public void write(RunContext run, Rest rest) {
        run.get(Steering.class)
                .amongSeveral(
                        "what pauses or changes a run is for one process alone; this run has "
                                + Figures.counted(place.workers(), "worker") + ", and takes save, fork and stop",
                        run.stop()::requestByCommand);
        run.give(ResumeCommand.class, new ResumeCommand(resumedBy));
        run.ring(run.get(Cluster.class).inStep());
        rest.go();
    }
}
