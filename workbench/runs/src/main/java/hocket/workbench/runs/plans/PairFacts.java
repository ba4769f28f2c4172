package hocket.workbench.runs.plans;

import hocket.programs.Value;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The relation between two programs. They are separate if no turn of one updates an array that the other reads or
 * updates.
 *
 * @param moves updates that make them not separate
 * @param read modules of which both read an array that neither updates
 * @param carriedBy turns that copy arrays which one of them reads or updates to arrays of the other
 * @param inputs inputs of both
 */
public record PairFacts(
        String first,
        String second,
        boolean separate,
        List<Move> moves,
        List<String> read,
        List<String> carriedBy,
        List<String> inputs) {
    /** Updates by turns of one program to arrays of a module that the other reads or updates. */
    record Move(String program, List<String> turns, String module) {}

    /** Returns all pairs, in the order of the programs. */
    static List<PairFacts> of(Setup setup, Writes writes, List<ProgramUse> programUses, Modules modules) {
        Collection<Turn> turns = setup.turnsByName().values();
        List<PairFacts> pairs = new ArrayList<>();
        for (int i = 0; i < programUses.size(); i++) {
            for (int k = i + 1; k < programUses.size(); k++) {
                pairs.add(of(programUses.get(i), programUses.get(k), setup, writes, turns, modules));
            }
        }
        return pairs;
    }

    private static PairFacts of(
            ProgramUse first, ProgramUse second, Setup setup, Writes writes, Collection<Turn> turns, Modules modules) {
        List<Move> moves = Stream.concat(moves(first, second, modules).stream(), moves(second, first, modules).stream())
                .toList();
        Set<Path> moved = new TreeSet<>(first.written());
        moved.addAll(second.written());
        Set<Path> read = common(
                first.program().parameters().keySet(),
                second.program().parameters().keySet());
        read.removeAll(moved);
        List<String> carriedBy = Turn.following(turns).stream()
                .filter(turn -> {
                    Set<Path> from =
                            Selection.of(turn.from()).of(setup.declarations()).keySet();
                    Set<Path> to = writes.paths(turn.name());
                    return meets(from, first) && meets(to, second) || meets(from, second) && meets(to, first);
                })
                .map(Turn::name)
                .toList();
        List<String> inputs =
                common(paths(first), paths(second)).stream().map(Path::text).toList();
        return new PairFacts(
                first.label(), second.label(), moves.isEmpty(), moves, names(read, modules), carriedBy, inputs);
    }

    private static List<Move> moves(ProgramUse mover, ProgramUse other, Modules modules) {
        return names(common(mover.written(), touched(other)), modules).stream()
                .map(module -> new Move(mover.label(), mover.turns(), module))
                .toList();
    }

    private static Set<Path> touched(ProgramUse programUse) {
        Set<Path> touched = new TreeSet<>(programUse.program().parameters().keySet());
        touched.addAll(programUse.written());
        return touched;
    }

    private static boolean meets(Set<Path> paths, ProgramUse programUse) {
        return !common(paths, touched(programUse)).isEmpty();
    }

    private static Set<Path> paths(ProgramUse programUse) {
        return programUse.program().inputs().stream().map(Value::path).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<Path> common(Set<Path> some, Set<Path> others) {
        Set<Path> common = new TreeSet<>(some);
        common.retainAll(others);
        return common;
    }

    private static List<String> names(Set<Path> paths, Modules modules) {
        return paths.stream()
                .flatMap(path -> modules.of(path).stream())
                .distinct()
                .toList();
    }
}
