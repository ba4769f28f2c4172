package hocket.schedulers;

import hocket.schedulers.Source.Column;
import hocket.schedulers.feeds.RowSource;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An immutable table in memory, whose columns have the same number of rows.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Rows pairs = Rows.of("x", Tensor.of(Shape.of(3, 1), 0f, 1f, 2f)).and("y", Tensor.of(Shape.of(3, 1), 1f, 3f, 5f));
 * Source source = pairs.batches(2);
 * }</pre>
 */
public final class Rows {
    private final List<Column> columns;
    private final List<ByteBuffer> data;
    private final int count;

    private Rows(List<Column> columns, List<ByteBuffer> data, int count) {
        this.columns = columns;
        this.data = data;
        this.count = count;
    }

    /**
     * A table of one column.
     *
     * @param name the input that it feeds
     * @param rows the rows along the first axis
     */
    public static Rows of(String name, Tensor rows) {
        return new Rows(List.of(), List.of(), rows.shape().get(0)).and(name, rows);
    }

    /**
     * Returns this table with one more column.
     *
     * @throws IllegalArgumentException if it has another number of rows, or the name is taken
     */
    public Rows and(String name, Tensor rows) {
        if (rows.shape().rank() == 0 || rows.shape().get(0) != count) {
            throw new IllegalArgumentException("column " + name + " " + rows + " needs " + count + " rows");
        }
        if (columns.stream().anyMatch(column -> column.name().equals(name))) {
            throw new IllegalArgumentException("two columns are called " + name);
        }
        int[] extents = rows.shape().extents();
        Shape row = Shape.of(Arrays.copyOfRange(extents, 1, extents.length));
        List<Column> moreColumns = new ArrayList<>(columns);
        moreColumns.add(new Column(name, row, rows.type()));
        List<ByteBuffer> moreData = new ArrayList<>(data);
        moreData.add(rows.buffer());
        return new Rows(List.copyOf(moreColumns), List.copyOf(moreData), count);
    }

    /** Returns the number of rows. */
    public int count() {
        return count;
    }

    /** Returns the descriptions of the columns. */
    public List<Column> columns() {
        return columns;
    }

    /**
     * A source of batches in a new random order each epoch; the rows that do not fill a last batch are left out of that
     * epoch. Its name is that of its first column.
     *
     * @throws IllegalArgumentException if the batch is below 1 or above the number of rows
     */
    public Source batches(int batch) {
        return batches(columns.get(0).name(), batch);
    }

    /** A shuffled source with a given name. */
    public Source batches(String name, int batch) {
        return batches(name, batch, true);
    }

    /** A source of batches in the table's order, which repeats endlessly. */
    public Source batchesInOrder(String name, int batch) {
        return batches(name, batch, false);
    }

    /** Makes a source, shuffled or in order. */
    public Source batches(String name, int batch, boolean shuffled) {
        return new RowSource(name, this, batch, shuffled);
    }

    public void copy(int column, int row, ByteBuffer out, int position) {
        Column c = columns.get(column);
        int bytes = c.shape().size() * c.type().bytes();
        out.put(position * bytes, data.get(column), row * bytes, bytes);
    }
}
