package hocket.rl.actors;

import hocket.rl.returns.RunningMoments;
import hocket.schedulers.State;
import hocket.schedulers.Stateful;

/** Observations brought to mean 0 and variance 1 of all that were seen, and clipped, as Stable-Baselines3's. */
public final class ObservationNormaliser implements Stateful {
    private static final double EPSILON = 1e-8;
    private static final double LIMIT = 10;

    private final RunningMoments moments;

    /** @param width numbers of an observation */
    public ObservationNormaliser(int width) {
        moments = RunningMoments.of(width);
    }

    /** Takes in rows of observations. */
    public void update(float[] rows) {
        moments.update(rows);
    }

    /** Normalises rows in place, by what was taken in so far. */
    public void normalise(float[] rows) {
        moments.normalise(rows, EPSILON, LIMIT, rows);
    }

    @Override
    public State save() {
        return moments.save();
    }

    @Override
    public void restore(State state) {
        moments.restore(state);
    }
}
