package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.returns.RunningMoments;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;

/**
 * A wrapper that normalises observations by their running mean and variance, {@code (o - mean) / sqrt(variance +
 * 1e-8)}: Gymnasium's {@code NormalizeObservation}, with statistics in double precision in place of float32. Each reset
 * and each step adds its observation to the statistics first, unless they are frozen. Statistics are saved.
 */
public final class ObservationNormalisation extends ForwardingEnvironment {
    private final RunningMoments moments;
    private final Box observations;
    private final float[] seen;
    private boolean frozen;

    /** @throws IllegalArgumentException if observations are not of a box */
    public ObservationNormalisation(Environment inner) {
        super(inner);
        Box box = BoxSpaces.require(inner, inner.observations(), "normalised observations");
        moments = RunningMoments.of(box.width());
        observations = BoxSpaces.unbounded(box.shape());
        seen = new float[box.width()];
    }

    /** Sets whether observations leave the statistics unchanged, for evaluation. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    protected void afterReset() {
        updateMoments();
    }

    @Override
    public void step(float[] action, int at) {
        super.step(action, at);
        updateMoments();
    }

    private void updateMoments() {
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
