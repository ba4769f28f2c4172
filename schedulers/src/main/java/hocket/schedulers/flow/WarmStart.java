package hocket.schedulers.flow;

import hocket.schedulers.Setup;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Initial parameters from another run or a file.
 *
 * @param origin {@code run} or {@code file}
 * @param there tensors of the other, by name
 * @param map paths here by names there; see {@link Startup}
 * @param strict whether all must fit
 */
record WarmStart(String origin, SortedMap<String, Tensor> there, Map<String, String> map, boolean strict) {
    static final String RUN = "run";
    static final String FILE = "file";

    /**
     * The tensors that fill a store.
     *
     * @param tensors by the paths here
     * @param left sentences on tensors that do not fit, on either side; empty if all do
     */
    record Filling(SortedMap<Path, Tensor> tensors, List<String> left) {
        /** Returns the filled modules with their numbers of tensors: {@code generator (12)}. */
        String modules() {
            SortedMap<String, Integer> counts = new TreeMap<>();
            tensors.keySet().forEach(path -> counts.merge(path.module(), 1, Integer::sum));
            return String.join(
                    ", ",
                    counts.entrySet().stream()
                            .map(module -> module.getKey() + " (" + module.getValue() + ")")
                            .toList());
        }
    }

    /**
     * Returns the tensors that fill a store: all of them, by their own names or those of the map; of a run that has a
     * map only what that names, otherwise all of each module here that something comes for.
     *
     * @param setup whose store it is
     * @throws IllegalArgumentException if nothing fits, or not all does that must: a line each, naming both sides
     */
    Filling filling(Setup setup) {
        SortedMap<Path, Declaration> here = new TreeMap<>();
        setup.declarations().forEach(declaration -> here.put(declaration.path(), declaration));
        boolean isChosen = origin.equals(RUN) && !map.isEmpty();
        SortedSet<Renaming> unused = new TreeSet<>();
        map.forEach((from, to) -> unused.add(Renaming.of(from, to)));
        List<Renaming> renamings = List.copyOf(unused);
        SortedMap<Path, String> comes = new TreeMap<>();
        SortedMap<Path, Tensor> filled = new TreeMap<>();
        List<String> left = new ArrayList<>();
        there.forEach((name, tensor) -> {
            Optional<Renaming> renaming =
                    renamings.stream().filter(each -> each.matches(name)).findFirst();
            renaming.ifPresent(unused::remove);
            String target = renaming.map(by -> by.map(name)).orElse(isChosen ? "" : name);
            if (target.isEmpty()) {
                return;
            }
            Declaration wanted = isPath(target) ? here.get(Path.of(target)) : null;
            if (wanted == null) {
                left.add(name + (target.equals(name) ? "" : " would become " + target)
                        + ": this experiment has no such parameter" + SimilarNames.among(target, here.keySet()));
                return;
            }
            Optional<String> misfit = incompatible(name, wanted, tensor);
            String before = comes.putIfAbsent(wanted.path(), name);
            if (misfit.isPresent()) {
                left.add(misfit.get());
            } else if (before != null) {
                left.add(name + ": becomes " + target + ", as " + before + " does");
            } else {
                filled.put(wanted.path(), tensor);
            }
        });
        if (!isChosen) {
            left.addAll(unfilled(here.keySet(), comes.keySet(), filled.keySet(), copied(setup, here.keySet())));
        }
        List<String> idle = unused.stream().map(this::idle).toList();
        if (filled.isEmpty() && (!strict || origin.equals(RUN) && !isChosen)) {
            throw new IllegalArgumentException("startup/from: none of the " + origin + "'s " + there.size()
                    + " arrays has a path of this experiment; startup/map says which becomes which"
                    + Stream.concat(left.stream(), idle.stream())
                            .findFirst()
                            .map(sentence -> ": " + sentence)
                            .orElse(""));
        }
        if (strict && !(left.isEmpty() && idle.isEmpty())) {
            throw new IllegalArgumentException(Stream.concat(
                            left.stream().map(sentence -> "startup/from: " + sentence),
                            idle.stream().map(sentence -> "startup/map: " + sentence))
                    .collect(Collectors.joining("\n", "", "\nstartup/strict: false takes what fits")));
        }
        left.addAll(idle);
        return new Filling(filled, left);
    }

    private String idle(Renaming unused) {
        boolean isCovered = there.keySet().stream().anyMatch(unused::matches);
        return unused.key()
                + (isCovered
                        ? " names nothing that more exact names do not"
                        : " matches no array of the " + origin + SimilarNames.among(unused.key(), there.keySet()));
    }

    /** Sentences on what nothing comes for in modules of which something is filled. */
    private List<String> unfilled(Set<Path> here, Set<Path> comes, Set<Path> filled, Set<Path> copied) {
        Set<String> modules = filled.stream().map(Path::module).collect(Collectors.toSet());
        return here.stream()
                .filter(path -> modules.contains(path.module()) && !comes.contains(path) && !copied.contains(path))
                .map(path -> path + ": nothing in the " + origin + " comes for it")
                .toList();
    }

    private static boolean isPath(String name) {
        try {
            return !Path.of(name).text().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the parameters that start as copies of others. */
    private static Set<Path> copied(Setup setup, Set<Path> here) {
        Set<Path> copied = new HashSet<>();
        setup.copies().forEach((to, of) -> {
            Selection selection = Selection.of(of);
            Mapping mapping = Mapping.of(of, to);
            here.stream().filter(selection::matches).forEach(path -> copied.add(mapping.map(path)));
        });
        return copied;
    }

    /**
     * Fills a store.
     *
     * @param copies what begins as a copy, and of what: of what was filled, unless it was filled itself
     * @param filled what it is filled by, from {@link #filling}
     * @return the filled paths, including copies
     */
    static Set<Path> fill(Parameters parameters, Map<String, String> copies, SortedMap<Path, Tensor> filled) {
        Set<Path> taken = new HashSet<>(filled.keySet());
        SortedMap<Path, Tensor> all = new TreeMap<>(parameters.snapshot().tensors());
        all.putAll(filled);
        copies.forEach((to, of) -> {
            Mapping mapping = Mapping.of(of, to);
            Selection selection = Selection.of(of);
            for (Path source : List.copyOf(all.keySet())) {
                if (selection.matches(source) && !filled.containsKey(mapping.map(source))) {
                    all.put(mapping.map(source), Objects.requireNonNull(all.get(source)));
                    if (taken.contains(source)) {
                        taken.add(mapping.map(source));
                    }
                }
            }
        });
        parameters.restore(new Snapshot(all));
        return taken;
    }

    private Optional<String> incompatible(String name, Declaration wanted, Tensor tensor) {
        if (wanted.shape().equals(tensor.shape()) && wanted.type() == tensor.type()) {
            return Optional.empty();
        }
        return Optional.of("that " + origin + " has " + name + " " + tensor.shape() + " " + tensor.type()
                + ", this one needs " + wanted.path() + " " + wanted.shape() + " " + wanted.type());
    }
}
