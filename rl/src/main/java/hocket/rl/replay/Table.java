package hocket.rl.replay;

import hocket.schedulers.Source.Column;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Supplier;

/**
 * Rows of named, typed columns that a turn of Java collects, all of them again each time, for {@link Minibatches} to train
 * on. The turn sets the columns and then counts the collection:
 *
 * <pre>{@code
 * Table pairs = new Table("pairs", 64, new Column("first", Shape.of(32), INT64), …);
 * pairs.set("first", written);
 * pairs.collected();
 * }</pre>
 *
 * <p>A column that was never set is 0. The saved state holds all columns.
 */
public final class Table implements Stateful {
    private final String name;
    private final int rows;
    private final List<Column> columns;
    private final Supplier<List<String>> notes;
    private final byte[][] values;
    private long collections;

    /**
     * Makes a table of zeros.
     *
     * @param name for messages
     * @param rows number of rows of a collection
     * @throws IllegalArgumentException if a column has more bytes than an array can have
     */
    public Table(String name, int rows, Column... columns) {
        this(name, rows, List.of(columns), List::of);
    }

    /**
     * Makes a table of zeros.
     *
     * @param notes remarks for people on where the rows come from, one line each
     */
    Table(String name, int rows, List<Column> columns, Supplier<List<String>> notes) {
        this.name = name;
        this.rows = rows;
        this.columns = List.copyOf(columns);
        this.notes = notes;
        values = columns.stream().map(column -> new byte[bytes(column)]).toArray(byte[][]::new);
    }

    private int bytes(Column column) {
        String of = "table " + name + ": bytes of column " + column.name();
        return Limits.elements(of, rows, column.shape().size(), column.type().bytes());
    }

    /** Returns the number of rows of a collection. */
    public int rows() {
        return rows;
    }

    /** Returns the columns, in order. */
    public List<Column> columns() {
        return columns;
    }

    List<String> notes() {
        return notes.get();
    }

    /** Returns the number of collections so far. */
    public long collections() {
        return collections;
    }

    /** Returns the rows of a column, one after the other in native order. */
    ByteBuffer values(int column) {
        return ByteBuffer.wrap(values[column]).order(ByteOrder.nativeOrder());
    }

    /** Copies the rows of a column, (rows, …). */
    public Tensor values(String name) {
        int column = position(name);
        return Tensor.copyOf(shape(column), columns.get(column).type(), values(column));
    }

    private Shape shape(int column) {
        return columns.get(column).shape().prepend(rows);
    }

    /**
     * Returns the position of a column.
     *
     * @throws IllegalArgumentException if there is none of that name; the message names similar ones
     */
    int position(String name) {
        return columns.indexOf(
                SimilarNames.find(columns, Column::name, name, "table " + this.name + " has no column "));
    }

    /**
     * Replaces the rows of a column.
     *
     * @param numbers rows one after the other; whole numbers for a column of INT64
     * @throws IllegalArgumentException if there is no such column, or it has another number of elements
     */
    public void set(String name, float[] numbers) {
        int column = position(name);
        require(column, numbers.length);
        ElementType type = columns.get(column).type();
        if (type == ElementType.FLOAT32) {
            values(column).asFloatBuffer().put(numbers);
        } else {
            ByteBuffer into = values(column);
            for (int i = 0; i < numbers.length; i++) {
                type.put(into, i, numbers[i]);
            }
        }
    }

    /**
     * Replaces the rows of a column of INT64.
     *
     * @throws IllegalArgumentException if there is no such column, or it has another type or number of elements
     */
    public void set(String name, long[] numbers) {
        int column = position(name);
        require(column, numbers.length);
        if (columns.get(column).type() != ElementType.INT64) {
            throw new IllegalArgumentException(
                    "table " + this.name + ": column " + columns.get(column) + " takes no whole numbers of INT64");
        }
        values(column).asLongBuffer().put(numbers);
    }

    private void require(int column, int numbers) {
        int needed = shape(column).size();
        if (numbers != needed) {
            throw new IllegalArgumentException("table " + name + ": " + rows + " rows of column " + columns.get(column)
                    + " have " + needed + " numbers, got " + numbers);
        }
    }

    /** Says that the columns hold the rows of a new collection. */
    public void collected() {
        collections++;
    }

    @Override
    public State save() {
        State state = State.empty().with("collected", collections);
        for (int i = 0; collections > 0 && i < values.length; i++) {
            Column column = columns.get(i);
            state = state.with(column.name(), Tensor.copyOf(shape(i), column.type(), values(i)));
        }
        return state;
    }

    /** @throws IllegalArgumentException if a saved column has another number of elements */
    void require(State state) {
        for (int i = 0; state.whole("collected") > 0 && i < values.length; i++) {
            require(i, state.tensor(columns.get(i).name()).shape().size());
        }
    }

    @Override
    public void restore(State state) {
        require(state);
        long saved = state.whole("collected");
        for (int i = 0; saved > 0 && i < values.length; i++) {
            Tensor tensor = state.tensor(columns.get(i).name());
            ByteBuffer into = values(i);
            for (int k = 0; k < tensor.shape().size(); k++) {
                columns.get(i).type().put(into, k, tensor.get(k));
            }
        }
        collections = saved;
    }
}
