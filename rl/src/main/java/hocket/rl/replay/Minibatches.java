package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Source;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Shuffled minibatches of the rows of a rollout or another {@link Collector}: each epoch passes once over all rows in a
 * new order. Columns {@code observation} (w); {@code action}, () of INT64, an index from 0, where actions are discrete,
 * else (a), as drawn; and, () each, {@code log_probability} in nats and {@code value} (both of the time of collection),
 * {@code advantage}, {@code return}, {@code clip_range}. A program reads the columns that it has inputs for. An epoch
 * that is unfinished when the next rollout is collected counts as complete.
 */
public final class Minibatches implements Source {
    private final Collector rollout;
    private final int batch;
    private final boolean normalises;
    private final List<Column> columns;
    private final float[][] data;
    private final int[] order;
    private Rate clipRange = Rate.constant(0);
    private long passes;
    private long ordered = -1;
    private int cursor;
    private long of;

    /**
     * Makes minibatches of a collector's rows.
     *
     * @param batch the rows of a minibatch, a divisor of the collector's rows
     * @param normalises whether the advantages of each minibatch are normalised to mean 0 and (unbiased) deviation 1
     * @throws IllegalArgumentException if the batch does not divide the rollout
     */
    public Minibatches(Collector rollout, int batch, boolean normalises) {
        if (batch < 1 || rollout.rows() % batch != 0) {
            throw new IllegalArgumentException(
                    "minibatch: must divide the rollout's " + rollout.rows() + " rows, was " + batch);
        }
        this.rollout = rollout;
        this.batch = batch;
        this.normalises = normalises;
        Shape number = Shape.of();
        boolean discrete = rollout.actionSpace instanceof Discrete;
        columns = List.of(
                new Column(Policy.OBSERVATION, Shape.of(rollout.observationSpace.width()), ElementType.FLOAT32),
                discrete
                        ? new Column("action", number, ElementType.INT64)
                        : new Column("action", Shape.of(rollout.actionSpace.width()), ElementType.FLOAT32),
                new Column("log_probability", number, ElementType.FLOAT32),
                new Column("value", number, ElementType.FLOAT32),
                new Column("advantage", number, ElementType.FLOAT32),
                new Column("return", number, ElementType.FLOAT32),
                new Column("clip_range", number, ElementType.FLOAT32));
        data = new float[][] {
            rollout.observations,
            rollout.actions,
            rollout.logProbabilities,
            rollout.values,
            rollout.advantages,
            rollout.returns,
            new float[rollout.rows()]
        };
        order = new int[rollout.rows()];
    }

    /** Adds a column {@code clip_range} whose value is a function of the number of rollouts so far. */
    public Minibatches clipRange(Rate byRollout) {
        clipRange = byRollout;
        return this;
    }

    @Override
    public String name() {
        return "rollout";
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
        if (rollout.collected() == 0) {
            throw new IllegalStateException("the rollout is empty: put its turn first in the plan");
        }
        if (of != rollout.collected()) {
            of = rollout.collected();
            if (cursor > 0) { // the rest of the last one is gone
                cursor = 0;
                passes++;
            }
        }
        if (ordered != passes) {
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
            }
            if (batch < order.length) {
                streams.at("rollout").shuffle(passes, order);
            }
            ordered = passes;
        }
        Arrays.fill(data[data.length - 1], (float)
                clipRange.at(TrainingProgress.of(rollout.collected(), rollout.collected() - 1, 0)));
        for (int column = 0; column < data.length; column++) {
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
        float[] from = data[column];
        int width = from.length / order.length;
        ElementType type = columns.get(column).type();
        if (normalises && from == rollout.advantages && batch > 1) {
            gatherNormalised(out);
            return;
        }
        for (int i = 0; i < batch; i++) {
            RowBuffers.put(from, order[cursor + i] * width, width, type, out, i * width);
        }
    }

    private void gatherNormalised(ByteBuffer out) {
        double sum = 0;
        for (int i = 0; i < batch; i++) {
            sum += rollout.advantages[order[cursor + i]];
        }
        double mean = sum / batch;
        double squares = 0;
        for (int i = 0; i < batch; i++) {
            double from = rollout.advantages[order[cursor + i]] - mean;
            squares += from * from;
        }
        double deviation = Math.sqrt(squares / (batch - 1)) + 1e-8;
        for (int i = 0; i < batch; i++) {
            out.putFloat(i * Float.BYTES, (float) ((rollout.advantages[order[cursor + i]] - mean) / deviation));
        }
    }

    @Override
    public long bytes() {
        return bytes(rollout.rows());
    }

    @Override
    public List<String> notes() {
        return rollout.notes();
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
            throw new IllegalArgumentException("source rollout: was saved at row " + savedCursor + ", here it has "
                    + order.length + " in batches of " + batch);
        }
        passes = state.whole("passes");
        cursor = (int) savedCursor;
        of = state.has("of") ? state.whole("of") : rollout.collected();
        ordered = -1;
    }
}
