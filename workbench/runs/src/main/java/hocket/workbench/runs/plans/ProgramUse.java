package hocket.workbench.runs.plans;

import hocket.programs.Program;
import hocket.schedulers.Setup;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A program and its use.
 *
 * @param label the program's name, followed by its purpose if two have the same name
 * @param program the program, with the outputs that its turns observe
 * @param purpose its use, for people: {@code turn d}
 * @param turns the turns that minimise it; empty if only sampling or validation runs it
 * @param written the arrays that these update: weights, and running statistics
 * @param gradients the weights among these
 * @param rows rows of a batch; 0 if unknown
 */
public record ProgramUse(
        String label,
        Program program,
        String purpose,
        List<String> turns,
        SortedSet<Path> written,
        SortedSet<Path> gradients,
        int rows) {
    private record Moving(Program program, SortedSet<Path> written) {}

    /**
     * Returns all programs of an experiment: first those of its turns, then those of samples and validation, and those
     * that Java turns may run.
     *
     * @param further programs that Java turns may run; the unused ones are listed last
     */
    public static List<ProgramUse> of(Setup setup, Writes writes, Collection<Program> further) {
        Map<Moving, List<String>> turns = new LinkedHashMap<>();
        for (Turn.Descend turn : setup.descending()) {
            Moving moving = new Moving(turn.program().with(turn.observed()), writes.paths(turn.name()));
            turns.computeIfAbsent(moving, key -> new ArrayList<>()).add(turn.name());
        }
        Set<Path> weights = setup.declarations().stream()
                .filter(declaration -> declaration.kind() == Kind.WEIGHT)
                .map(Declaration::path)
                .collect(Collectors.toSet());
        List<ProgramUse> programUses = new ArrayList<>();
        turns.forEach((moving, names) -> {
            SortedSet<Path> gradients = new TreeSet<>(moving.written());
            gradients.retainAll(weights);
            String purpose = (names.size() == 1 ? "turn " : "turns ") + String.join(", ", names);
            programUses.add(new ProgramUse(
                    moving.program().name(),
                    moving.program(),
                    purpose,
                    List.copyOf(names),
                    moving.written(),
                    gradients,
                    rows(moving.program(), setup)));
        });
        setup.samples().ifPresent(program -> programUses.add(beside(program, "samples", rows(program, setup))));
        setup.validation()
                .ifPresent(by -> programUses.add(
                        beside(by.program(), "validation", by.source().batch())));
        Set<String> used = programUses.stream()
                .map(programUse -> programUse.program().name())
                .collect(Collectors.toSet());
        further.stream()
                .filter(program -> !used.contains(program.name()))
                .forEach(program -> programUses.add(beside(program, "turns of Java", rows(program, setup))));
        return programUses.stream()
                .map(programUse -> programUse.labelledAmong(programUses))
                .toList();
    }

    private static ProgramUse beside(Program program, String purpose, int rows) {
        return new ProgramUse(program.name(), program, purpose, List.of(), new TreeSet<>(), new TreeSet<>(), rows);
    }

    private ProgramUse labelledAmong(List<ProgramUse> programUses) {
        boolean alone =
                programUses.stream().filter(other -> other.label.equals(label)).count() == 1;
        return alone
                ? this
                : new ProgramUse(label + " (" + purpose + ")", program, purpose, turns, written, gradients, rows);
    }

    /**
     * Returns the batch of the source that feeds it; if it reads only noise, the experiment's, or the first source's.
     */
    private static int rows(Program program, Setup setup) {
        List<SourceDescription> sources =
                setup.feeds().stream().map(Setup.Feed::source).toList();
        return sources.stream()
                .filter(source -> source.isReadBy(program))
                .findFirst()
                .map(SourceDescription::batch)
                .orElse(
                        setup.batch() > 0
                                ? setup.batch()
                                : sources.stream()
                                        .findFirst()
                                        .map(SourceDescription::batch)
                                        .orElse(0));
    }
}
