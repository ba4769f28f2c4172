package hocket.schedulers.flow;

import hocket.schedulers.Experiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setting;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Mapping;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The usual startup: a store from the seed, filled from another run if one is named, and gone back to the checkpoint if the
 * run goes on.
 *
 * @param from the folder of a run whose parameters this one starts from: its newest checkpoint
 * @param map which of its paths become which here, glob to glob; without any, all paths that both have
 */
public record Startup(
        @Setting(help = "a run folder whose parameters this run starts from")
        Optional<Path> from,

        @Setting(usually = "{}", help = "which of its paths become which here; without, those that both have")
        Map<String, String> map)
        implements Step {
    /** @throws IllegalArgumentException if there is a map and nothing to map from, or globs do not fit each other */
    public Startup {
        map = Map.copyOf(map);
        if (from.isEmpty() && !map.isEmpty()) {
            throw new IllegalArgumentException("map needs a key from: the run that the paths are of");
        }
        map.forEach(Mapping::of);
    }

    @Override
    public void take(FlowContext context) {
        Experiment experiment = context.experiment();
        Instance instance = context.instance();
        Parameters parameters = experiment.initialise(instance.seed());
        context.parameters(parameters);
        if (from.isPresent() && instance.checkpoint().isEmpty()) {
            Set<hocket.scopes.Path> filled = new HotStart(saved(from.get()), map).into(parameters);
            copyAgain(experiment, parameters, filled);
            context.say("starts from " + filled.size() + " arrays of " + from.get());
        }
        Scheduler scheduler = experiment.schedule(parameters, instance.threads());
        context.scheduler(scheduler);
        instance.checkpoint().ifPresent(scheduler::restore);
    }

    /** What begins as a copy is one of what was filled, unless it was filled itself. */
    private static void copyAgain(Experiment experiment, Parameters parameters, Set<hocket.scopes.Path> filled) {
        SortedMap<hocket.scopes.Path, Tensor> all =
                new TreeMap<>(parameters.snapshot().tensors());
        experiment.copies().forEach((to, of) -> {
            Mapping mapping = Mapping.of(of, to);
            Selection selection = Selection.of(of);
            for (hocket.scopes.Path source : List.copyOf(all.keySet())) {
                if (selection.matches(source) && !filled.contains(mapping.map(source))) {
                    all.put(mapping.map(source), Objects.requireNonNull(all.get(source)));
                }
            }
        });
        parameters.restore(new Snapshot(all));
    }

    private static State saved(Path run) {
        try {
            return Checkpoints.readLatest(run.resolve("checkpoints"));
        } catch (IOException e) {
            throw new IllegalArgumentException("startup/from: " + e.getMessage(), e);
        }
    }
}
