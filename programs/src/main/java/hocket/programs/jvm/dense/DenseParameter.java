package hocket.programs.jvm.dense;

import hocket.programs.jvm.dense.Transfers.Transfer;
import hocket.scopes.Parameters;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A parameter's copy, made again when the parameter was written. */
final class DenseParameter implements Transfer {
    final float[] values;
    private final Parameters.Cell cell;
    private final int size;
    private @Nullable ByteBuffer seen;
    private @Nullable FloatBuffer view;
    private long located = -1;
    private long copied = -1;

    DenseParameter(Parameters.Cell cell) {
        this.cell = cell;
        this.size = cell.declaration().shape().size();
        this.values = new float[size + DenseMemory.SLACK];
    }

    @Override
    public int size() {
        return size;
    }

    /** Requests the parameter's elements after a write; the view is valid as long as the buffer. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public void locate() {
        long now = cell.version();
        if (now == located) {
            return;
        }
        ByteBuffer buffer = cell.buffer();
        if (buffer != seen) {
            view = buffer.asFloatBuffer();
            seen = buffer;
        }
        located = now;
    }

    @Override
    public boolean due() {
        locate();
        boolean due = copied != located;
        copied = located;
        return due;
    }

    @Override
    public void slice(int part, int parts) {
        int at = ProductBlocking.first(part, parts, size, DenseMemory.SLACK);
        int count = ProductBlocking.first(part + 1, parts, size, DenseMemory.SLACK) - at;
        Objects.requireNonNull(view).get(at, values, at, count);
    }
}
