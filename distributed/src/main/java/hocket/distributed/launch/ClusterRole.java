package hocket.distributed.launch;

import hocket.distributed.cluster.Cluster;
import hocket.distributed.cluster.ClusterRing;
import hocket.distributed.cluster.Fingerprint;
import hocket.distributed.cluster.Following;
import hocket.distributed.cluster.Part;
import hocket.distributed.cluster.Place;
import hocket.schedulers.Setup;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.ProcessRole;
import hocket.workbench.training.StopRequest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The role of a process in a run of several: worker, server or scheduler. All are given the same arguments. */
public final class ClusterRole implements ProcessRole {
    @Override
    public Set<String> variables() {
        return Place.VARIABLES;
    }

    @Override
    public OptionalInt run(Order order) {
        if (!Place.isGiven(order.environment())) {
            return OptionalInt.empty();
        }
        order.check();
        Place place = Place.of(order.environment()).orElseThrow();
        order.checkPartOf(place.called());
        return OptionalInt.of(place.part() == Part.TRAINER ? train(place, order) : serve(place, order));
    }

    /** Worker 0 writes the folder and serves the page. */
    private static int train(Place place, Order order) {
        if (place.writes()) {
            try (StopRequest stopRequest =
                    StopRequest.onSignals(order.workplace().terminal(), order.quiet())) {
                endWithLauncher(order, stopRequest);
                return order.train(
                        stopRequest, new ClusterRing(place), order.environment().getOrDefault(Place.ON, ""));
            }
        }
        ExperimentFile file = order.file();
        try (StopRequest stopRequest = StopRequest.onSignals(order.workplace().terminal(), true)) {
            endWithLauncher(order, stopRequest);
            return new Following(
                            place, order.workplace().terminal(), file, order.runner(file), order.resumed(), stopRequest)
                    .run();
        }
    }

    private static int serve(Place place, Order order) {
        ExperimentFile file = order.file();
        boolean moves = place.part() == Part.PSERVER
                && DataParallelSplit.NONE.consistent(file.spec().exchange()).isStale();
        Optional<Setup> setup = moves
                ? Optional.of(SelectedExperiment.of(file, order.runner(file)).setup())
                : Optional.empty();
        return Cluster.serve(
                place, Fingerprint.of(file), setup, order.workplace().terminal());
    }

    private static void endWithLauncher(Order order, StopRequest stopRequest) {
        Runnable once = () -> {
            if (!stopRequest.isAsked()) { // by the terminal that went away, it may be
                stopRequest.request(StopRequest.TERMINATED);
            }
        };
        Cluster.whenLauncherEnds(order.environment(), once);
        if (!order.environment().getOrDefault(Place.ON, "").isBlank()) {
            Cluster.whenToldToStop(System.in, once);
        }
    }
}
