package hocket.schedulers.flow;

import hocket.schedulers.Scheduler;
import hocket.schedulers.Setting;
import hocket.schedulers.Setup;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * The usual startup: a store from the seed, filled from another run if one is named, with what its turns of Java learnt beside
 * the parameters where all of those that it goes with are taken over, and gone back to the checkpoint if the run goes on.
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
        map.forEach(HotStart::mapping); // refuses what does not fit
    }

    @Override
    public void take(FlowContext context) {
        Setup setup = context.setup();
        Instance instance = context.instance();
        Parameters parameters = setup.initialise(instance.seed());
        context.parameters(parameters);
        if (from.isPresent() && instance.checkpoints().isEmpty()) {
            State saved = saved(from.get());
            SortedMap<hocket.scopes.Path, Tensor> filled = new HotStart(saved, map).filling(parameters.declarations());
            inherit(setup, saved, HotStart.fill(parameters, setup.copies(), filled));
            context.say("starts from " + filled.size() + " arrays of " + from.get());
        }
        Scheduler scheduler = setup.schedule(parameters, instance.threads());
        context.scheduler(scheduler);
        if (instance.checkpoints().isPresent()) {
            scheduler.restore(newest(context, instance.checkpoints().get())); // nobody holds it any longer
        }
    }

    private static State newest(FlowContext context, Path checkpoints) {
        Checkpoints.Found newest = newest("", checkpoints);
        newest.skipped().forEach(line -> context.say("passed over: " + line));
        return newest.state();
    }

    private static void inherit(Setup setup, State saved, Set<hocket.scopes.Path> filled) {
        try {
            setup.inherit(saved, filled);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("startup/from: " + e.getMessage(), e);
        }
    }

    @Override
    public void check(Setup setup) {
        from.ifPresent(run -> new HotStart(saved(run), map).filling(setup.declarations()));
    }

    private static State saved(Path run) {
        return newest("startup/from: ", run.resolve("checkpoints")).state();
    }

    private static Checkpoints.Found newest(String key, Path checkpoints) {
        try {
            return Checkpoints.newest(checkpoints);
        } catch (IOException e) {
            throw new UncheckedIOException(key + e.getMessage(), e);
        }
    }
}
