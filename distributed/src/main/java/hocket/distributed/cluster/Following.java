package hocket.distributed.cluster;

import hocket.schedulers.Setup;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.rings.StopWhen;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.Failure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.Stop;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A worker of a run of several processes that writes nothing: it takes the same turns as the one that does, all of which it
 * knows by itself, and computes its share of their rows.
 */
public final class Following {
    /** It ends behind a turn as the others do; what is lost if it does not, the one that writes says. */
    private static final Stop.Stage STAGE = new Stop.Stage() {
        @Override
        public List<String> first() {
            return List.of("stopping with the other workers");
        }

        @Override
        public String atOnce() {
            return "ended at once, and with it the run";
        }
    };

    private final Place place;
    private final Terminal terminal;
    private final ExperimentFile file;
    private final String runner;
    private final Optional<RunFolder> from;
    private final Stop stop;

    /** @param from the folder of the run that goes on; empty of one that begins */
    public Following(
            Place place, Terminal terminal, ExperimentFile file, String runner, Optional<RunFolder> from, Stop stop) {
        this.place = place;
        this.terminal = terminal;
        this.file = file;
        this.runner = runner;
        this.from = from;
        this.stop = stop;
    }

    /**
     * Trains to the end.
     *
     * @return the exit status
     */
    public int run() {
        return Failure.unless(() -> {
            stop.at(STAGE);
            Setup setup = Selected.of(file, runner).setup();
            Cluster cluster = Cluster.join(place, Fingerprint.of(file), setup, terminal, stop::isAsked);
            try {
                Setup divided = setup.among(cluster.exchange());
                divided.checkDivision();
                follow(divided, cluster);
            } catch (RuntimeException | Error e) {
                cluster.fail(String.valueOf(e.getMessage()));
                throw e;
            }
            cluster.close();
            return 0;
        });
    }

    private void follow(Setup setup, Cluster cluster) {
        Instance instance = new Instance(
                file.name(),
                file.spec().seed(),
                file.threads(),
                Path.of(""),
                from.filter(RunFolder::hasAnyCheckpoint).map(RunFolder::checkpoints));
        try (FlowContext context = new FlowContext(instance, line -> {}, cluster::stops)) {
            Flow flow = new Flow(
                    file.spec().instance().orElse(taken -> {}),
                    taken -> taken.setup(setup.without("save")),
                    file.spec().startup(),
                    file.runner(runner),
                    taken -> {});
            flow.run(context, rest -> {
                context.scheduler().ring(cluster.inStep()).ring(new StopWhen(cluster::stops));
                if (!context.scheduler().done() || instance.checkpoints().isEmpty()) { // else nothing is left to do
                    rest.go();
                }
            });
        }
    }
}
