package hocket.workbench.runs.plans;

import hocket.workbench.runs.plans.ScopeFacts.Touch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A table of what turns and programs read and write, with a row for each scope.
 *
 * @param name name of the experiment
 * @param summary what it does
 * @param turns names of the columns of turns, in the order of the plan
 * @param programs names of the columns after them: programs that run in addition to training
 * @param rows the scopes in the order of their paths, each before the scopes in it
 */
public record Ownership(String name, String summary, List<String> turns, List<String> programs, List<Row> rows) {
    /** The access of a turn or a program to the arrays of a scope. */
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
                    ScopeFacts scope = nested.scope();
                    List<Cell> cells = new ArrayList<>();
                    turns.forEach(turn -> cells.add(written(scope, turn, trains)
                            .or(() -> read(scope.readBy(), turn))
                            .orElse(Cell.EMPTY)));
                    programs.forEach(program ->
                            cells.add(read(scope.readBeside(), program).orElse(Cell.EMPTY)));
                    return new Row(nested.label(), scope.scope(), nested.depth(), scope.numbers(), cells);
                })
                .toList();
        return new Ownership(facts.name(), facts.summary(), turns, programs, rows);
    }

    private static Optional<Cell> written(ScopeFacts scope, String turn, Set<String> trains) {
        Access access = trains.contains(turn) ? Access.TRAINS : Access.SETS;
        return touch(scope.writtenBy(), turn).map(touch -> new Cell(access, touch.whole()));
    }

    private static Optional<Cell> read(List<Touch> readers, String name) {
        return touch(readers, name).map(touch -> new Cell(Access.READS, touch.whole()));
    }

    private static Optional<Touch> touch(List<Touch> touches, String name) {
        return touches.stream().filter(touch -> touch.turn().equals(name)).findFirst();
    }
}
