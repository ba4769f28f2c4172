package hocket.rl.actors;

import hocket.schedulers.Run;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;

/** Counts environment steps and keeps the mean return and length of the last hundred episodes. */
public final class EpisodeStatistics implements Stateful {
    private final RecentMean returns = new RecentMean();
    private final RecentMean lengths = new RecentMean();
    private long steps;

    /** Adds steps, of all environments together. */
    public void addSteps(long more) {
        steps += more;
    }

    /**
     * Adds an episode that has ended.
     *
     * @param ret the sum of its rewards as the environment gave them
     * @param length the number of its steps
     */
    public void addEpisode(double ret, double length) {
        returns.add(ret);
        lengths.add(length);
    }

    /** The number of steps of all environments together. */
    public long steps() {
        return steps;
    }

    /** Reports {@code steps} and, once an episode has ended, {@code episode_return} and {@code episode_length}. */
    public void report(Run run) {
        run.report("steps", steps);
        if (!returns.isEmpty()) {
            run.report("episode_return", returns.mean());
            run.report("episode_length", lengths.mean());
        }
    }

    @Override
    public State save() {
        return State.empty()
                .with("steps", steps)
                .with("returns", returns.save())
                .with("lengths", lengths.save());
    }

    @Override
    public void restore(State state) {
        returns.restore(state.state("returns"));
        lengths.restore(state.state("lengths"));
        steps = state.whole("steps");
    }

    /** The mean of the last hundred numbers added. */
    private static final class RecentMean implements Stateful {
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
}
