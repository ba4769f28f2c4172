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
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transitions that an agent went through, the newest so many of them, drawn uniformly with replacement (Lin 1992; Mnih et
 * al. 2015). Columns {@code observation}, {@code action}, {@code reward}, {@code next_observation} and {@code discount}: what
 * the value of the next observation counts for, 0 where the episode terminated. With n-step returns the reward is that of
 * up to n steps, and the next observation the one behind them.
 *
 * <p>Its state is all of it, in segments of 16,384 rows.
 */
public final class Replay implements Source {
    private static final int SEGMENT = 16_384;

    private final List<Column> columns;
    private final float[][] data;
    private final int[] widths;
    private final int capacity;
    private final int batch;
    private final Pcg64 random = Pcg64.of(0);
    private final int[] drawn;
    private boolean begun;
    private int size;
    private int next;
    private long rowsDrawn;

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
        data = new float[widths.length][];
        for (int i = 0; i < data.length; i++) {
            data[i] = new float[Math.multiplyExact(Math.min(capacity, SEGMENT), widths[i])];
        }
        drawn = new int[batch];
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
        grow(next + 1);
        System.arraycopy(observations, observation * widths[0], data[0], next * widths[0], widths[0]);
        System.arraycopy(actions, action * widths[1], data[1], next * widths[1], widths[1]);
        data[2][next] = reward;
        System.arraycopy(nextObservations, following * widths[3], data[3], next * widths[3], widths[3]);
        data[4][next] = discount;
        next = (next + 1) % capacity;
        size = Math.min(capacity, size + 1);
    }

    /** Room for so many rows: a replay that never fills takes no more memory than it needs. */
    private void grow(int rows) {
        int room = data[2].length;
        if (rows > room) {
            int wanted = (int) Math.min(capacity, Math.max(rows, 2L * room));
            for (int i = 0; i < data.length; i++) {
                data[i] = Arrays.copyOf(data[i], Math.multiplyExact(wanted, widths[i]));
            }
        }
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
                            data[column],
                            drawn[i] * width,
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
        for (int from = 0; from < size; from += SEGMENT) {
            int rows = Math.min(SEGMENT, size - from);
            State segment = State.empty();
            for (int i = 0; i < data.length; i++) {
                float[] part = Arrays.copyOfRange(data[i], from * widths[i], (from + rows) * widths[i]);
                segment = segment.with(columns.get(i).name(), Tensor.of(Shape.of(rows, widths[i]), part));
            }
            state = state.with(segment(from), segment);
        }
        return state;
    }

    private static String segment(int from) {
        return String.format(java.util.Locale.ROOT, "segment-%05d", from / SEGMENT);
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
        for (int from = 0; from < savedSize; from += SEGMENT) {
            int rows = Math.min(SEGMENT, savedSize - from);
            for (int i = 0; i < data.length; i++) {
                Tensor part = state.state(segment(from)).tensor(columns.get(i).name());
                if (!part.shape().equals(Shape.of(rows, widths[i]))) {
                    throw new IllegalArgumentException("source replay: " + columns.get(i) + " was saved as " + part
                            + ", must be " + rows + " rows of " + widths[i]);
                }
                parts[from / SEGMENT][i] = part.floats();
            }
        }
        random.restore(state.state("random"));
        grow(savedSize);
        for (int from = 0; from < savedSize; from += SEGMENT) {
            for (int i = 0; i < data.length; i++) {
                float[] part = parts[from / SEGMENT][i];
                System.arraycopy(part, 0, data[i], from * widths[i], part.length);
            }
        }
        size = savedSize;
        next = savedNext;
        rowsDrawn = state.whole("rows_drawn");
        begun = state.whole("begun") == 1;
    }
}
