package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads rows of one column from NumPy's {@code .npy} files. The first axis of the array is the rows. Float columns take
 * floats and integers, INT64 takes integers; values that are not finite in the column's type, and integers that it would
 * round, are rejected with their row.
 */
public final class NumpyRows {
    private NumpyRows() {}

    /**
     * Returns the rows of a {@code .npy} file in memory.
     *
     * @param bytes of the file, from position to limit
     * @throws MalformedRowsException if it is not such a file, or does not match the only column, naming the row; or if
     *         there are more columns
     */
    public static RowBatch npy(RowFormat format, ByteBuffer bytes) throws MalformedRowsException {
        if (format.columns().size() > 1) {
            throw malformed("", "a .npy file holds one column, and the columns are " + format + ": send JSON lines");
        }
        Column column = format.columns().get(0);
        try {
            return batch(format, column, Npy.of(column.name(), bytes));
        } catch (IOException e) {
            throw malformed("", DiskFailureText.of(e));
        }
    }

    private static MalformedRowsException malformed(String column, String sentence) {
        return new MalformedRowsException(MalformedRowsException.NO_LINE, column, sentence);
    }

    private static RowBatch batch(RowFormat format, Column column, Npy array)
            throws MalformedRowsException, IOException {
        requireShape(column, array);
        long rows = array.shape().get(0);
        if (rows * format.bytes() > RowBatch.MOST_BYTES) {
            throw malformed(
                    "",
                    "a batch may have " + RowBatch.MOST_BYTES + " bytes, these " + rows + " rows have "
                            + rows * format.bytes() + ": send fewer at a time");
        }
        if (rows == 0) {
            throw malformed("", "there must be at least one row");
        }
        RowBatch.Builder batch = new RowBatch.Builder(format);
        try {
            add(batch, column, array.tensor());
        } catch (FormatException e) {
            throw malformed(column.name(), e.reason());
        }
        return batch.end((int) rows);
    }

    private static void requireShape(Column column, Npy array) throws MalformedRowsException {
        Shape row = column.shape();
        boolean fits = array.shape().size() == row.rank() + 1;
        for (int axis = 0; fits && axis < row.rank(); axis++) {
            fits = array.shape().get(axis + 1) == row.get(axis);
        }
        if (!fits || array.shape().get(0) > Integer.MAX_VALUE) {
            throw malformed(column.name(), "must have the shape (rows, then " + row + "), was " + array.shape());
        }
        if (column.type() == ElementType.INT64 && array.dtype().type() != ElementType.INT64) {
            throw malformed(column.name(), "must be of whole numbers, was of " + array.dtype());
        }
    }

    private static void add(RowBatch.Builder batch, Column column, Tensor array) throws MalformedRowsException {
        ByteBuffer values = array.buffer();
        int width = column.shape().size();
        for (int i = 0; values.hasRemaining(); i++) {
            try {
                switch (array.type()) {
                    case FLOAT32 -> batch.add(0, values.getFloat());
                    case FLOAT64 -> batch.add(0, values.getDouble());
                    case INT64 -> whole(batch, column, values.getLong());
                }
            } catch (IllegalArgumentException e) {
                throw malformed(column.name(), "row " + i / width + " " + e.getMessage());
            }
        }
    }

    private static void whole(RowBatch.Builder batch, Column column, long value) {
        double real = column.type() == ElementType.FLOAT32 ? (double) (float) value : (double) value;
        if (column.type() == ElementType.INT64) {
            batch.add(0, value);
        } else if ((long) real == value && real < 0x1p63) {
            batch.add(0, real);
        } else {
            throw new IllegalArgumentException("must be representable in " + column.type() + ", was " + value);
        }
    }
}
