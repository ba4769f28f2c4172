package hocket.workbench.online;

import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Rows that say who gave them and as which: to be told apart again. */
final class Numbered {
    static final RowFormat FORMAT = new RowFormat(List.of(
            new Column("client", Shape.scalar(), ElementType.INT64),
            new Column("x", Shape.of(2), ElementType.FLOAT32),
            new Column("sequence", Shape.scalar(), ElementType.INT64)));

    /** A row again. */
    record Row(long client, long sequence) {}

    private Numbered() {}

    /** Rows of a client from a number on. */
    static RowBatch rows(long client, long sequence, int count) {
        RowBatch.Builder batch = new RowBatch.Builder(FORMAT);
        for (int i = 0; i < count; i++) {
            batch.add(0, client);
            batch.add(1, client + 0.5);
            batch.add(1, -(double) (sequence + i));
            batch.add(2, sequence + i);
        }
        return batch.end(count);
    }

    /** The same as arrays. */
    static RowBatch tensors(long client, long sequence, int count) {
        ByteBuffer who = longs(count);
        ByteBuffer numbers = longs(count);
        float[] x = new float[2 * count];
        for (int i = 0; i < count; i++) {
            who.putLong(client);
            numbers.putLong(sequence + i);
            x[2 * i] = client + 0.5f;
            x[2 * i + 1] = -(sequence + i);
        }
        return RowBatch.of(
                FORMAT,
                List.of(
                        Tensor.copyOf(Shape.of(count), ElementType.INT64, who.flip()),
                        Tensor.of(Shape.of(count, 2), x),
                        Tensor.copyOf(Shape.of(count), ElementType.INT64, numbers.flip())));
    }

    private static ByteBuffer longs(int count) {
        return ByteBuffer.allocate(count * Long.BYTES).order(ByteOrder.nativeOrder());
    }

    /** Rows of a queue from one on. Fails where a column does not go with the others. */
    static List<Row> read(DurableQueue queue, long from, int count) {
        try (QueueReader reader = new QueueReader(queue)) {
            return read(reader, from, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    static List<Row> read(QueueReader reader, long from, int count) throws IOException {
        ByteBuffer[] columns = new ByteBuffer[3];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
        }
        reader.read(from, count, (column, bytes, at, length) -> columns[column].put(bytes, at, length));
        List<Row> rows = new ArrayList<>();
        for (ByteBuffer column : columns) {
            column.flip();
        }
        for (int i = 0; i < count; i++) {
            Row row = new Row(columns[0].getLong(), columns[2].getLong());
            if (columns[1].getFloat() != row.client() + 0.5f || columns[1].getFloat() != -row.sequence()) {
                throw new AssertionError("the columns of " + row + " do not go together");
            }
            rows.add(row);
        }
        return rows;
    }
}
