package hocket.schedulers.runs;

import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The last values of each metric, for schedules and progress lines. */
public final class History implements Stateful {
    /** The number of past values that a schedule can read. */
    static final int LENGTH = 1000;

    /** A ring buffer of the last values. */
    public static final class Series {
        private final double[] values = new double[LENGTH];
        private long count;

        public void add(double value) {
            values[(int) (count++ % LENGTH)] = value;
        }

        public boolean isBegun() {
            return count > 0;
        }

        /** Returns how often the metric was reported. */
        public long count() {
            return count;
        }

        /** Returns the last value of a metric that has one. */
        public double last() {
            return values[(int) ((count - 1) % LENGTH)];
        }

        OptionalDouble average(int window) {
            int n = (int) Math.min(window, Math.min(count, LENGTH));
            if (n == 0) {
                return OptionalDouble.empty();
            }
            double sum = 0;
            for (long i = count - n; i < count; i++) {
                sum += values[(int) (i % LENGTH)];
            }
            return OptionalDouble.of(sum / n);
        }
    }

    private final TreeMap<String, Series> series = new TreeMap<>();
    private final List<Turn> turns = new ArrayList<>();

    /** Returns the values of a metric, started if there are none. */
    public Series series(String name) {
        return series.computeIfAbsent(name, key -> new Series());
    }

    /** Registers a turn, none of whose metrics were reported yet. */
    public void knows(Turn turn) {
        turn.series().forEach(this::series);
        turns.add(turn);
    }

    public OptionalDouble average(String name, int window) {
        Series found = series.get(name);
        if (found == null && turns.stream().noneMatch(turn -> turn.mayReport(name))) {
            throw new IllegalArgumentException("no turn reports " + name + SimilarNames.among(name, series.keySet()));
        }
        if (window < 1 || window > LENGTH) {
            throw new IllegalArgumentException("a window must be 1 to " + LENGTH + " values, was " + window);
        }
        return found == null ? OptionalDouble.empty() : found.average(window);
    }

    /** Returns how often a metric was reported. Throws as {@link #average}. */
    public long reports(String name) {
        average(name, 1);
        Series found = series.get(name);
        return found == null ? 0 : found.count;
    }

    @Override
    public State save() {
        State state = State.empty();
        for (var entry : series.entrySet()) {
            state = state.with(
                    entry.getKey(),
                    State.empty()
                            .with("count", entry.getValue().count)
                            .with("values", Tensor.of(Shape.of(LENGTH), entry.getValue().values)));
        }
        return state;
    }

    @Override
    public void restore(State state) {
        TreeMap<String, double[]> saved = new TreeMap<>();
        for (String name : state.items().keySet()) {
            double[] values = state.state(name).tensor("values").doubles();
            if (values.length != LENGTH || state.state(name).whole("count") < 0) {
                throw new IllegalArgumentException("series " + name + " was saved with room for " + values.length
                        + " values, here it has " + LENGTH);
            }
            saved.put(name, values);
        }
        series.values().forEach(ring -> ring.count = 0);
        saved.forEach((name, values) -> {
            Series ring = series(name);
            ring.count = state.state(name).whole("count");
            System.arraycopy(values, 0, ring.values, 0, LENGTH);
        });
    }
}
