package hocket.rl.text;

import hocket.schedulers.Source.Column;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows that a turn of Java collects, all of them anew each time, for {@link CollectedBatches} to train on. */
final class CollectedRows implements Stateful {
    private final String turn;
    private final int count;
    private final List<Column> columns;
    private final List<Tensor> values;
    private long collected;

    /**
     * @param turn the turn that collects them, for messages
     * @param count number of rows
     */
    CollectedRows(String turn, int count, Column... columns) {
        this.turn = turn;
        this.count = count;
        this.columns = List.of(columns);
        this.values = new ArrayList<>(Collections.nCopies(columns.length, null));
    }

    String turn() {
        return turn;
    }

    int count() {
        return count;
    }

    List<Column> columns() {
        return columns;
    }

    /** The number of collections so far. */
    long collected() {
        return collected;
    }

    /** The rows of a column. */
    Tensor values(int column) {
        return values.get(column);
    }

    /** Replaces all rows, column by column. */
    void replace(Tensor... columnValues) {
        for (int i = 0; i < columnValues.length; i++) {
            require(i, columnValues[i]);
        }
        for (int i = 0; i < columnValues.length; i++) {
            values.set(i, columnValues[i]);
        }
        collected++;
    }

    private void require(int i, Tensor tensor) {
        Column column = columns.get(i);
        if (!tensor.shape().equals(column.shape().prepend(count)) || tensor.type() != column.type()) {
            throw new IllegalArgumentException("turn " + turn + ": " + count + " rows of column " + column
                    + " were expected, got " + tensor.signature());
        }
    }

    @Override
    public State save() {
        State state = State.empty().with("collected", collected);
        for (int i = 0; collected > 0 && i < columns.size(); i++) {
            state = state.with(columns.get(i).name(), values.get(i));
        }
        return state;
    }

    @Override
    public void restore(State state) {
        long saved = state.whole("collected");
        for (int i = 0; saved > 0 && i < columns.size(); i++) {
            require(i, state.tensor(columns.get(i).name()));
        }
        for (int i = 0; i < columns.size(); i++) {
            values.set(i, saved > 0 ? state.tensor(columns.get(i).name()) : null);
        }
        collected = saved;
    }
}
