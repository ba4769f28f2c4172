package hocket.rl.replay;

import hocket.rl.actors.NumpySeed;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.spaces.Space;
import hocket.schedulers.Source;
import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A replay buffer: the most recent transitions of an agent, sampled uniformly with replacement (Lin 1992; Mnih et al.
 * 2015). Columns {@code observation} (w), {@code action} (() of INT64, an index from 0, where actions are discrete,
 * else (a)), {@code reward} (), {@code next_observation} (w) and {@code discount} (), the factor of the next
 * observation's value: 0 where the episode terminated. With n-step returns the reward is the discounted sum of up to n
 * steps, and the next observation the one after them. A masked one has {@code next_mask} (n) too. Observations of bytes are
 * kept as bytes, other numbers as floats.
 *
 * <p>The buffer is a log in segments of up to 16,384 rows and some 4 MB: rows are added at its end and never changed,
 * and a segment is dropped when none of its rows is held any more. A buffer that never fills takes no more memory than
 * it needs, and saving copies no rows.
 */
public final class Replay implements Source {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int ACTION = 1;
    private static final int REWARD = 2;
    private static final int NEXT = 3;
    private static final int DISCOUNT = 4;
    private static final int MASK = 5;
    private static final int MOST_ROWS = 16_384;
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_SEGMENTS = 100_000;

    /**
     * A full replay holds about one such part more than its capacity: dropped rows that share a segment with rows still
     * held.
     */
    private static final int PARTS = 16;

    private final List<Column> columns;

    /** The segments that hold rows, each at its number modulo the number of segments; a row has all columns. */
    private final byte[][] segments;

    /** The number of rows of a segment. */
    private final int rows;

    /** The place of each column in a row. */
    private final List<Part> parts;

    /** The bytes of a row. */
    private final int width;

    private final int capacity;
    private final int batch;
    private final Pcg64 random = Pcg64.of(0);
    private final long[] drawn;

    /** The numbers of a row in a column. */
    private final float[] numbers;

    private @Nullable TrainingEnvironments environments;
    private boolean begun;
    private long added;
    private long rowsDrawn;
    private long expected;

    /**
     * Makes an empty replay.
     *
     * @param capacity the number of transitions that are kept, at least 1
     * @param batch the rows of a sample, at least 1
     */
    public Replay(Space observations, Space actions, int capacity, int batch) {
        this(observations, actions, capacity, batch, false);
    }

    /**
     * Makes an empty replay.
     *
     * @param isMasked whether a row also has {@code next_mask} (n), the actions that are allowed at the next observation
     */
    public Replay(Space observations, Space actions, int capacity, int batch, boolean isMasked) {
        if (capacity < 1 || batch < 1) {
            throw new IllegalArgumentException(
                    "replay: capacity and batch must be at least 1, were " + capacity + " and " + batch);
        }
        this.capacity = capacity;
        this.batch = batch;
        Shape number = Shape.of();
        Column observation = SpaceColumns.observation(observations);
        List<Column> all = new ArrayList<>(List.of(
                observation,
                SpaceColumns.action(actions),
                new Column("reward", number, ElementType.FLOAT32),
                observation.with("next_observation", observation.shape()),
                new Column("discount", number, ElementType.FLOAT32)));
        if (isMasked) {
            Column mask = SpaceColumns.mask(actions);
            all.add(mask.with("next_mask", mask.shape()));
        }
        columns = List.copyOf(all);
        List<Part> places = new ArrayList<>();
        int bytes = 0;
        for (Column column : columns) {
            boolean isOfBytes = observations.isBytes() && column.name().endsWith(observation.name())
                    || column.name().equals("next_mask");
            Part part = new Part(bytes, column.shape().size(), isOfBytes);
            places.add(part);
            bytes = Math.addExact(bytes, part.bytes());
        }
        parts = List.copyOf(places);
        width = bytes;
        int usual = Math.min(MOST_BYTES / width, Math.min(MOST_ROWS, (capacity - 1) / PARTS + 1));
        rows = Math.max(usual, (capacity - 1) / MOST_SEGMENTS + 1);
        segments = new byte[(capacity - 1) / rows + 2][0];
        drawn = new long[batch];
        numbers = new float[parts.stream().mapToInt(Part::numbers).max().orElseThrow()];
    }

    /**
     * A column's part of a row.
     *
     * @param at its first byte in the row
     * @param numbers of a row
     * @param isOfBytes whether each number is a byte, else a float
     */
    private record Part(int at, int numbers, boolean isOfBytes) {
        int bytes() {
            return Math.multiplyExact(numbers, isOfBytes ? 1 : Float.BYTES);
        }

        /** Writes the numbers of a row of an array that holds rows one after the other. */
        void write(float[] from, int row, byte[] segment, int start) {
            for (int i = 0; i < numbers; i++) {
                float number = from[row * numbers + i];
                if (isOfBytes) {
                    segment[start + at + i] = (byte) (int) number;
                } else {
                    FLOATS.set(segment, start + at + i * Float.BYTES, number);
                }
            }
        }

        void read(byte[] segment, int start, float[] into) {
            for (int i = 0; i < numbers; i++) {
                into[i] = isOfBytes
                        ? segment[start + at + i] & 0xff
                        : (float) FLOATS.get(segment, start + at + i * Float.BYTES);
            }
        }
    }

    /**
     * Sets the number of transitions that a run will add; a {@link ReplayCollector} checks at its start that they fit
     * in memory. A replay of a run that is only evaluated is never filled and needs none.
     *
     * @param transitions the number that will be added in all; only the newest are held if it exceeds the capacity
     */
    public void expect(long transitions) {
        expected = transitions;
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
     * Checks that the expected transitions fit into the free Java heap.
     *
     * @throws IllegalArgumentException if they need more memory than Java has left, naming both
     */
    void requireRoom() {
        long more = Math.min(capacity, expected) - size();
        Heap.require(
                String.format(Locale.ROOT, "replay: %,d transitions of %,d bytes each", more, width),
                (double) more * width);
    }

    /** The bytes of all expected transitions. */
    @Override
    public long bytes() {
        return Math.min(capacity, expected) * width;
    }

    /** The number of transitions held. */
    public int size() {
        return (int) Math.min(capacity, added);
    }

    /**
     * Adds a transition and drops the oldest one if the buffer is full. Each array holds rows one after the other.
     *
     * @param observation the row's index in observations
     * @param action the row's index in actions
     * @param reward of the step, or of n steps
     * @param nextRow the row's index in nextObservations and nextMasks
     * @param nextMasks the actions that are allowed at the next observation; not read without such a column
     * @param discount the factor of the next observation's value; 0 where the episode terminated
     */
    public void add(
            float[] observations,
            int observation,
            float[] actions,
            int action,
            float reward,
            float[] nextObservations,
            int nextRow,
            float[] nextMasks,
            float discount) {
        byte[] segment = segment(added);
        int start = (int) (added % rows) * width;
        parts.get(0).write(observations, observation, segment, start);
        parts.get(ACTION).write(actions, action, segment, start);
        numbers[0] = reward;
        parts.get(REWARD).write(numbers, 0, segment, start);
        parts.get(NEXT).write(nextObservations, nextRow, segment, start);
        numbers[0] = discount;
        parts.get(DISCOUNT).write(numbers, 0, segment, start);
        if (parts.size() > MASK) {
            parts.get(MASK).write(nextMasks, nextRow, segment, start);
        }
        added++;
    }

    /**
     * The segment of a row: a new array for its first row, because an earlier array in its place may be part of a saved
     * state.
     */
    private byte[] segment(long row) {
        int place = place(row);
        if (row % rows == 0) {
            segments[place] = new byte[rows * width];
        }
        return segments[place];
    }

    private int place(long row) {
        return (int) (row / rows % segments.length);
    }

    /** The row at a place of a ring buffer of the capacity, in which the newest row replaces the oldest. */
    private long rowAt(int place) {
        long oldest = added - size();
        return oldest + Math.floorMod(place - oldest, (long) capacity);
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
        return batch;
    }

    @Override
    public int next(Streams streams, Sink sink) {
        if (added == 0) {
            throw new IllegalStateException("the replay is empty: put the collecting turn first in the plan");
        }
        if (!begun) {
            random.restore(
                    Pcg64.of(SeedSequence.of(NumpySeed.of(streams)).child(3)).save());
            begun = true;
        }
        for (int i = 0; i < batch; i++) {
            drawn[i] = rowAt((int) random.integers(0, size()));
        }
        Optional<VectorNormalisation> by = environments == null ? Optional.empty() : environments.normalisation();
        for (int column = 0; column < parts.size(); column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            Part part = parts.get(column);
            for (int i = 0; i < batch && out != null; i++) {
                part.read(segments[place(drawn[i])], (int) (drawn[i] % rows) * width, numbers);
                if (by.isPresent()) {
                    normalise(by.get(), column);
                }
                RowBuffers.put(numbers, 0, part.numbers(), columns.get(column).type(), out, i * part.numbers());
            }
        }
        rowsDrawn += batch;
        return batch;
    }

    private void normalise(VectorNormalisation by, int column) {
        if (column == REWARD) {
            numbers[0] = (float) by.normalise((double) numbers[0]);
        } else if (column == 0 || column == NEXT) {
            by.normalise(numbers);
        }
    }

    @Override
    public double epoch() {
        return (double) rowsDrawn / capacity;
    }

    /** Saves whole segments, with dropped rows that share a segment with rows still held. */
    @Override
    public State save() {
        State state = State.empty()
                .with("begun", begun ? 1 : 0)
                .with("random", random.save())
                .with("capacity", capacity)
                .with("added", added)
                .with("rows_drawn", rowsDrawn);
        for (long s = (added - size()) / rows; s * rows < added; s++) {
            state = state.with(name(s), new Saved.Rows(segments[place(s * rows)], width, rowsOf(s, added)));
        }
        return state;
    }

    /** Explains a width of rows that were saved when all numbers were floats. */
    private String former(int saved) {
        int floats = Float.BYTES * parts.stream().mapToInt(Part::numbers).sum();
        return saved == floats ? "; it was saved by an earlier version, which kept bytes as floats" : "";
    }

    private static String name(long segment) {
        return String.format(Locale.ROOT, "segment-%09d", segment);
    }

    /** The number of rows of a segment, given the number added in all. */
    private int rowsOf(long segment, long of) {
        return (int) Math.min(rows, of - segment * rows);
    }

    @Override
    public void restore(State state) {
        long savedCapacity = state.whole("capacity");
        long savedAdded = state.whole("added");
        if (savedCapacity != capacity || savedAdded < 0) {
            throw new IllegalArgumentException("source replay: was saved with " + Math.min(savedAdded, savedCapacity)
                    + " of " + savedCapacity + " rows; here it has room for " + capacity);
        }
        long first = Math.max(0, savedAdded - capacity) / rows;
        List<byte[]> saved = new ArrayList<>();
        for (long s = first; s * rows < savedAdded; s++) {
            Saved.Rows segment = state.rows(name(s));
            if (segment.width() != width || segment.count() != rowsOf(s, savedAdded)) {
                throw new IllegalArgumentException("source replay: " + name(s) + " was saved as " + segment.count()
                        + " rows of " + segment.width() + " bytes, must be " + rowsOf(s, savedAdded) + " of " + width
                        + ": " + columns + former(segment.width()));
            }
            // A segment that is not full is copied: rows are added to it, and other replays may be restored from the
            // same state.
            saved.add(segment.count() == rows ? segment.values() : Arrays.copyOf(segment.values(), rows * width));
        }
        random.restore(state.state("random"));
        Arrays.fill(segments, new byte[0]);
        for (int i = 0; i < saved.size(); i++) {
            segments[place((first + i) * rows)] = saved.get(i);
        }
        added = savedAdded;
        rowsDrawn = state.whole("rows_drawn");
        begun = state.whole("begun") == 1;
    }
}
