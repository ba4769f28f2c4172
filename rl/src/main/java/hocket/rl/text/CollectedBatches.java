package hocket.rl.text;

import hocket.schedulers.Source;
import hocket.schedulers.state.State;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shuffled minibatches of collected rows: each epoch passes once over all of them in a new order. An epoch that is
 * unfinished when the next rows are collected counts as complete.
 */
final class CollectedBatches implements Source {
    private final String name;
    private final CollectedRows rows;
    private final List<Column> columns;
    private final int[] places;
    private final int batch;
    private final int[] order;
    private long passes;
    private long ordered = -1;
    private int cursor;
    private long of;

    /**
     * @param batch rows of a minibatch, a divisor of the rows
     * @param columns names of the columns, as the rows have them
     * @param inputs names of the inputs that they feed
     */
    CollectedBatches(String name, CollectedRows rows, int batch, List<String> columns, List<String> inputs) {
        if (batch < 1 || rows.count() % batch != 0) {
            throw new IllegalArgumentException(
                    "source " + name + ": a minibatch must divide the " + rows.count() + " rows, was " + batch);
        }
        this.name = name;
        this.rows = rows;
        this.batch = batch;
        List<String> all = rows.columns().stream().map(Column::name).toList();
        places = columns.stream().mapToInt(all::indexOf).toArray();
        this.columns =
                Column.named(IntStream.of(places).mapToObj(rows.columns()::get).toList(), inputs);
        order = new int[rows.count()];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (rows.collected() == 0) {
            throw new IllegalStateException(
                    "source " + name + " has no rows: put turn " + rows.turn() + " first in the plan");
        }
        if (of != rows.collected()) {
            of = rows.collected();
            if (cursor > 0) { // the rest of the last ones is gone
                cursor = 0;
                passes++;
            }
        }
        if (ordered != passes) {
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            streams.at("source/" + name).shuffle(passes, order);
            ordered = passes;
        }
        for (int column = 0; column < places.length; column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            if (out != null) {
                gather(column, out);
            }
        }
        cursor += batch;
        if (cursor == order.length) {
            cursor = 0;
            passes++;
        }
        return batch;
    }

    private void gather(int column, ByteBuffer out) {
        Column of = columns.get(column);
        int bytes = of.shape().bytes(of.type());
        ByteBuffer all = rows.values(places[column]).buffer();
        for (int i = 0; i < batch; i++) {
            out.put(i * bytes, all, order[cursor + i] * bytes, bytes);
        }
    }

    @Override
    public long bytes() {
        return bytes(rows.count());
    }

    @Override
    public double epoch() {
        return passes + (double) cursor / order.length;
    }

    @Override
    public OptionalLong drawsAnEpoch() {
        return OptionalLong.of(order.length / batch);
    }

    @Override
    public State save() {
        return State.empty().with("passes", passes).with("cursor", cursor).with("of", of);
    }

    @Override
    public void restore(State state) {
        long savedCursor = state.whole("cursor");
        if (savedCursor < 0 || savedCursor >= order.length || savedCursor % batch != 0) {
            throw new IllegalArgumentException("source " + name + ": was saved at row " + savedCursor + ", here it has "
                    + order.length + " in batches of " + batch);
        }
        passes = state.whole("passes");
        cursor = (int) savedCursor;
        of = state.whole("of");
        ordered = -1;
    }
}
