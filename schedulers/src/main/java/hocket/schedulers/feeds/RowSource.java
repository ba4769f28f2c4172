package hocket.schedulers.feeds;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Batches of a table. An epoch's order depends on seed, name and number, so the cursor is its only state. */
public final class RowSource implements Source {
    private final String name;
    private final Rows rows;
    private final int batch;
    private final boolean shuffled;
    private final int[] order;
    private long ordered = -1;
    private long epoch;
    private int cursor;

    public RowSource(String name, Rows rows, int batch, boolean shuffled) {
        if (batch < 1 || batch > rows.count()) {
            throw new IllegalArgumentException(
                    "source " + name + ": a batch must be 1 to the table's " + rows.count() + " rows, was " + batch);
        }
        this.name = name;
        this.rows = rows;
        this.batch = batch;
        this.shuffled = shuffled;
        this.order = new int[rows.count()];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return rows.columns();
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (ordered != epoch) {
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            if (shuffled) {
                streams.at("source/" + name).shuffle(epoch, order);
            }
            ordered = epoch;
        }
        for (int column = 0; column < rows.columns().size(); column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            if (out != null) {
                for (int i = 0; i < batch; i++) {
                    rows.copy(column, order[cursor + i], out, i);
                }
            }
        }
        cursor += batch;
        if (cursor + batch > order.length) {
            cursor = 0;
            epoch++;
        }
        return batch;
    }

    @Override
    public Optional<Source> fresh() {
        return Optional.of(new RowSource(name, rows, batch, shuffled));
    }

    @Override
    public boolean rowsContinue() {
        return !shuffled;
    }

    @Override
    public long bytes() {
        return bytes(rows.count());
    }

    @Override
    public double epoch() {
        return epoch + (double) cursor / (order.length / batch * batch);
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return OptionalLong.of(order.length / batch);
    }

    @Override
    public State save() {
        return State.empty()
                .with("epoch", epoch)
                .with("cursor", cursor)
                .with("rows", order.length)
                .with("batch", batch);
    }

    @Override
    public void restore(State state) {
        long savedRows = state.whole("rows");
        long savedBatch = state.whole("batch");
        if (savedRows != order.length || savedBatch != batch) {
            throw new IllegalArgumentException("source " + name + " was saved with batches of " + savedBatch + " from "
                    + savedRows + " rows, here it has batches of " + batch + " from " + order.length);
        }
        long savedCursor = state.whole("cursor");
        long savedEpoch = state.whole("epoch");
        if (savedCursor < 0 || savedCursor % batch != 0 || savedCursor + batch > order.length || savedEpoch < 0) {
            throw new IllegalArgumentException("source " + name + ": the saved cursor is row " + savedCursor + " of "
                    + savedRows + " in epoch " + savedEpoch);
        }
        epoch = savedEpoch;
        cursor = (int) savedCursor;
        ordered = -1;
    }
}
