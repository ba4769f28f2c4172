package hocket.programs.jvm.dense;

import hocket.programs.jvm.dense.Transfers.Transfer;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.scopes.HostView;
import hocket.scopes.Parameters;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A parameter's copy, made again when the parameter was written; or the parameter itself, of which rows are read in place. */
final class DenseParameter implements Transfer {
    final float[] values;
    private final Parameters.Cell cell;
    private final int size;
    private @Nullable HostView view;
    private long located = -1;
    private long copied = -1;
    private boolean changed = true;
    private long turned = -1;
    private Floats transposed = Floats.of(new float[0]);
    private final boolean inPlace;
    private boolean prepared;

    /** @param inPlace whether nothing is copied, as only {@link #elements} are read */
    DenseParameter(Parameters.Cell cell, boolean inPlace) {
        this.cell = cell;
        this.inPlace = inPlace;
        this.size = cell.declaration().shape().size();
        this.values = new float[inPlace ? 0 : size + DenseMemory.SLACK];
    }

    /** Returns the parameter's elements, where it is read in place. */
    FloatBuffer elements() {
        return Objects.requireNonNull(view).floats();
    }

    @Override
    public int size() {
        return size;
    }

    /** Requests the parameter's elements after a write; before each run where they are read in place. */
    @Override
    public void locate() {
        prepared = true;
        long now = cell.version();
        if (now != located || inPlace) {
            view = cell.array().view();
            located = now;
        }
    }

    /**
     * Returns whether the weight is {@link #transposed}. The second run after a change transposes it, since that takes longer
     * than it saves in one run.
     */
    boolean isTransposed(int rows, int columns, DenseKernels kernels, Scratch scratch) {
        if (changed) {
            return false;
        }
        if (turned != copied) {
            int step = Scratch.lanes(rows);
            if (transposed.values().length == 0) {
                transposed = Floats.of(new float[Math.addExact(Math.multiplyExact(columns, step), DenseMemory.SLACK)]);
            }
            kernels.turn(values, 0, rows, columns, columns, transposed.values(), 0, step, scratch);
            turned = copied;
        }
        return true;
    }

    /** Returns the transposed weight, columns × rows, of which each row is rounded up to a multiple of 16. */
    Floats transposed() {
        return transposed;
    }

    @Override
    public boolean due() {
        if (inPlace) {
            if (!prepared) {
                locate();
            }
            prepared = false;
            return false;
        }
        locate();
        changed = copied != located;
        copied = located;
        return changed;
    }

    @Override
    public void slice(int part, int parts) {
        int at = WorkShare.first(part, parts, size, DenseMemory.SLACK);
        int count = WorkShare.first(part + 1, parts, size, DenseMemory.SLACK) - at;
        Objects.requireNonNull(view).floats().get(at, values, at, count);
    }
}
