package hocket.workbench.runs.plans;

import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Describes sets of parameters in few words: {@code discriminator/** (9 arrays, 133,953 numbers)}. */
public final class ParameterGlobs {
    /** The size of a glob's match: arrays, and the numbers in them. */
    record Share(String glob, int arrays, long numbers) {
        @Override
        public String toString() {
            return glob + " (" + NumberFormats.counted(arrays, "array") + ", "
                    + NumberFormats.counted(numbers, "number") + ")";
        }
    }

    private final TreeMap<Path, Declaration> all = new TreeMap<>();

    /** @param declarations all arrays of the store */
    ParameterGlobs(Collection<Declaration> declarations) {
        declarations.forEach(declaration -> all.put(declaration.path(), declaration));
    }

    /** Everything in the store. */
    Collection<Declaration> declarations() {
        return all.values();
    }

    /**
     * Returns globs that match the parameters and no other weights, each with its number of arrays and numbers in the
     * set. Running statistics that are not in the set do not split a glob: programs that train do not read them.
     */
    List<Share> summary(Collection<Path> paths) {
        Set<Path> set = new TreeSet<>(paths);
        List<Share> summary = new ArrayList<>();
        summarise(
                "",
                set,
                all.values().stream()
                        .filter(d -> d.kind() == Kind.WEIGHT || set.contains(d.path()))
                        .map(Declaration::path)
                        .toList(),
                summary);
        return summary;
    }

    private void summarise(String prefix, Set<Path> set, List<Path> under, List<Share> summary) {
        List<Path> chosen = under.stream().filter(set::contains).toList();
        if (chosen.isEmpty()) {
            return;
        }
        if (under.size() == 1) {
            summary.add(counted(under.get(0).text(), chosen));
            return;
        }
        TreeMap<String, List<Path>> children =
                new TreeMap<>(under.stream().collect(Collectors.groupingBy(path -> firstOf(path, prefix))));
        if (chosen.size() == under.size() && !prefix.isEmpty() && children.size() > 1) {
            summary.add(counted(prefix + "**", chosen));
        } else {
            children.forEach((name, paths) -> summarise(prefix + name + "/", set, paths, summary));
        }
    }

    /** Returns the segment of a path after a prefix; empty if the path is the prefix. */
    private static String firstOf(Path path, String prefix) {
        return path.text().length() < prefix.length()
                ? ""
                : path.text().substring(prefix.length()).split("/", 2)[0];
    }

    private Share counted(String glob, List<Path> paths) {
        return new Share(
                glob,
                paths.size(),
                paths.stream()
                        .map(all::get)
                        .filter(Objects::nonNull)
                        .mapToLong(d -> d.shape().size())
                        .sum());
    }
}
