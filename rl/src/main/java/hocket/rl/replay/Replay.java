package hocket.rl.replay;

import hocket.rl.actors.Policy;
import hocket.rl.actors.Seeds;
import hocket.rl.envs.Discrete;
import hocket.rl.envs.Pcg64;
import hocket.rl.envs.SeedSequence;
import hocket.rl.envs.Space;
import hocket.schedulers.Source;
import hocket.schedulers.State;
import hocket.scopes.ElementType;
import hocket.scopes.Heap;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Transitions that an agent went through, the newest so many of them, drawn uniformly with replacement (Lin 1992; Mnih et
 * al. 2015). Columns {@code observation} (w), {@code action} (() of INT64, an index from 0, where actions are discrete, else
 * (a)), {@code reward} (), {@code next_observation} (w) and {@code discount} (): what the value of the next observation counts
 * for, 0 where the episode terminated. With n-step returns the reward is that of
 * up to n steps, and the next observation the one behind them.
 *
 * <p>It grows by segments of 16,384 rows: one that never fills takes no more memory than it needs. Its state is all of it.
 */
public final class Replay implements Source {
    private static final int SEGMENT = 16_384;

    private final List<Column> columns;
    /** For each column its segments, empty until they are needed. */
    private final float[][][] data;

    private final int[] widths;
    private final int capacity;
    private final int batch;
    private final Pcg64 random = Pcg64.of(0);
    private final int[] drawn;
    private boolean begun;
    private int size;
    private int next;
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
        for (int width : widths) {
            if ((long) rowsOf(0, capacity) * width > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "replay: " + rowsOf(0, capacity) + " rows, which are kept together, of " + width
                                + " numbers must be at most " + Integer.MAX_VALUE + ": keep fewer transitions");
            }
        }
        data = new float[widths.length][(capacity - 1) / SEGMENT + 1][0];
        drawn = new int[batch];
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

    /**
     * Refuses to hold more than there is room for beside what Java holds already.
     *
     * @throws IllegalArgumentException if what is expected needs more memory than Java has left, naming both
     */
    void requireRoom() {
        long rows = Math.min(capacity, expected) - size;
        Heap.require(
                String.format(Locale.ROOT, "replay: %,d transitions of %,d bytes each", rows, bytesOfRow()),
                (double) rows * bytesOfRow());
    }

    /** Of all that is expected, kept as floats. */
    @Override
    public long bytes() {
        return Math.min(capacity, expected) * bytesOfRow();
    }

    private long bytesOfRow() {
        return (long) Arrays.stream(widths).sum() * Float.BYTES;
    }

    /** How many transitions it holds. */
    public int size() {
        return size;
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
        int segment = next / SEGMENT;
        int row = next % SEGMENT;
        grow(segment, row + 1);
        System.arraycopy(observations, observation * widths[0], data[0][segment], row * widths[0], widths[0]);
        System.arraycopy(actions, action * widths[1], data[1][segment], row * widths[1], widths[1]);
        data[2][segment][row] = reward;
        System.arraycopy(nextObservations, following * widths[3], data[3][segment], row * widths[3], widths[3]);
        data[4][segment][row] = discount;
        next = (next + 1) % capacity;
        size = Math.min(capacity, size + 1);
    }

    /** Room for so many rows of a segment. */
    private void grow(int segment, int rows) {
        int room = data[2][segment].length;
        if (rows > room) {
            int wanted = Math.min(rowsOf(segment, capacity), Math.max(rows, 2 * room));
            for (int i = 0; i < data.length; i++) {
                data[i][segment] = Arrays.copyOf(data[i][segment], wanted * widths[i]);
            }
        }
    }

    /** Rows of a segment, of so many in all. */
    private static int rowsOf(int segment, int rows) {
        return Math.min(SEGMENT, rows - segment * SEGMENT);
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
        if (size == 0) {
            throw new IllegalStateException("the replay holds nothing yet: what collects comes first in the plan");
        }
        if (!begun) {
            random.restore(Pcg64.of(SeedSequence.of(Seeds.of(streams)).child(3)).save());
            begun = true;
        }
        for (int i = 0; i < batch; i++) {
            drawn[i] = (int) random.integers(0, size);
        }
        for (int column = 0; column < data.length; column++) {
            @Nullable ByteBuffer out = sink.column(column, batch);
            if (out != null) {
                int width = widths[column];
                for (int i = 0; i < batch; i++) {
                    Rows.put(
                            data[column][drawn[i] / SEGMENT],
                            drawn[i] % SEGMENT * width,
                            width,
                            columns.get(column).type(),
                            out,
                            i * width);
                }
            }
        }
        rowsDrawn += batch;
        return batch;
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
                .with("capacity", capacity)
                .with("size", size)
                .with("next", next)
                .with("rows_drawn", rowsDrawn);
        for (int s = 0; s * SEGMENT < size; s++) {
            int rows = rowsOf(s, size);
            State segment = State.empty();
            for (int i = 0; i < data.length; i++) {
                float[] part = Arrays.copyOf(data[i][s], rows * widths[i]);
                segment = segment.with(columns.get(i).name(), Tensor.of(Shape.of(rows, widths[i]), part));
            }
            state = state.with(name(s), segment);
        }
        return state;
    }

    private static String name(int segment) {
        return String.format(Locale.ROOT, "segment-%05d", segment);
    }

    @Override
    public void restore(State state) {
        long savedCapacity = state.whole("capacity");
        int savedSize = Math.toIntExact(state.whole("size"));
        int savedNext = Math.toIntExact(state.whole("next"));
        if (savedCapacity != capacity
                || savedSize < 0
                || savedSize > capacity
                || savedNext < 0
                || savedNext >= capacity) {
            throw new IllegalArgumentException("source replay: was saved with " + savedSize + " of " + savedCapacity
                    + " rows, the next one " + savedNext + "; here it has room for " + capacity);
        }
        float[][][] parts = new float[(savedSize + SEGMENT - 1) / SEGMENT][data.length][];
        for (int s = 0; s < parts.length; s++) {
            int rows = rowsOf(s, savedSize);
            for (int i = 0; i < data.length; i++) {
                Tensor part = state.state(name(s)).tensor(columns.get(i).name());
                if (!part.shape().equals(Shape.of(rows, widths[i]))) {
                    throw new IllegalArgumentException("source replay: " + columns.get(i) + " was saved as " + part
                            + ", must be " + rows + " rows of " + widths[i]);
                }
                parts[s][i] = part.floats();
            }
        }
        random.restore(state.state("random"));
        for (int s = 0; s < parts.length; s++) {
            for (int i = 0; i < data.length; i++) {
                data[i][s] = parts[s][i];
            }
        }
        size = savedSize;
        next = savedNext;
        rowsDrawn = state.whole("rows_drawn");
        begun = state.whole("begun") == 1;
    }
}
