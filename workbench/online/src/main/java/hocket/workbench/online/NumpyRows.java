package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.formats.FormatException;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.formats.Npz;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Reads rows from NumPy's files: a {@code .npy} file for a format of one column, a {@code .npz} file with an array of
 * each column, by name. The first axis of an array is the rows. Float columns take floats and integers, INT64 takes
 * integers; values that are not finite in the column's type, and integers that it would round, are rejected with their
 * row.
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
        String name = format.columns().get(0).name();
        try {
            return batch(format, Map.of(name, Npy.of(name, bytes)));
        } catch (IOException e) {
            throw malformed("", DiskFailureText.of(e));
        }
    }

    /**
     * Returns the rows of a {@code .npz} file, which may be deleted afterwards.
     *
     * @throws MalformedRowsException if it is not such a file, lacks a column or has another array, or one does not
     *         match, naming the row
     * @throws UncheckedIOException if reading fails
     */
    public static RowBatch npz(RowFormat format, Path file) throws MalformedRowsException {
        try {
            Map<String, Npy> arrays = Npz.read(file);
            List<String> names = format.columns().stream().map(Column::name).toList();
            for (String name : arrays.keySet()) {
                if (!names.contains(name)) {
                    throw malformed("", "there is no column " + name + SimilarNames.among(name, names));
                }
            }
            return batch(format, arrays);
        } catch (FormatException e) {
            throw malformed("", e.reason());
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    private static MalformedRowsException malformed(String column, String sentence) {
        return new MalformedRowsException(MalformedRowsException.NO_LINE, column, sentence);
    }

    private static RowBatch batch(RowFormat format, Map<String, Npy> arrays)
            throws MalformedRowsException, IOException {
        RowBatch.Builder batch = new RowBatch.Builder(format);
        long rows = -1;
        for (Column column : format.columns()) {
            Npy array = arrays.get(column.name());
            if (array == null) {
                throw malformed(column.name(), "must be there, is missing");
            }
            requireShape(column, array);
            long its = array.shape().get(0);
            if (rows >= 0 && its != rows) {
                throw malformed(
                        column.name(),
                        "must have as many rows as " + format.columns().get(0).name() + ", " + rows + ", has " + its);
            }
            rows = its;
            if (rows * format.bytes() > RowBatch.MOST_BYTES) {
                throw malformed(
                        "",
                        "a batch may have " + RowBatch.MOST_BYTES + " bytes, these " + rows + " rows have "
                                + rows * format.bytes() + ": send fewer at a time");
            }
        }
        if (rows == 0) {
            throw malformed("", "there must be at least one row");
        }
        for (int i = 0; i < format.columns().size(); i++) {
            Column column = format.columns().get(i);
            Npy array = arrays.get(column.name());
            if (array != null) {
                try {
                    add(batch, i, column, array.tensor());
                } catch (FormatException e) {
                    throw malformed(column.name(), e.reason());
                }
            }
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

    private static void add(RowBatch.Builder batch, int index, Column column, Tensor array)
            throws MalformedRowsException {
        ByteBuffer values = array.buffer();
        int width = column.shape().size();
        for (int i = 0; values.hasRemaining(); i++) {
            try {
                switch (array.type()) {
                    case FLOAT32 -> batch.add(index, values.getFloat());
                    case FLOAT64 -> batch.add(index, values.getDouble());
                    case INT64 -> whole(batch, index, column, values.getLong());
                }
            } catch (IllegalArgumentException e) {
                throw malformed(column.name(), "row " + i / width + " " + e.getMessage());
            }
        }
    }

    private static void whole(RowBatch.Builder batch, int index, Column column, long value) {
        double real = column.type() == ElementType.FLOAT32 ? (double) (float) value : (double) value;
        if (column.type() == ElementType.INT64) {
            batch.add(index, value);
        } else if ((long) real == value && real < 0x1p63) {
            batch.add(index, real);
        } else {
            throw new IllegalArgumentException("must be representable in " + column.type() + ", was " + value);
        }
    }
}
