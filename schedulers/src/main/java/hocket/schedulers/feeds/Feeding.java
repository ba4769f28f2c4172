package hocket.schedulers.feeds;

import hocket.programs.Value;
import hocket.schedulers.Resample;
import hocket.schedulers.Source;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.BoundDescend;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The path of a source's rows into programs: directly into their buffers, or through one batch per round. */
public final class Feeding {
    /** The columns of the source in one turn's buffers. */
    private static final class Straight implements Source.Sink {
        final BoundDescend turn;
        final int[] positions;
        final boolean feeds;
        int rows;

        Straight(BoundDescend turn, int[] positions) {
            this.turn = turn;
            this.positions = positions;
            boolean any = false;
            for (int position : positions) {
                any |= position >= 0;
            }
            this.feeds = any;
        }

        @Override
        public @Nullable ByteBuffer column(int column, int rows) {
            return positions[column] < 0 ? null : turn.program().feed(positions[column], rows);
        }
    }

    /** The batch of a round. */
    private static final class Kept implements Source.Sink {
        final List<Source.Column> columns;
        final @Nullable ByteBuffer[] buffers;
        int rows;
        long round = -1;

        Kept(List<Source.Column> columns) {
            this.columns = columns;
            this.buffers = new ByteBuffer[columns.size()];
        }

        @Override
        public ByteBuffer column(int column, int count) {
            Source.Column of = columns.get(column);
            int bytes = of.shape().prepend(count).bytes(of.type());
            ByteBuffer buffer = buffers[column];
            if (buffer == null || buffer.capacity() < bytes) {
                buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
                buffers[column] = buffer;
            }
            return buffer.clear().limit(bytes);
        }
    }

    private final Source source;
    private final Resample resample;
    private final Streams streams;
    private final Consumer<Source> epochEnded;
    private final List<Source.Column> columns;
    private final Kept kept;
    private final Map<BoundDescend, Straight> sinks = new IdentityHashMap<>();

    /**
     * The rows to read again, by turn: those that it read first while the sample is held, or those that it drew when it
     * failed.
     */
    private final TreeMap<String, Kept> held = new TreeMap<>();

    private boolean holding;

    /** The buffers that were drawn into since {@link #begin}. */
    private final List<Straight> drew = new ArrayList<>();

    /** The epoch at the beginning of a draw in progress; NaN without one. */
    private double drawingFrom = Double.NaN;

    /** The epoch at the beginning of the current turn. */
    private double begun;

    /** The epoch at the beginning of a failed turn whose rows are to be read again; else NaN. */
    private double again = Double.NaN;

    Feeding(Source source, Resample resample, Streams streams, Consumer<Source> epochEnded) {
        this.source = source;
        this.resample = resample;
        this.streams = streams;
        this.epochEnded = epochEnded;
        this.columns = List.copyOf(NonNull.by(source, "columns()", source.columns()));
        this.kept = new Kept(columns);
    }

    public Source source() {
        return source;
    }

    /** Frees the kept rows and the turns that they feed. */
    void release() {
        Arrays.fill(kept.buffers, null);
        held.clear();
        sinks.clear();
        drew.clear();
    }

    /** Returns the source's epoch; if rows are to be read again, the epoch before they were drawn. */
    public double epoch() {
        return Double.isNaN(again) ? source.epoch() : again;
    }

    /** Returns whether the source or one of its columns has that name. */
    public boolean isCalled(String name) {
        return source.name().equals(name)
                || columns.stream().anyMatch(column -> column.name().equals(name));
    }

    /**
     * Counts the inputs of a turn that it feeds.
     *
     * @param times by the position of the input
     * @return whether it feeds any
     */
    public boolean claim(BoundDescend turn, int[] times) {
        Straight sink = straight(turn);
        for (int position : sink.positions) {
            if (position >= 0) {
                times[position]++;
            }
        }
        return sink.feeds;
    }

    /** Fills the turn's buffers with rows; 0 where the turn reads none of the columns. */
    public int feed(BoundDescend turn, long round) {
        Straight sink = straight(turn);
        if (!sink.feeds) {
            return 0;
        }
        if (resample == Resample.EACH_ROUND) {
            return copy(drawn(kept, round), sink);
        }
        if (holding) {
            return copy(drawn(held.computeIfAbsent(turn.turn().name(), name -> new Kept(columns)), round), sink);
        }
        Kept before = held.get(turn.turn().name());
        if (before != null && before.round == round) {
            sink.rows = copy(before, sink);
            before.round = -1;
            again = Double.NaN;
        } else {
            sink.rows = drawInto(sink);
        }
        drew.add(sink);
        return sink.rows;
    }

    /** Begins a turn: discards the rows that others drew. */
    void begin() {
        drew.clear();
        drawingFrom = Double.NaN;
        begun = epoch();
    }

    /**
     * Keeps what was drawn since {@link #begin} for turns that failed: they read it again.
     *
     * @return whether they then read what they would have read; not if a failed read had advanced the cursor
     */
    boolean keepDrawn(long round) {
        for (Straight sink : drew) {
            Kept kept = held.computeIfAbsent(sink.turn.turn().name(), name -> new Kept(columns));
            for (int column = 0; column < columns.size(); column++) {
                ByteBuffer read = sink.column(column, sink.rows);
                if (read != null) {
                    ByteBuffer into = kept.column(column, sink.rows);
                    into.put(0, read, 0, into.limit());
                }
            }
            kept.rows = sink.rows;
            kept.round = round;
        }
        boolean isWhole = Double.isNaN(drawingFrom) || source.epoch() == drawingFrom;
        again = source.epoch() == begun ? Double.NaN : begun;
        begin();
        return isWhole;
    }

    private Kept drawn(Kept batch, long round) {
        if (batch.round != round) {
            batch.rows = drawInto(batch);
            batch.round = round;
        }
        again = Double.NaN;
        return batch;
    }

    private int copy(Kept batch, Straight sink) {
        for (int column = 0; column < columns.size(); column++) {
            ByteBuffer out = sink.column(column, batch.rows);
            if (out != null) {
                out.put(0, batch.buffers[column], 0, out.limit());
            }
        }
        return batch.rows;
    }

    /** Sets whether each turn reads the same rows again from now on; rows that it read before do not count. */
    void hold(boolean same) {
        if (holding && !same) {
            held.values().forEach(batch -> batch.round = -1);
        }
        holding = same;
    }

    /** Discards the kept batches when the history changes. */
    void forget() {
        kept.round = -1;
        held.values().forEach(batch -> batch.round = -1);
        again = Double.NaN;
    }

    /** Returns the batches that later turns of this round will read again; empty where there are none. */
    State save(long round) {
        State state = Double.isNaN(again) ? State.empty() : State.empty().with("epoch", again);
        state = kept.round == round ? state.with("round", save(kept)) : state;
        State turns = State.empty();
        for (Map.Entry<String, Kept> entry : held.entrySet()) {
            if (entry.getValue().round == round) {
                turns = turns.with(entry.getKey(), save(entry.getValue()));
            }
        }
        return turns.items().isEmpty() ? state : state.with("turns", turns);
    }

    private State save(Kept batch) {
        State state = State.empty().with("rows", batch.rows);
        for (int i = 0; i < columns.size(); i++) {
            Source.Column column = columns.get(i);
            Shape shape = column.shape().prepend(batch.rows);
            ByteBuffer buffer = batch.buffers[i];
            if (buffer == null) {
                continue; // nobody reads it
            }
            state = state.with(
                    column.name(),
                    Tensor.copyOf(
                            shape,
                            column.type(),
                            buffer.duplicate()
                                    .order(ByteOrder.nativeOrder())
                                    .clear()
                                    .limit(shape.bytes(column.type()))));
        }
        return state;
    }

    /** Restores the batches that were saved in this round. */
    void restore(State state, long round) {
        forget();
        again = state.has("epoch") ? state.real("epoch") : Double.NaN;
        if (state.has("round")) {
            State all = state.state("round");
            columns.forEach(column -> all.tensor(column.name()));
            restore(kept, all, round);
        }
        if (state.has("turns")) {
            State turns = state.state("turns");
            for (String turn : turns.items().keySet()) {
                restore(held.computeIfAbsent(turn, name -> new Kept(columns)), turns.state(turn), round);
            }
        }
    }

    private void restore(Kept batch, State state, long round) {
        int rows = Math.toIntExact(state.whole("rows"));
        for (int i = 0; i < columns.size(); i++) {
            Source.Column column = columns.get(i);
            if (!state.has(column.name())) {
                continue;
            }
            Tensor tensor = state.tensor(column.name());
            if (tensor.type() != column.type()
                    || !tensor.shape().equals(column.shape().prepend(rows))) {
                throw new IllegalArgumentException("source " + source.name() + ": the rows of the round were saved as "
                        + tensor.signature() + ", its column is " + column);
            }
            batch.column(i, rows).put(tensor.buffer());
        }
        batch.rows = rows;
        batch.round = round;
    }

    private int drawInto(Source.Sink sink) {
        double before = source.epoch();
        drawingFrom = before;
        int rows = source.next(streams, sink);
        if (Math.floor(source.epoch()) > Math.floor(before)) {
            epochEnded.accept(source);
        }
        drawingFrom = Double.NaN;
        return rows;
    }

    private Straight straight(BoundDescend turn) {
        Straight sink = sinks.get(turn);
        if (sink == null) {
            List<Value> inputs = turn.program().program().inputs();
            int[] positions = new int[columns.size()];
            for (int i = 0; i < positions.length; i++) {
                positions[i] = -1;
                for (int k = 0; k < inputs.size(); k++) {
                    if (inputs.get(k).path().text().equals(columns.get(i).name())) {
                        FeedChecks.fits(turn.turn().name(), inputs.get(k), columns.get(i));
                        positions[i] = k;
                    }
                }
            }
            sink = new Straight(turn, positions);
            sinks.put(turn, sink);
        }
        return sink;
    }
}
