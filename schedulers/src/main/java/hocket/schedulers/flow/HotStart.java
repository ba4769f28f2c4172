package hocket.schedulers.flow;

import hocket.schedulers.Setup;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Nearest;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Parameters that begin as another run left its own, or as a file has them.
 *
 * @param origin {@code run} or {@code file}
 * @param there what the other has, by name
 * @param map which name becomes which path; see {@link Startup}
 * @param strict whether all must fit
 */
record HotStart(String origin, SortedMap<String, Tensor> there, Map<String, String> map, boolean strict) {
    static final String RUN = "run";
    static final String FILE = "file";

    /**
     * What fills a store.
     *
     * @param tensors by the paths here
     * @param left sentences on what does not fit, on either side; empty where all does
     */
    record Filling(SortedMap<Path, Tensor> tensors, List<String> left) {
        /** Modules of which something is filled, and how much: {@code generator (12)}. */
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
     * Which name becomes which path, where a key of a map means it; empty text for one that is left out.
     *
     * @throws IllegalArgumentException if the two do not fit each other
     */
    static UnaryOperator<String> mapping(String from, String to) {
        if (to.isEmpty() || Renaming.isNeeded(from, to)) {
            return Renaming.of(from, to)::map;
        }
        if (from.equals(to)) {
            return name -> name;
        }
        Mapping mapping = Mapping.of(from, to);
        return name -> mapping.map(Path.of(name)).text();
    }

    /**
     * What fills a store.
     *
     * @param setup whose store it is
     * @throws IllegalArgumentException if nothing fits, or not all does that must: a line each, naming both sides
     */
    Filling filling(Setup setup) {
        SortedMap<Path, Declaration> here = new TreeMap<>();
        setup.declarations().forEach(declaration -> here.put(declaration.path(), declaration));
        return origin.equals(RUN) && !map.isEmpty() ? selected(here) : whole(here, copied(setup, here.keySet()));
    }

    /** Of a run, what a map names, all of which must fit. */
    private Filling selected(SortedMap<Path, Declaration> here) {
        SortedMap<Path, Tensor> filled = new TreeMap<>();
        map.forEach((from, to) -> {
            UnaryOperator<String> mapping = mapping(from, to);
            List<String> names =
                    there.keySet().stream().filter(name -> matches(from, name)).toList();
            if (names.isEmpty()) {
                throw new IllegalArgumentException(
                        "startup/map: " + from + " matches no array of the run" + Nearest.among(from, there.keySet()));
            }
            for (String name : names) {
                String target = mapping.apply(name);
                if (target.isEmpty()) {
                    continue;
                }
                Declaration wanted = here.get(Path.of(target));
                if (wanted == null) {
                    throw new IllegalArgumentException("startup/map: " + name + " would become " + target
                            + ", which this experiment has not" + Nearest.among(target, texts(here.keySet())));
                }
                Tensor tensor = Objects.requireNonNull(there.get(name));
                misfit(name, wanted, tensor).ifPresent(sentence -> {
                    throw new IllegalArgumentException("startup/from: " + sentence);
                });
                filled.put(wanted.path(), tensor);
            }
        });
        return new Filling(filled, List.of());
    }

    /** Everything there is, by its own names or those of the map; of modules here that something comes for, all. */
    private Filling whole(SortedMap<Path, Declaration> here, Set<Path> copied) {
        Map<Path, String> comes = new TreeMap<>();
        SortedMap<Path, Tensor> filled = new TreeMap<>();
        List<String> left = new ArrayList<>();
        Set<String> unused = new TreeSet<>(map.keySet());
        there.forEach((name, tensor) -> {
            Optional<String> key =
                    map.keySet().stream().filter(from -> matches(from, name)).min(HotStart::moreExact);
            key.ifPresent(unused::remove);
            String target = key.map(from ->
                            mapping(from, Objects.requireNonNull(map.get(from))).apply(name))
                    .orElse(name);
            if (target.isEmpty()) {
                return;
            }
            Declaration wanted = isPath(target) ? here.get(Path.of(target)) : null;
            if (wanted == null) {
                left.add(name + (target.equals(name) ? "" : " would become " + target)
                        + ": this experiment has no such parameter" + Nearest.among(target, texts(here.keySet())));
                return;
            }
            Optional<String> misfit = misfit(name, wanted, tensor);
            String before = comes.putIfAbsent(wanted.path(), name);
            if (misfit.isPresent()) {
                left.add(misfit.get());
            } else if (before != null) {
                left.add(name + ": becomes " + target + ", as " + before + " does");
            } else {
                filled.put(wanted.path(), tensor);
            }
        });
        unused.forEach(from ->
                left.add("map: " + from + " matches no array of the " + origin + Nearest.among(from, there.keySet())));
        Set<String> modules = new HashSet<>();
        filled.keySet().forEach(path -> modules.add(path.module()));
        here.keySet().stream()
                .filter(path -> modules.contains(path.module()) && !comes.containsKey(path) && !copied.contains(path))
                .forEach(path -> left.add(path + ": nothing in the " + origin + " comes for it"));
        if (filled.isEmpty() && (origin.equals(RUN) || !strict)) {
            throw new IllegalArgumentException("startup/from: none of the " + origin + "'s " + there.size()
                    + " arrays has a path of this experiment; startup/map says which becomes which"
                    + left.stream().findFirst().map(sentence -> ": " + sentence).orElse(""));
        }
        if (strict && !left.isEmpty()) {
            throw new IllegalArgumentException(left.stream()
                    .map(sentence -> "startup/from: " + sentence)
                    .collect(Collectors.joining("\n", "", "\nstartup/strict: false takes what fits")));
        }
        return new Filling(filled, left);
    }

    private static boolean matches(String from, String name) {
        return Renaming.hasStar(from) || !isPath(name) || !isPath(from.replace("**", "x"))
                ? Renaming.of(from, "").matches(name)
                : Selection.of(from).matches(Path.of(name));
    }

    /** A name without stars before one with them, a longer one before a shorter. */
    private static int moreExact(String one, String other) {
        int stars = Boolean.compare(one.contains("*"), other.contains("*"));
        return stars != 0 ? stars : Integer.compare(other.length(), one.length());
    }

    private static boolean isPath(String name) {
        try {
            return !Path.of(name).text().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static List<String> texts(Collection<Path> paths) {
        return paths.stream().map(Path::text).toList();
    }

    /** What begins as a copy of others. */
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
     * @return the paths that hold what the other had, copies too
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

    private Optional<String> misfit(String name, Declaration wanted, Tensor tensor) {
        if (wanted.shape().equals(tensor.shape()) && wanted.type() == tensor.type()) {
            return Optional.empty();
        }
        return Optional.of("that " + origin + " has " + name + " " + tensor.shape() + " " + tensor.type()
                + ", this one needs " + wanted.path() + " " + wanted.shape() + " " + wanted.type());
    }
}
