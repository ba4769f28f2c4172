package hocket.workbench.runs.plans;

import hocket.workbench.runs.plans.ScopeFacts.Touch;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which turns and programs read and write which scopes, as a table of a row for each scope.
 *
 * @param name name of the experiment
 * @param summary what it does
 * @param turns names of the columns of turns, in the order of the plan
 * @param programs names of the columns after them: programs that run in addition to training
 * @param rows the scopes in the order of their paths, each before the scopes in it
 */
public record Ownership(String name, String summary, List<String> turns, List<String> programs, List<Row> rows) {
    /** What a turn or a program does with the arrays of a scope. */
    public enum Access {
        NONE,
        READS,
        /** A turn descends a loss and updates them. */
        TRAINS,
        /** A turn sets them without a loss. */
        SETS
    }

    /**
     * An entry of the table.
     *
     * @param whole whether it concerns all weights of the scope
     */
    public record Cell(Access access, boolean whole) {
        private static final Cell EMPTY = new Cell(Access.NONE, true);
    }

    /**
     * A scope.
     *
     * @param label its path, below the scope of the row that it is nested in
     * @param scope its whole path
     * @param depth number of rows that it is nested in
     * @param numbers parameters in it, nested scopes included
     * @param cells an entry for each turn, then for each program
     */
    public record Row(String label, String scope, int depth, long numbers, List<Cell> cells) {}

    /** Returns the table of a plan. */
    public static Ownership of(PlanFacts facts) {
        Set<String> trains = facts.turns().stream()
                .filter(turn -> turn.does() == TurnFacts.Does.DESCENDS)
                .map(TurnFacts::name)
                .collect(Collectors.toSet());
        List<String> turns = facts.turns().stream().map(TurnFacts::name).toList();
        List<String> programs = facts.programs().stream()
                .filter(program -> program.turns().isEmpty())
                .map(PlanFacts.ProgramFacts::name)
                .toList();
        List<Row> rows = ScopeFacts.nested(facts.scopes()).stream()
                .map(nested -> {
                    List<Cell> cells = new ArrayList<>();
                    turns.forEach(turn -> cells.add(cell(nested.scope(), turn, trains)));
                    programs.forEach(program -> cells.add(
                            nested.scope().readBeside().contains(program) ? new Cell(Access.READS, true) : Cell.EMPTY));
                    return new Row(
                            nested.label(),
                            nested.scope().scope(),
                            nested.depth(),
                            nested.scope().numbers(),
                            cells);
                })
                .toList();
        return new Ownership(facts.name(), facts.summary(), turns, programs, rows);
    }

    private static Cell cell(ScopeFacts scope, String turn, Set<String> trains) {
        for (Touch touch : scope.writtenBy()) {
            if (touch.turn().equals(turn)) {
                return new Cell(trains.contains(turn) ? Access.TRAINS : Access.SETS, touch.whole());
            }
        }
        for (Touch touch : scope.readBy()) {
            if (touch.turn().equals(turn)) {
                return new Cell(Access.READS, touch.whole());
            }
        }
        return Cell.EMPTY;
    }
}
