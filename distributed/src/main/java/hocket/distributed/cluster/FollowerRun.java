package hocket.distributed.cluster;

import hocket.schedulers.Setup;
import hocket.schedulers.flow.Flow;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Instance;
import hocket.schedulers.rings.StopWhen;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.StopRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A worker that writes nothing: it takes the same turns as worker 0, which it derives by itself, and computes its share
 * of their rows.
 */
public final class FollowerRun {
    /** The run ends after a turn as the others do; worker 0 reports losses. */
    private static final StopRequest.Stage STAGE = new StopRequest.Stage() {
        @Override
        public List<String> first() {
            return List.of("stopping with the other workers");
        }

        @Override
        public String atOnce() {
            return "ended immediately, and the run with it";
        }
    };

    private final NodeConfig nodeConfig;
    private final Terminal terminal;
    private final ExperimentFile file;
    private final String runner;
    private final Optional<RunFolder> from;
    private final StopRequest stopRequest;

    /** @param from the folder of a resumed run; empty for a new run */
    public FollowerRun(
            NodeConfig nodeConfig,
            Terminal terminal,
            ExperimentFile file,
            String runner,
            Optional<RunFolder> from,
            StopRequest stopRequest) {
        this.nodeConfig = nodeConfig;
        this.terminal = terminal;
        this.file = file;
        this.runner = runner;
        this.from = from;
        this.stopRequest = stopRequest;
    }

    /**
     * Trains to the end.
     *
     * @return the exit status
     */
    public int run() {
        return CommandFailure.unless(() -> {
            stopRequest.at(STAGE);
            Setup setup = SelectedExperiment.of(file, runner).setup();
            Cluster cluster = Cluster.join(nodeConfig, RunFingerprint.of(file), setup, terminal, stopRequest::isAsked);
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
            flow.run(context, next -> {
                context.scheduler().ring(cluster.inStep()).ring(new StopWhen(cluster::stops));
                if (!context.scheduler().done() || instance.checkpoints().isEmpty()) { // else no turns are left
                    next.proceed();
                }
            });
        }
    }
}
