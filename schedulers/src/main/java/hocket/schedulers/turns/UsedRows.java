package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.TableReads;
import hocket.programs.operators.Leaf;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Lazy;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of embedding tables that a run of a turn's program looked up, for optimizers that are lazy. */
final class UsedRows {
    /** A table: the indices at which it is looked up, and the rows in use. */
    private record Table(List<Value> indices, BitSet rows) {}

    private final SortedMap<Path, Table> tables = new TreeMap<>();

    private UsedRows(SortedMap<Path, List<Value>> indices) {
        indices.forEach((path, of) -> tables.put(path, new Table(of, new BitSet())));
    }

    /** The rows for all updates of a turn. Throws as {@link #indices} does. */
    static UsedRows of(Turn.Descend turn, Collection<Declaration> declarations) {
        SortedMap<Path, List<Value>> all = new TreeMap<>();
        turn.updates().forEach(update -> all.putAll(indices(turn, update, declarations)));
        return new UsedRows(all);
    }

    /**
     * Returns the tables that an update takes by rows, with the indices at which embeddings look these up; none if its
     * optimizer is not lazy.
     *
     * @throws IllegalArgumentException if it is and no embedding reads any of its weights, or not only embeddings read one
     */
    static SortedMap<Path, List<Value>> indices(
            Turn.Descend turn, Turn.Update update, Collection<Declaration> declarations) {
        SortedMap<Path, List<Value>> tables = new TreeMap<>();
        if (!(update.rule() instanceof Lazy)) {
            return tables;
        }
        Program program = turn.program();
        for (Path path : Writes.weights(turn, update, declarations)) {
            @Nullable Value parameter = program.parameters().get(path);
            if (parameter == null) {
                continue;
            }
            TableReads reads = TableReads.ofGradient(program, parameter);
            if (reads.isTableOnly()) {
                tables.put(path, reads.indices());
            } else if (reads.isTable()) {
                throw new IllegalArgumentException(
                        "turn " + turn.name() + ": a lazy optimizer updates the rows of " + path
                                + " that embeddings look up, but "
                                + reads.others().get(0).path()
                                + " reads all of it, too: it needs an optimizer that is not lazy");
            }
        }
        if (tables.isEmpty()) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + ": a lazy optimizer updates the rows of tables that"
                            + " embeddings look up, and " + update.selection() + " holds no such table");
        }
        return tables;
    }

    /** Returns a program that also hands out the indices that it computes. */
    Program handingOut(Program program) {
        List<Value> computed = new ArrayList<>();
        tables.values().stream()
                .flatMap(table -> table.indices().stream())
                .filter(index -> !index.inputs().isEmpty())
                .forEach(computed::add);
        return program.with(computed);
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    /** Returns the rows of a table at the last {@link #read}, the same object at each call; null if it has none. */
    @Nullable
    BitSet of(Path table) {
        @Nullable Table known = tables.get(table);
        return known == null ? null : known.rows();
    }

    /** Reads the indices of the last run. */
    void read(BoundProgram program) {
        if (tables.isEmpty()) {
            return; // without an iterator, which each turn would make
        }
        for (Table table : tables.values()) {
            BitSet used = table.rows();
            used.clear();
            for (Value index : table.indices()) {
                if (index.operator() instanceof Leaf.Constant constant) {
                    for (long row : constant.value().longs()) {
                        used.set((int) row);
                    }
                    continue;
                }
                ByteBuffer numbers = index.operator() instanceof Leaf.Input
                        ? program.fedNumbers(program.position(index.path().text()))
                        : program.result(program.program().targets().indexOf(index));
                int count = (index.batched() ? program.rows().orElseThrow() : 1)
                        * index.shape().size();
                for (int i = 0; i < count; i++) {
                    used.set((int) numbers.getLong(i * Long.BYTES));
                }
            }
        }
    }
}
