package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.actors.Seeds;
import hocket.rl.actors.Worlds;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.Space;
import hocket.rl.envs.VectorNormalisation;
import hocket.schedulers.Saved;
import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Transitions that an agent went through, the newest so many of them, drawn uniformly with replacement (Lin 1992; Mnih et
 * al. 2015). Columns {@code observation} (w), {@code action} (() of INT64, an index from 0, where actions are discrete, else
 * (a)), {@code reward} (), {@code next_observation} (w) and {@code discount} (): what the value of the next observation counts
 * for, 0 where the episode terminated. With n-step returns the reward is that of
 * up to n steps, and the next observation the one behind them.
 *
 * <p>It is a log in segments of up to 16,384 rows and some 4 MB: rows are added at its end and never changed, and a segment goes
 * when all of its rows have made room. One that never fills takes no more memory than it needs, and what is saved is not copied.
 */
public final class Replay implements Source {
    private static final int ACTION = 1;
    private static final int REWARD = 2;
    private static final int DISCOUNT = 4;
    private static final int MOST_ROWS = 16_384;
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_SEGMENTS = 100_000;

    /** A replay that is full holds about this part more than its capacity: rows that have made room beside some that have not. */
    private static final int PARTS = 16;

    private final List<Column> columns;

    /** The segments that hold anything, each at its number modulo how many there can be: rows with all columns. */
    private final float[][] segments;

    /** How many rows a segment has. */
    private final int rows;

    private final int[] widths;
    private final int width;
    private final int capacity;
    private final int batch;
    private final Pcg64 random = Pcg64.of(0);
    private final long[] drawn;
    private @Nullable Worlds worlds;
    private boolean begun;
    private long added;
    private long rowsDrawn;
    private long expected;

    /**
     * An empty one.
     *
     * @param capacity transitions that it keeps, at least 1
     * @param batch rows of a draw, at least 1
     */
    public Replay(Space observations, Space actions, int capacity, int batch) {
        if (capacity < 1 || batch < 1) {
            throw new IllegalArgumentException(
                    "replay: capacity and batch must be at least 1, were " + capacity + " and " + batch);
        }
        this.capacity = capacity;
        this.batch = batch;
        Shape number = Shape.of();
        Shape observation = Shape.of(observations.width());
        columns = List.of(
                new Column(Policy.OBSERVATION, observation, ElementType.FLOAT32),
                actions instanceof Discrete
                        ? new Column("action", number, ElementType.INT64)
                        : new Column("action", Shape.of(actions.width()), ElementType.FLOAT32),
                new Column("reward", number, ElementType.FLOAT32),
                new Column("next_observation", observation, ElementType.FLOAT32),
                new Column("discount", number, ElementType.FLOAT32));
        widths = columns.stream().mapToInt(column -> column.shape().size()).toArray();
        width = Arrays.stream(widths).reduce(0, Math::addExact);
        int usual = Math.min(MOST_BYTES / Float.BYTES / width, Math.min(MOST_ROWS, (capacity - 1) / PARTS + 1));
        rows = Math.max(usual, (capacity - 1) / MOST_SEGMENTS + 1);
        segments = new float[(capacity - 1) / rows + 2][0];
        drawn = new long[batch];
    }

    /**
     * Says what a run is going to add: there has to be room for that when an {@link Experience} begins to collect. A replay
     * of a run that is only judged is never filled, and needs none.
     *
     * @param transitions that will have been added in the end; of more than the capacity the newest are held
     */
    public void expect(long transitions) {
        expected = transitions;
    }

    /** Says where it comes from: what is drawn is normalised as these worlds are then, and held as they gave it. */
    void comesFrom(Worlds collected) {
        worlds = collected;
    }

    @Override
    public List<String> notes() {
        return worlds == null ? List.of() : worlds.notes();
    }

    /**
     * Refuses to hold more than there is room for beside what Java holds already.
     *
     * @throws IllegalArgumentException if what is expected needs more memory than Java has left, naming both
     */
    void requireRoom() {
        long more = Math.min(capacity, expected) - size();
        Heap.require(
                String.format(Locale.ROOT, "replay: %,d transitions of %,d bytes each", more, bytesOfRow()),
                (double) more * bytesOfRow());
    }

    /** Of all that is expected, kept as floats. */
    @Override
    public long bytes() {
        return Math.min(capacity, expected) * bytesOfRow();
    }

    private long bytesOfRow() {
        return (long) width * Float.BYTES;
    }

    /** How many transitions it holds. */
    public int size() {
        return (int) Math.min(capacity, added);
    }

    /**
     * Takes in a transition; the oldest one makes room. Each array holds rows one behind the other.
     *
     * @param observation of which row
     * @param action of which row
     * @param reward of the step, or of several
     * @param following the next observations, of which row
     * @param discount what the value of the next observation counts for; 0 where the episode terminated
     */
    public void add(
            float[] observations,
            int observation,
            float[] actions,
            int action,
            float reward,
            float[] nextObservations,
            int following,
            float discount) {
        float[] segment = segment(added);
        int at = (int) (added % rows) * width;
        System.arraycopy(observations, observation * widths[0], segment, at, widths[0]);
        at += widths[0];
        System.arraycopy(actions, action * widths[1], segment, at, widths[1]);
        at += widths[1];
        segment[at] = reward;
        System.arraycopy(nextObservations, following * widths[3], segment, at + 1, widths[3]);
        segment[at + 1 + widths[3]] = discount;
        added++;
    }

    /** The one that a row goes to: a new one for its first row, since a former one in its place may have been saved. */
    private float[] segment(long row) {
        int place = place(row);
        if (row % rows == 0) {
            segments[place] = new float[rows * width];
        }
        return segments[place];
    }

    private int place(long row) {
        return (int) (row / rows % segments.length);
    }

    /** The row that is at a place of a ring of the capacity, in which the newest takes the place of the oldest. */
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
            throw new IllegalStateException("the replay holds nothing yet: what collects comes first in the plan");
        }
        if (!begun) {
            random.restore(Pcg64.of(SeedSequence.of(Seeds.of(streams)).child(3)).save());
            begun = true;
        }
        for (int i = 0; i < batch; i++) {
            drawn[i] = rowAt((int) random.integers(0, size()));
        }
        Optional<VectorNormalisation> by = worlds == null ? Optional.empty() : worlds.normalisation();
        int at = 0;
        for (int column = 0; column < widths.length; column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            int wide = widths[column];
            for (int i = 0; i < batch && out != null; i++) {
                float[] segment = segments[place(drawn[i])];
                int from = (int) (drawn[i] % rows) * width + at;
                if (by.isPresent() && column != ACTION && column != DISCOUNT) {
                    segment = normalised(by.get(), column, Arrays.copyOfRange(segment, from, from + wide));
                    from = 0;
                }
                Rows.put(segment, from, wide, columns.get(column).type(), out, i * wide);
            }
            at += wide;
        }
        rowsDrawn += batch;
        return batch;
    }

    private static float[] normalised(VectorNormalisation by, int column, float[] values) {
        if (column == REWARD) {
            values[0] = (float) by.normalise((double) values[0]);
        } else {
            by.normalise(values);
        }
        return values;
    }

    @Override
    public double epoch() {
        return (double) rowsDrawn / capacity;
    }

    /** Rows that have made room are saved with those of their segment that have not. */
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

    private static String name(long segment) {
        return String.format(Locale.ROOT, "segment-%09d", segment);
    }

    /** How many rows of a segment there are, of so many that were added in all. */
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
        List<float[]> saved = new ArrayList<>();
        for (long s = first; s * rows < savedAdded; s++) {
            Saved.Rows segment = state.rows(name(s));
            if (segment.width() != width || segment.count() != rowsOf(s, savedAdded)) {
                throw new IllegalArgumentException("source replay: " + name(s) + " was saved as " + segment.count()
                        + " rows of " + segment.width() + " numbers, must be " + rowsOf(s, savedAdded) + " of " + width
                        + ": " + columns);
            }
            // What is not full is added to, and another may be, too, of which the same state was saved.
            saved.add(segment.count() == rows ? segment.values() : Arrays.copyOf(segment.values(), rows * width));
        }
        random.restore(state.state("random"));
        Arrays.fill(segments, new float[0]);
        for (int i = 0; i < saved.size(); i++) {
            segments[place((first + i) * rows)] = saved.get(i);
        }
        added = savedAdded;
        rowsDrawn = state.whole("rows_drawn");
        begun = state.whole("begun") == 1;
    }
}
