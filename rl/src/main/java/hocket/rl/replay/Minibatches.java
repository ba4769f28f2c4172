package hocket.rl.replay;

import hocket.schedulers.Source;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shuffled minibatches of the rows of a {@link Table}: each epoch passes once over all rows in a new order; a minibatch of
 * all rows has them in their own. A program reads the columns that it has inputs for. An epoch that is unfinished when the
 * next rows are collected counts as complete.
 */
public final class Minibatches implements Source {
    private final String name;
    private final String stream;
    private final Table table;
    private final int batch;
    private final int[] order;
    private final List<Column> columns = new ArrayList<>();
    private final int[] places;
    private int normalised = -1;
    private Rate value = Rate.constant(0);
    private long passes;
    private long ordered = -1;
    private int cursor;
    private long of;

    /**
     * Makes minibatches with all columns of a rollout; the source is called {@code rollout}.
     *
     * @param batch the rows of a minibatch, a divisor of the table's rows
     * @throws IllegalArgumentException if the batch does not divide them
     */
    public Minibatches(Table table, int batch) {
        this("rollout", "rollout", table, batch);
    }

    /** Makes minibatches with these columns of a table, none for all; the source has a name. */
    public Minibatches(String name, Table table, int batch, String... columns) {
        this(name, "source/" + name, table, batch, columns);
    }

    private Minibatches(String name, String stream, Table table, int batch, String... names) {
        if (batch < 1 || table.rows() % batch != 0) {
            throw new IllegalArgumentException(
                    "source " + name + ": a minibatch must divide the " + table.rows() + " rows, was " + batch);
        }
        this.name = name;
        this.stream = stream;
        this.table = table;
        this.batch = batch;
        order = new int[table.rows()];
        places = names.length == 0
                ? IntStream.range(0, table.columns().size()).toArray()
                : Arrays.stream(names).mapToInt(table::position).toArray();
        for (int place : places) {
            columns.add(table.columns().get(place));
        }
    }

    /** Normalises a column of FLOAT32 in each minibatch to mean 0 and (unbiased) deviation 1; returns this source. */
    public Minibatches normalising(String column) {
        normalised = columns.indexOf(columns.stream()
                .filter(each -> each.name().equals(column) && each.type() == ElementType.FLOAT32)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "source " + name + ": no column " + column + " of FLOAT32 to normalise in " + columns)));
        return this;
    }

    /** Adds a column () whose value is a function of the number of collections so far; returns this source. */
    public Minibatches with(String column, Rate byCollection) {
        if (columns.size() > places.length) {
            throw new IllegalStateException("source " + name + " has a column of its own already, " + columns);
        }
        columns.add(new Column(column, Shape.of(), ElementType.FLOAT32));
        value = byCollection;
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    @Override
    public int batch() {
        return batch;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (table.collections() == 0) {
            throw new IllegalStateException(
                    "source " + name + " has no rows: put the turn that collects them first in the plan");
        }
        if (of != table.collections()) {
            of = table.collections();
            if (cursor > 0) { // the rest of the last ones is gone
                cursor = 0;
                passes++;
            }
        }
        if (ordered != passes) {
            Arrays.setAll(order, i -> i);
            if (batch < order.length) {
                streams.at(stream).shuffle(passes, order);
            }
            ordered = passes;
        }
        for (int column = 0; column < columns.size(); column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            if (out != null && column < places.length) {
                gather(column, out);
            } else if (out != null) {
                fill(out);
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
        Column gathered = columns.get(column);
        ByteBuffer all = table.values(places[column]);
        int bytes = gathered.shape().bytes(gathered.type());
        for (int i = 0; i < batch; i++) {
            out.put(i * bytes, all, order[cursor + i] * bytes, bytes);
        }
        int numbers = batch * gathered.shape().size();
        if (column == normalised && numbers > 1) {
            normalise(out, numbers);
        }
    }

    private static void normalise(ByteBuffer out, int numbers) {
        double sum = 0;
        for (int i = 0; i < numbers; i++) {
            sum += out.getFloat(i * Float.BYTES);
        }
        double mean = sum / numbers;
        double squares = 0;
        for (int i = 0; i < numbers; i++) {
            double from = out.getFloat(i * Float.BYTES) - mean;
            squares += from * from;
        }
        double deviation = Math.sqrt(squares / (numbers - 1)) + 1e-8;
        for (int i = 0; i < numbers; i++) {
            double from = out.getFloat(i * Float.BYTES) - mean;
            out.putFloat(i * Float.BYTES, (float) (from / deviation));
        }
    }

    private void fill(ByteBuffer out) {
        float all = (float) value.at(TrainingProgress.of(table.collections(), table.collections() - 1, 0));
        for (int i = 0; i < batch; i++) {
            out.putFloat(i * Float.BYTES, all);
        }
    }

    @Override
    public long bytes() {
        return bytes(table.rows());
    }

    @Override
    public List<String> notes() {
        return table.notes();
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
        of = state.has("of") ? state.whole("of") : table.collections();
        ordered = -1;
    }
}
