package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/** A batch of rows of a {@link RowFormat}: column after column, each with its rows in order, little-endian. */
public final class RowBatch {
    /** The largest batch in bytes: a batch is the unit of writing and checking, and is in memory as a whole. */
    public static final int MOST_BYTES = 16 << 20;

    private final RowFormat format;
    private final int rows;
    private final byte[] bytes;

    private RowBatch(RowFormat format, int rows, byte[] bytes) {
        this.format = format;
        this.rows = rows;
        this.bytes = bytes;
    }

    /**
     * Returns a batch with a copy of rows in Java's memory.
     *
     * @param columns in the format's order, each of shape (rows, ...) and of its column's type
     * @throws IllegalArgumentException if one does not match its column or differs in rows from the first, or all have
     *     more than 16 MiB
     */
    public static RowBatch of(RowFormat format, List<Tensor> columns) {
        if (columns.size() != format.columns().size()) {
            throw new IllegalArgumentException("there are " + columns.size() + " arrays for the columns " + format);
        }
        int rows =
                columns.get(0).shape().rank() == 0 ? 1 : columns.get(0).shape().get(0);
        Builder builder = new Builder(format);
        for (int i = 0; i < columns.size(); i++) {
            Column column = format.columns().get(i);
            Tensor tensor = columns.get(i);
            if (!tensor.shape().equals(column.shape().prepend(rows)) || tensor.type() != column.type()) {
                throw new IllegalArgumentException("column " + column + " needs "
                        + column.shape().prepend(rows) + " " + column.type() + ", was " + tensor.signature());
            }
            builder.put(i, tensor.buffer());
        }
        return builder.end(rows);
    }

    /** Returns the format of a row. */
    public RowFormat format() {
        return format;
    }

    /** Returns the number of rows. */
    public int rows() {
        return rows;
    }

    /** Returns all bytes; they must not be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** Returns a copy of a column, of shape (rows, ...). */
    public Tensor column(int index) {
        Column column = format.columns().get(index);
        int length = rows * format.bytes(index);
        int from = 0;
        for (int i = 0; i < index; i++) {
            from += rows * format.bytes(i);
        }
        ByteBuffer values = ByteBuffer.allocate(length);
        put(values, 0, bytes, from, length, column.type().bytes());
        return Tensor.copyOf(column.shape().prepend(rows), column.type(), values);
    }

    /** Writes numbers of this many bytes each in this machine's byte order. */
    static void put(ByteBuffer out, int to, byte[] bytes, int from, int length, int width) {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            out.put(to, bytes, from, length);
            return;
        }
        for (int i = 0; i < length; i++) {
            out.put(to + i, bytes[from + i - i % width + width - 1 - i % width]);
        }
    }

    /** Returns the batch without its first rows. */
    RowBatch from(int first) {
        if (first == 0) {
            return this;
        }
        byte[] rest = new byte[(rows - first) * format.bytes()];
        int from = 0;
        int to = 0;
        for (int column = 0; column < format.columns().size(); column++) {
            int width = format.bytes(column);
            System.arraycopy(bytes, from + first * width, rest, to, (rows - first) * width);
            from += rows * width;
            to += (rows - first) * width;
        }
        return new RowBatch(format, rows - first, rest);
    }

    /** Builds a batch number by number. A builder that failed must not be used again. */
    public static final class Builder {
        private static final int FIRST_BYTES = 256;

        private final RowFormat format;
        private final ByteBuffer[] columns;

        /** @param format of its rows */
        public Builder(RowFormat format) {
            this.format = format;
            this.columns = new ByteBuffer[format.columns().size()];
            Arrays.setAll(columns, i -> little(FIRST_BYTES));
        }

        private static ByteBuffer little(int bytes) {
            return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }

        /**
         * Adds the next number of a column.
         *
         * @throws IllegalArgumentException if it is not finite as a number of the column's type, or that is INT64
         */
        public void add(int column, double value) {
            ElementType type = format.columns().get(column).type();
            boolean isSingle = type == ElementType.FLOAT32;
            if (!type.isFloating() || !Double.isFinite(isSingle ? (float) value : value)) {
                throw new IllegalArgumentException(
                        (type.isFloating() ? "must be a finite " + type : "must be a whole number") + ", was " + value);
            }
            if (isSingle) {
                room(column, Float.BYTES).putFloat((float) value);
            } else {
                room(column, Double.BYTES).putDouble(value);
            }
        }

        /** Adds the next number of a column, as a float if the column has floats. */
        public void add(int column, long value) {
            if (format.columns().get(column).type().isFloating()) {
                add(column, (double) value);
            } else {
                room(column, Long.BYTES).putLong(value);
            }
        }

        private void put(int column, ByteBuffer values) {
            switch (format.columns().get(column).type()) {
                case FLOAT32 -> {
                    while (values.hasRemaining()) {
                        add(column, values.getFloat());
                    }
                }
                case FLOAT64 -> {
                    while (values.hasRemaining()) {
                        add(column, values.getDouble());
                    }
                }
                case INT64 -> {
                    while (values.hasRemaining()) {
                        add(column, values.getLong());
                    }
                }
            }
        }

        /** Bytes so far. */
        public long bytes() {
            long bytes = 0;
            for (ByteBuffer column : columns) {
                bytes += column.position();
            }
            return bytes;
        }

        private ByteBuffer room(int column, int bytes) {
            ByteBuffer now = columns[column];
            if (now.remaining() < bytes) {
                if (now.capacity() >= MOST_BYTES) {
                    throw new IllegalArgumentException(
                            "a batch may have " + MOST_BYTES + " bytes: give fewer rows at a time");
                }
                now = little(2 * now.capacity()).put(now.flip());
                columns[column] = now;
            }
            return now;
        }

        /**
         * The batch.
         *
         * @param rows number of rows added to each column
         * @throws IllegalArgumentException if there are none, or they have more than 16 MiB
         */
        public RowBatch end(int rows) {
            if (rows < 1) {
                throw new IllegalArgumentException("a batch must have at least 1 row, has " + rows);
            }
            if ((long) rows * format.bytes() > MOST_BYTES) {
                throw new IllegalArgumentException("a batch may have " + MOST_BYTES + " bytes, these " + rows
                        + " rows have " + (long) rows * format.bytes() + ": give fewer at a time");
            }
            byte[] bytes = new byte[rows * format.bytes()];
            int at = 0;
            for (int i = 0; i < columns.length; i++) {
                int length = rows * format.bytes(i);
                if (columns[i].position() != length) {
                    throw new IllegalStateException("column " + format.columns().get(i) + " has "
                            + columns[i].position() + " bytes, " + rows + " rows need " + length);
                }
                columns[i].flip().get(bytes, at, length);
                at += length;
            }
            return new RowBatch(format, rows, bytes);
        }
    }
}
