package hocket.schedulers.flow;

import hocket.schedulers.State;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Nearest;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Parameters that begin as another run left its own.
 *
 * @param saved a state of that run
 * @param map glob to glob; empty for all paths that both have
 */
record HotStart(State saved, Map<String, String> map) {
    /**
     * Which path becomes which; a part may keep its paths.
     *
     * @throws IllegalArgumentException as {@link Mapping#of} does otherwise
     */
    static UnaryOperator<Path> mapping(String from, String to) {
        return from.equals(to) ? path -> path : Mapping.of(from, to)::map;
    }

    /**
     * What fills a store.
     *
     * @param declarations what the store holds
     * @throws IllegalArgumentException if nothing fits, a mapped path is missing, or a shape or type differs, naming both
     */
    SortedMap<Path, Tensor> filling(Collection<Declaration> declarations) {
        SortedMap<Path, Tensor> there = saved.state("parameters").snapshot().tensors();
        SortedMap<Path, Tensor> filled = new TreeMap<>();
        SortedMap<Path, Declaration> here = new TreeMap<>();
        declarations.forEach(declaration -> here.put(declaration.path(), declaration));
        if (map.isEmpty()) {
            there.forEach((path, tensor) -> {
                if (here.containsKey(path)) {
                    filled.put(path, fitting(path, path, tensor, here));
                }
            });
            if (filled.isEmpty()) {
                throw new IllegalArgumentException("startup/from: none of the run's " + there.size()
                        + " arrays has a path of this experiment; startup/map says which becomes which");
            }
        }
        map.forEach((from, to) -> {
            UnaryOperator<Path> mapping = mapping(from, to);
            Selection selection = Selection.of(from);
            List<Path> selected =
                    there.keySet().stream().filter(selection::matches).toList();
            if (selected.isEmpty()) {
                throw new IllegalArgumentException("startup/map: " + from + " matches no array of the run"
                        + Nearest.among(
                                from, there.keySet().stream().map(Path::text).toList()));
            }
            for (Path path : selected) {
                Path target = mapping.apply(path);
                if (!here.containsKey(target)) {
                    throw new IllegalArgumentException("startup/map: " + path + " would become " + target
                            + ", which this experiment has not"
                            + Nearest.among(
                                    target.text(),
                                    here.keySet().stream().map(Path::text).toList()));
                }
                filled.put(target, fitting(path, target, Objects.requireNonNull(there.get(path)), here));
            }
        });
        return filled;
    }

    /**
     * Fills a store.
     *
     * @param copies what begins as a copy, and of what: of what was filled, unless it was filled itself
     * @param filled what it is filled by, from {@link #filling}
     * @return the paths that hold what the other run had, copies too
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

    private static Tensor fitting(Path from, Path to, Tensor tensor, SortedMap<Path, Declaration> here) {
        Declaration wanted = Objects.requireNonNull(here.get(to));
        if (!wanted.shape().equals(tensor.shape()) || wanted.type() != tensor.type()) {
            throw new IllegalArgumentException("startup/from: that run has " + from + " " + tensor.shape() + " "
                    + tensor.type() + ", this one needs " + to + " " + wanted.shape() + " " + wanted.type());
        }
        return tensor;
    }
}
