package hocket.schedulers.flow;

import hocket.schedulers.Scheduler;
import hocket.schedulers.Setting;
import hocket.schedulers.Setup;
import hocket.schedulers.State;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.flow.HotStart.Filling;
import hocket.schedulers.formats.Safetensors;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The usual startup: a store from the seed, filled from another run or a safetensors file if one is named, with what the run's
 * turns of Java learnt beside the parameters where all of those that it goes with are taken over, and gone back to the
 * checkpoint if the run goes on.
 *
 * <p>A key of the map is a name, a scope such as {@code generator/**}, or has stars: {@code conv*.weight} becomes {@code
 * generator/conv*.weight}, where the same text stands for each. What becomes an empty text is left out. Of a run, a
 * map also says what is taken; without one, and of a file, all must fit, and fill whole modules.
 *
 * @param from the folder of a run whose parameters this one starts from, its newest checkpoint; or a safetensors file
 * @param map which of its names become which paths here; those that it does not mean keep theirs
 * @param strict whether what does not fit, on either side, is refused; otherwise what fits is taken, and the rest is told
 */
public record Startup(
        @Setting(help = "a run folder or safetensors file whose parameters this run starts from")
        Optional<Path> from,

        @Setting(usually = "{}", help = "which of its names become which here, or a YAML file that says so")
        Map<String, String> map,

        @Setting(usually = "true", help = "whether all must fit; false takes what does")
        boolean strict)
        implements Step {
    /** @throws IllegalArgumentException if there is a map and nothing to map from, or globs do not fit each other */
    public Startup {
        map = Collections.unmodifiableSortedMap(new TreeMap<>(map)); // an order that is the same in every process
        if (from.isEmpty() && !map.isEmpty()) {
            throw new IllegalArgumentException("map needs a key from: the run or file that the paths are of");
        }
        map.forEach(Renaming::of); // refuses what does not fit
    }

    @Override
    public void take(FlowContext context) {
        Setup setup = context.setup();
        Instance instance = context.instance();
        Parameters parameters = setup.initialise(instance.seed());
        context.parameters(parameters);
        if (from.isPresent() && instance.checkpoints().isEmpty()) {
            Optional<State> saved = isFile(from.get()) ? Optional.empty() : Optional.of(saved(from.get()));
            Filling filling = filling(from.get(), saved, setup);
            Set<hocket.scopes.Path> filled = HotStart.fill(parameters, setup.copies(), filling.tensors());
            saved.ifPresent(state -> inherit(setup, state, filled));
            said(from.get(), filling).forEach(context::say);
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
        notes(setup);
    }

    @Override
    public List<String> notes(Setup setup) {
        return from.map(given -> said(
                        given, filling(given, isFile(given) ? Optional.empty() : Optional.of(saved(given)), setup)))
                .orElse(List.of());
    }

    private Filling filling(Path given, Optional<State> saved, Setup setup) {
        SortedMap<String, Tensor> there = new TreeMap<>();
        if (saved.isPresent()) {
            saved.get()
                    .state("parameters")
                    .snapshot()
                    .tensors()
                    .forEach((path, tensor) -> there.put(path.text(), tensor));
        } else {
            read(given, there);
        }
        return new HotStart(saved.isPresent() ? HotStart.RUN : HotStart.FILE, there, map, strict).filling(setup);
    }

    private static List<String> said(Path given, Filling filling) {
        List<String> lines = new ArrayList<>();
        lines.add("starts from " + filling.tensors().size() + " arrays of " + given + ": " + filling.modules());
        filling.left().forEach(sentence -> lines.add("left     " + sentence));
        return lines;
    }

    private static boolean isFile(Path given) {
        return Files.isRegularFile(given) || given.toString().endsWith(".safetensors");
    }

    private static void read(Path file, SortedMap<String, Tensor> into) {
        try {
            Safetensors safetensors = Safetensors.open(file);
            for (String name : safetensors.entries().keySet()) {
                into.put(name, safetensors.tensor(name));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("startup/from: " + e.getMessage(), e);
        }
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
