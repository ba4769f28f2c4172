package hocket.schedulers.flow;

import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.checkpoint.SkippedCheckpoints;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.schedulers.flow.WarmStart.Filling;
import hocket.schedulers.formats.Safetensors;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
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
 * The default startup: a store from the seed, filled from another run or a safetensors file if one is named, also with
 * the state of the run's turns of Java if all their parameters are taken over; a resumed run is restored from its
 * checkpoint.
 *
 * <p>A key of the map is a name, a scope such as {@code generator/**}, or has stars: {@code conv*.weight} becomes
 * {@code generator/conv*.weight}, with the same text for each star. An empty text omits the array. For a run, a map
 * also selects what is loaded; otherwise all arrays must fit and fill complete modules.
 *
 * @param from the folder of a run whose parameters this one starts from, its newest checkpoint; or a safetensors file
 * @param map new paths by name; other names are kept
 * @param strict whether arrays that do not fit, on either side, are rejected; otherwise fitting ones are loaded and the
 *     rest reported
 */
public record Startup(
        @Setting(help = "a run folder or safetensors file whose parameters this run starts from")
        Optional<Path> from,

        @Setting(usually = "{}", help = "new paths of its arrays by name, or a YAML file with this map")
        Map<String, String> map,

        @Setting(usually = "true", help = "whether all arrays must fit; false loads those that fit")
        boolean strict)
        implements Step {
    private static final String CHECKPOINTS = "checkpoints";

    /** @throws IllegalArgumentException if there is a map and nothing to map from, or globs do not fit each other */
    public Startup {
        map = Collections.unmodifiableSortedMap(new TreeMap<>(map)); // the same order in every process
        if (from.isEmpty() && !map.isEmpty()) {
            throw new IllegalArgumentException("map needs a key from: the run or file that the paths are of");
        }
        map.forEach(Renaming::of); // rejects invalid patterns
    }

    @Override
    public void take(FlowContext context) {
        Setup setup = context.setup();
        Instance instance = context.instance();
        setup.requireTrainable();
        Parameters parameters = setup.initialise(instance.seed());
        context.parameters(parameters);
        if (from.isPresent() && instance.checkpoints().isEmpty()) {
            Other other = other(from.get());
            Filling filling = filling(other, setup);
            Set<hocket.scopes.Path> filled = WarmStart.fill(parameters, setup.copies(), filling.tensors());
            other.saved().ifPresent(found -> inherit(setup, found.state(), filled));
            context.startedFrom(List.of(other.origin()));
            said(from.get(), other, filling).forEach(context::say);
        }
        Scheduler scheduler = setup.schedule(parameters, instance.threads());
        context.scheduler(scheduler);
        if (instance.checkpoints().isPresent()) {
            scheduler.resumeFrom(newest(context, instance.checkpoints().get())); // nobody holds it any longer
        }
    }

    private static Checkpoints.Found newest(FlowContext context, Path checkpoints) {
        Checkpoints.Found newest = newest("", checkpoints);
        passedOver(newest).forEach(context::say);
        return newest;
    }

    private static List<String> passedOver(Checkpoints.Found newest) {
        return SkippedCheckpoints.lines(newest.skipped(), newest.number());
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
        return from.map(given -> {
                    Other other = other(given);
                    return said(given, other, filling(other, setup));
                })
                .orElse(List.of());
    }

    /**
     * The initial parameters of a run.
     *
     * @param tensors by name
     * @param saved the checkpoint, of a run
     */
    private record Other(Path given, SortedMap<String, Tensor> tensors, Optional<Checkpoints.Found> saved) {
        /** The file, or the files of the checkpoint, by their content. */
        DataFingerprint origin() {
            return saved.map(Startup::checkpoint).orElseGet(() -> DataFingerprint.of(given));
        }
    }

    private static Other other(Path given) {
        SortedMap<String, Tensor> tensors = new TreeMap<>();
        if (Files.isRegularFile(given) || given.toString().endsWith(".safetensors")) {
            read(given, tensors);
            return new Other(given, tensors, Optional.empty());
        }
        Checkpoints.Found newest = newest("startup/from: ", given.resolve(CHECKPOINTS));
        Snapshot parameters = newest.state().state("parameters").snapshot();
        parameters.tensors().forEach((path, tensor) -> tensors.put(path.text(), tensor));
        return new Other(given, tensors, Optional.of(newest));
    }

    private Filling filling(Other other, Setup setup) {
        String origin = other.saved().isPresent() ? WarmStart.RUN : WarmStart.FILE;
        return new WarmStart(origin, other.tensors(), map, strict).filling(setup);
    }

    private static List<String> said(Path given, Other other, Filling filling) {
        List<String> lines =
                new ArrayList<>(other.saved().map(Startup::passedOver).orElse(List.of()));
        lines.add("starts from " + filling.tensors().size() + " arrays of " + given + ": " + filling.modules());
        filling.left().forEach(sentence -> lines.add("left     " + sentence));
        return lines;
    }

    private static void read(Path file, SortedMap<String, Tensor> into) {
        try {
            into.putAll(Safetensors.open(file).tensors());
        } catch (IOException e) {
            throw new UncheckedIOException("startup/from: " + e.getMessage(), e);
        }
    }

    /** A checkpoint by the content of its files. */
    private static DataFingerprint checkpoint(Checkpoints.Found found) {
        Path folder = Checkpoints.place(found.folder(), found.number());
        return FileWork.get("startup/from: " + folder + " cannot be read", () -> {
            DataFingerprint all = DataFingerprint.of(folder, FileWork.in(folder));
            return new DataFingerprint(
                    "checkpoint " + Checkpoints.name(found.number()), all.place(), all.bytes(), all.sha256());
        });
    }

    private static Checkpoints.Found newest(String key, Path checkpoints) {
        try {
            return Checkpoints.newest(checkpoints);
        } catch (IOException e) {
            throw new UncheckedIOException(key + e.getMessage(), e);
        }
    }
}
