package hocket.rl.replay;

import hocket.programs.Value;
import hocket.rl.actors.NumpySeed;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.sampling.Sampler;
import hocket.rl.sampling.Sampling;
import hocket.rl.spaces.Space;
import hocket.schedulers.Next;
import hocket.schedulers.Resample;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A replay buffer: the most recent rows of an agent's experience, drawn by a {@link Sampler}: {@link Transitions}, or {@link
 * Sequences} of steps. One with priorities has a further column {@code weight} (), the factor of a row's loss. Observations
 * of bytes are kept as bytes, other numbers as floats; what is drawn is normalised as the environments do at that time.
 */
public final class Replay implements Source {
    /** The kind of a column's numbers. */
    enum Kind {
        /** Observations, which environments may normalise. */
        OBSERVATION,
        /** The same, whole numbers from 0 to 255. */
        BYTES,
        /** Rewards, which environments may normalise. */
        REWARD,
        /** Each 0 or 1. */
        FLAG,
        /** Other numbers. */
        NUMBER;

        static Kind of(Space observations) {
            return observations.isBytes() ? BYTES : OBSERVATION;
        }

        private boolean isOfBytes() {
            return this == BYTES || this == FLAG;
        }
    }

    /** A column that is kept. */
    record Kept(Column column, Kind kind) {}

    /** The columns that are kept; a further one has the weights. */
    private final List<Kept> kept;

    private final List<Column> columns;
    private final RowLog log;
    private final Sampling sampling;

    /** The sampler's key, or its class. */
    private final String sampler;

    private final int capacity;
    private final Pcg64 random = Pcg64.of(0);
    private final int[] places;
    private final float[] weights;

    /** The numbers of a row in a column. */
    private final float[] numbers;

    private @Nullable TrainingEnvironments environments;
    private boolean begun;
    private boolean isFed;
    private long rowsDrawn;
    private long expected;

    /**
     * Makes an empty replay.
     *
     * @param capacity the number of rows that are kept, at least 1
     * @param batch the rows of a sample, at least 1
     * @param sampler draws the rows
     */
    Replay(List<Kept> kept, int capacity, int batch, Sampler sampler) {
        if (capacity < 1 || batch < 1) {
            throw new IllegalArgumentException(
                    "replay: capacity and batch must be at least 1, were " + capacity + " and " + batch);
        }
        this.capacity = capacity;
        this.kept = List.copyOf(kept);
        List<Column> all = new ArrayList<>(kept.stream().map(Kept::column).toList());
        log = new RowLog(all, capacity, index -> kept.get(index).kind().isOfBytes());
        if (sampler.isPrioritised()) {
            all.add(new Column("weight", Shape.of(), ElementType.FLOAT32));
        }
        columns = List.copyOf(all);
        sampling = sampler.of(capacity);
        this.sampler = Keys.of(sampler.getClass(), Sampler.class);
        places = new int[batch];
        weights = new float[batch];
        numbers = new float[log.mostNumbers()];
    }

    /**
     * Sets the number of rows that a run will add; a {@link ReplayCollector} checks at its start that they fit
     * in memory. A replay of a run that is only evaluated is never filled and needs none.
     *
     * @param rows the number that will be added in all; only the newest are held if it exceeds the capacity
     */
    public void expect(long rows) {
        expected = rows;
    }

    /** Sets the environments whose statistics normalise samples; the buffer holds the original numbers. */
    void collectedFrom(TrainingEnvironments collected) {
        environments = collected;
    }

    @Override
    public List<String> notes() {
        return environments == null ? List.of() : environments.notes();
    }

    /**
     * Checks that the expected rows fit into the free Java heap.
     *
     * @throws IllegalArgumentException if they need more memory than Java has left, naming both
     */
    void requireRoom() {
        long more = Math.min(capacity, expected) - size();
        Heap.require(
                String.format(Locale.ROOT, "replay: %,d rows of %,d bytes each", more, bytesOfRow()),
                (double) more * bytesOfRow());
    }

    /** The bytes of all expected rows. */
    @Override
    public long bytes() {
        return Math.min(capacity, expected) * bytesOfRow();
    }

    private int bytesOfRow() {
        return log.width() + sampling.bytesOfRow();
    }

    /** The number of rows held. */
    public int size() {
        return log.size();
    }

    /**
     * Writes a column of the row that is added next.
     *
     * @param from holds rows one after the other
     * @param row the row's index in it
     */
    void set(int column, float[] from, int row) {
        log.set(column, from, row);
    }

    /** The number of columns that are kept; weights are not. */
    int keptColumns() {
        return kept.size();
    }

    /** Writes a column of one number of the row that is added next. */
    void set(int column, float number) {
        numbers[0] = number;
        log.set(column, numbers, 0);
    }

    /** Adds a row whose columns were written, from the first to the last, and drops the oldest one if the buffer is full. */
    void add() {
        sampling.added((int) (log.added() % capacity));
        log.add();
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public List<Column> columns() {
        return columns;
    }

    @Override
    public int batch() {
        return places.length;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (size() == 0) {
            throw new IllegalStateException(
                    "the replay is empty: put a collecting turn that fills a row first in the plan");
        }
        if (isPrioritised() && !isFed) {
            throw new IllegalStateException(
                    "the replay has priorities: Replay.feed must feed it, which gives them to rows by a turn's errors");
        }
        if (!begun) {
            random.restore(
                    Pcg64.of(SeedSequence.of(NumpySeed.of(streams)).child(3)).save());
            begun = true;
        }
        double progress = expected == 0 ? 1 : (double) log.added() / expected;
        sampling.draw(places, weights, size(), progress, random);
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0 || places[i] >= size() || !Float.isFinite(weights[i])) {
                throw new IllegalStateException("sampler " + sampler + ": must draw places of the " + size()
                        + " rows with finite weights, drew place " + places[i] + " with weight " + weights[i]);
            }
        }
        Optional<VectorNormalisation> by = environments == null ? Optional.empty() : environments.normalisation();
        for (int column = 0; column < columns.size(); column++) {
            @Nullable ByteBuffer out = sink.column(column, places.length);
            if (out != null && column < kept.size()) {
                gather(column, by, out);
            } else if (out != null) {
                RowBuffers.put(weights, 0, weights.length, ElementType.FLOAT32, out, 0);
            }
        }
        rowsDrawn += places.length;
        return places.length;
    }

    private void gather(int column, Optional<VectorNormalisation> by, ByteBuffer out) {
        Column of = kept.get(column).column();
        int width = of.shape().size();
        for (int i = 0; i < places.length; i++) {
            log.read(places[i], column, numbers);
            if (by.isPresent()) {
                normalise(by.get(), kept.get(column).kind(), width);
            }
            RowBuffers.put(numbers, 0, width, of.type(), out, i * width);
        }
    }

    private void normalise(VectorNormalisation by, Kind kind, int width) {
        if (kind == Kind.REWARD) {
            for (int i = 0; i < width; i++) {
                numbers[i] = (float) by.normalise((double) numbers[i]);
            }
        } else if (kind == Kind.OBSERVATION || kind == Kind.BYTES) {
            by.normalise(numbers, width);
        }
    }

    /** Returns whether rows have priorities. */
    private boolean isPrioritised() {
        return columns.size() > kept.size();
    }

    /**
     * Returns a turn that learns from the rows of a draw, and observes their errors if rows have priorities.
     *
     * @param error of each row, () of the turn's program
     */
    public Turn.Descend learning(Turn.Descend turn, Value error) {
        return isPrioritised() ? turn.observes(error) : turn;
    }

    /**
     * Feeds a setup. If rows have priorities, each learning turn gives them to the rows of its draw by their errors.
     *
     * @param resample when rows are drawn
     * @param turn of {@link #learning}
     * @param error of each row
     */
    public Setup feed(Setup setup, Resample resample, Turn.Descend turn, Value error) {
        isFed = true;
        Setup fed = setup.feed(this, resample);
        return isPrioritised() ? fed.ring(new Priorities(this, turn, error)) : fed;
    }

    /**
     * Gives priorities inside of the turn that observes errors, so that a state between two turns has them.
     *
     * @param of the replay of the rows
     */
    private record Priorities(Replay of, Turn.Descend turn, Value error) implements Ring {
        @Override
        public void turn(Run run, List<Turn> turns, Next next) {
            next.proceed();
            if (turns.stream().anyMatch(each -> each.name().equals(turn.name()))) {
                if (turns.size() > 1) {
                    throw new IllegalStateException("turn " + turn.name() + ": priorities need it to be taken alone");
                }
                of.sampling.learnt(
                        of.places, run.scheduler().observed(turn, error).floats());
            }
        }

        @Override
        public String toString() {
            return "turn " + turn.name() + " gives rows priorities by their errors";
        }
    }

    @Override
    public double epoch() {
        return (double) rowsDrawn / capacity;
    }

    @Override
    public State save() {
        State state = State.empty()
                .with("begun", begun ? 1 : 0)
                .with("random", random.save())
                .with("rows_drawn", rowsDrawn)
                .with("sampler", sampler)
                .with("sampling", sampling.save());
        if (isPrioritised()) { // of rows that a turn has drawn and not learnt
            state = state.with("places", Tensor.of(Shape.of(places.length), drawn()));
        }
        return log.save(state);
    }

    private long[] drawn() {
        return IntStream.of(places).asLongStream().toArray();
    }

    @Override
    public void restore(State state) {
        String saved = state.has("sampler") ? state.text("sampler") : "uniform"; // of an earlier version
        if (!saved.equals(sampler)) {
            throw new IllegalArgumentException(
                    "source replay: was saved with sampler " + saved + ", here it is " + sampler);
        }
        Runnable restoring = log.restoring("source replay", state);
        State ofRandom = state.state("random");
        long savedRows = state.whole("rows_drawn");
        boolean hasBegun = state.whole("begun") == 1;
        if (isPrioritised()) {
            Tensor savedPlaces = state.tensor("places");
            if (savedPlaces.shape().size() != places.length) {
                throw new IllegalArgumentException("source replay: was saved with draws of "
                        + savedPlaces.shape().size() + " rows, here they have " + places.length);
            }
            sampling.restore(state.state("sampling"));
            Arrays.setAll(places, i -> (int) savedPlaces.get(i));
        } else if (state.has("sampling")) {
            sampling.restore(state.state("sampling"));
        }
        restoring.run();
        random.restore(ofRandom);
        rowsDrawn = savedRows;
        begun = hasBegun;
    }
}
