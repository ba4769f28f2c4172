package hocket.rl.envs;

import hocket.rl.returns.RunningMoments;
import hocket.schedulers.State;

/**
 * Observations less their running mean, in units of their running deviation: {@code (o - mean) / sqrt(variance + 1e-8)},
 * as Gymnasium's {@code NormalizeObservation}, whose statistics are float32 where these are double. Each reset and each
 * step adds its observation to the statistics first, unless they are frozen. Statistics are saved.
 */
public final class ObservationNormalisation extends ForwardingEnvironment {
    private final RunningMoments moments;
    private final Box observations;
    private final float[] seen;
    private boolean frozen;

    /** @throws IllegalArgumentException if observations are not of a box */
    public ObservationNormalisation(Environment inner) {
        super(inner);
        Box box = Points.box(inner, inner.observations(), "normalised observations");
        moments = RunningMoments.of(box.width());
        observations = Points.unbounded(box.shape());
        seen = new float[box.width()];
    }

    /** Whether what is observed leaves the statistics as they are, for evaluation. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    protected void afterReset() {
        look();
    }

    @Override
    public void step(float[] action, int at) {
        super.step(action, at);
        look();
    }

    private void look() {
        if (!frozen) {
            inner().observe(seen, 0);
            moments.update(seen);
        }
    }

    @Override
    public void observe(float[] into, int at) {
        inner().observe(into, at);
        for (int i = 0; i < seen.length; i++) {
            into[at + i] = (float) moments.standardised(i, into[at + i]);
        }
    }

    @Override
    public State save() {
        return super.save().with("moments", moments.save()).with("frozen", frozen ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        boolean savedFrozen = state.whole("frozen") != 0;
        RunningMoments saved = RunningMoments.of(seen.length);
        saved.restore(state.state("moments"));
        super.restore(state);
        moments.restore(saved.save());
        frozen = savedFrozen;
    }
}
