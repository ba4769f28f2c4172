package hocket.distributed.launch;

import hocket.distributed.cluster.Cluster;
import hocket.distributed.cluster.ClusterRing;
import hocket.distributed.cluster.FollowerRun;
import hocket.distributed.cluster.NodeConfig;
import hocket.distributed.cluster.Role;
import hocket.distributed.cluster.RunFingerprint;
import hocket.schedulers.Setup;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.ProcessRole;
import hocket.workbench.training.StopRequest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The role of a process in a multi-process run: worker, server or scheduler. All have the same arguments. */
public final class ClusterRole implements ProcessRole {
    @Override
    public Set<String> variables() {
        return NodeConfig.VARIABLES;
    }

    @Override
    public OptionalInt run(Order order) {
        if (!NodeConfig.isGiven(order.environment())) {
            return OptionalInt.empty();
        }
        order.check();
        NodeConfig nodeConfig = NodeConfig.of(order.environment()).orElseThrow();
        order.checkPartOf(nodeConfig.called());
        return OptionalInt.of(nodeConfig.part() == Role.TRAINER ? train(nodeConfig, order) : serve(nodeConfig, order));
    }

    /** Worker 0 writes the folder and serves the page. */
    private static int train(NodeConfig nodeConfig, Order order) {
        if (nodeConfig.writes()) {
            try (StopRequest stopRequest =
                    StopRequest.onSignals(order.workplace().terminal(), order.quiet())) {
                endWithLauncher(order, stopRequest);
                return order.train(
                        stopRequest,
                        new ClusterRing(nodeConfig),
                        order.environment().getOrDefault(NodeConfig.ON, ""));
            }
        }
        ExperimentFile file = order.file();
        try (StopRequest stopRequest = StopRequest.onSignals(order.workplace().terminal(), true)) {
            endWithLauncher(order, stopRequest);
            return new FollowerRun(
                            nodeConfig,
                            order.workplace().terminal(),
                            file,
                            order.runner(file),
                            order.resumed(),
                            stopRequest)
                    .run();
        }
    }

    private static int serve(NodeConfig nodeConfig, Order order) {
        ExperimentFile file = order.file();
        boolean moves = nodeConfig.part() == Role.PSERVER
                && DataParallelSplit.NONE.consistent(file.spec().exchange()).isStale();
        Optional<Setup> setup = moves
                ? Optional.of(SelectedExperiment.of(file, order.runner(file)).setup())
                : Optional.empty();
        return Cluster.serve(
                nodeConfig, RunFingerprint.of(file), setup, order.workplace().terminal());
    }

    private static void endWithLauncher(Order order, StopRequest stopRequest) {
        Runnable once = () -> {
            if (!stopRequest.isAsked()) { // perhaps by the terminal that was closed
                stopRequest.request(StopRequest.TERMINATED);
            }
        };
        Cluster.whenLauncherEnds(order.environment(), once);
        if (!order.environment().getOrDefault(NodeConfig.ON, "").isBlank()) {
            Cluster.whenToldToStop(System.in, once);
        }
    }
}
