package hocket.rl.actors;

import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/** The mean of the last hundred numbers added. */
final class RecentMean implements Stateful {
    private static final int LENGTH = 100;

    private final double[] values = new double[LENGTH];
    private long count;

    void add(double value) {
        values[(int) (count++ % LENGTH)] = value;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The mean of the last hundred numbers, or of all if there are fewer, summed in a fixed order. */
    double mean() {
        int n = (int) Math.min(count, LENGTH);
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += values[i];
        }
        return sum / n;
    }

    @Override
    public State save() {
        return State.empty().with("count", count).with("values", Tensor.of(Shape.of(LENGTH), values));
    }

    @Override
    public void restore(State state) {
        double[] saved = state.tensor("values").doubles();
        if (saved.length != LENGTH) {
            throw new IllegalArgumentException("recent values: saved " + saved.length + ", must be " + LENGTH);
        }
        System.arraycopy(saved, 0, values, 0, LENGTH);
        count = state.whole("count");
    }
}
