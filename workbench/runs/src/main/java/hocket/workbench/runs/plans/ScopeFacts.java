package hocket.workbench.runs.plans;

import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The arrays of one scope, including those of nested scopes.
 *
 * @param scope its path
 * @param parent the scope under which it is listed; empty for a module
 * @param arrays how many
 * @param numbers in them
 * @param bytes of them
 * @param readBy the turns that read one of them
 * @param writtenBy the turns that write one of them
 * @param readBeside other programs that read one of them
 */
public record ScopeFacts(
        String scope,
        String parent,
        int arrays,
        long numbers,
        long bytes,
        List<Touch> readBy,
        List<Touch> writtenBy,
        List<Touch> readBeside) {
    /**
     * A turn or a program that reads or writes arrays of a scope.
     *
     * @param turn its name
     * @param arrays the number of these arrays
     * @param whole whether these are all its weights
     */
    record Touch(String turn, int arrays, boolean whole) {}

    /**
     * A scope in a list of nested ones.
     *
     * @param label its path, below the scope that it is listed under
     * @param depth how many scopes it is nested in
     */
    record Nested(ScopeFacts scope, String label, int depth) {}

    /** Returns scopes with their depth, in the same order: each after its parent. */
    static List<Nested> nested(List<ScopeFacts> scopes) {
        Map<String, Integer> depths = new TreeMap<>();
        return scopes.stream()
                .map(scope -> {
                    String parent = scope.parent();
                    int depth = parent.isEmpty() ? 0 : depths.getOrDefault(parent, 0) + 1;
                    depths.put(scope.scope(), depth);
                    String label = depth == 0 ? scope.scope() : scope.scope().substring(parent.length() + 1);
                    return new Nested(scope, label, depth);
                })
                .toList();
    }

    /** Returns every module, and its nested scopes that hold more than one layer each. */
    static List<ScopeFacts> of(Setup setup, Writes writes, List<ProgramUse> programUses, Modules modules) {
        return new Listing(setup, writes, programUses).of(modules);
    }

    private static final class Listing {
        private final Collection<Declaration> declarations;
        private final Map<String, Set<Path>> readers = new LinkedHashMap<>();
        private final Map<String, Set<Path>> beside = new LinkedHashMap<>();
        private final Writes writes;
        private final List<ScopeFacts> rows = new ArrayList<>();

        Listing(Setup setup, Writes writes, List<ProgramUse> programUses) {
            this.declarations = setup.declarations();
            this.writes = writes;
            for (Turn turn : setup.turnsByName().values()) {
                turn.follow()
                        .ifPresent(follow -> readers.put(
                                turn.name(),
                                Selection.of(follow.from()).of(declarations).keySet()));
                programUses.stream()
                        .filter(programUse -> programUse.turns().contains(turn.name()))
                        .forEach(programUse -> readers.put(
                                turn.name(), programUse.program().parameters().keySet()));
            }
            programUses.stream()
                    .filter(programUse -> programUse.turns().isEmpty())
                    .forEach(programUse -> beside.put(
                            programUse.label(),
                            programUse.program().parameters().keySet()));
        }

        List<ScopeFacts> of(Modules modules) {
            TreeMap<String, List<Declaration>> byModule = new TreeMap<>();
            for (Declaration declaration : declarations) {
                modules.of(declaration.path())
                        .ifPresent(module -> byModule.computeIfAbsent(module, key -> new ArrayList<>())
                                .add(declaration));
            }
            byModule.forEach((module, held) -> {
                rows.add(row(module, "", held));
                inside(module, module, held);
            });
            return rows;
        }

        /** Returns the nested scopes, listed under the last listed one. */
        private void inside(String scope, String listed, List<Declaration> held) {
            TreeMap<String, List<Declaration>> children = new TreeMap<>();
            for (Declaration declaration : held) {
                String rest = declaration.path().text().substring(scope.length() + 1);
                if (rest.split("/").length > 2) { // scope, layer, array
                    String child = scope + "/" + rest.substring(0, rest.indexOf('/'));
                    children.computeIfAbsent(child, key -> new ArrayList<>());
                }
            }
            children.forEach((child, inner) -> {
                held.stream()
                        .filter(declaration -> declaration.path().isUnder(Path.of(child)))
                        .forEach(inner::add);
                if (inner.size() < held.size()) {
                    rows.add(row(child, listed, inner));
                }
                inside(child, inner.size() < held.size() ? child : listed, inner);
            });
        }

        private ScopeFacts row(String scope, String parent, List<Declaration> held) {
            return new ScopeFacts(
                    scope,
                    parent,
                    held.size(),
                    held.stream().mapToLong(d -> d.shape().size()).sum(),
                    held.stream().mapToLong(d -> d.shape().bytes(d.type())).sum(),
                    touches(readers, held),
                    touches(writes.byTurn(), held),
                    touches(beside, held));
        }

        private static List<Touch> touches(Map<String, ? extends Set<Path>> by, List<Declaration> held) {
            List<Touch> touches = new ArrayList<>();
            touching(by, held).forEach((turn, paths) -> {
                boolean whole = held.stream()
                        .filter(declaration -> declaration.kind() == Kind.WEIGHT)
                        .allMatch(declaration -> paths.contains(declaration.path()));
                touches.add(new Touch(turn, paths.size(), whole));
            });
            return touches;
        }

        /** Returns the turns that read or write some arrays, and which arrays. */
        private static Map<String, Set<Path>> touching(Map<String, ? extends Set<Path>> by, List<Declaration> held) {
            Map<String, Set<Path>> touching = new LinkedHashMap<>();
            by.forEach((name, paths) -> {
                Set<Path> touched = new LinkedHashSet<>();
                held.stream().map(Declaration::path).filter(paths::contains).forEach(touched::add);
                if (!touched.isEmpty()) {
                    touching.put(name, touched);
                }
            });
            return touching;
        }
    }
}
