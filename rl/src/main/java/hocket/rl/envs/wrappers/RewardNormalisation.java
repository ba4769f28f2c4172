package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.returns.RunningMoments;
import hocket.schedulers.state.State;

/**
 * A wrapper that divides rewards by the standard deviation of their discounted sum, as Gymnasium's {@code
 * NormalizeReward}: with {@code g ← γ g (1 - terminated) + r}, the reward is {@code r / sqrt(variance of all g +
 * 1e-8)}. Each step adds its g to the statistics first, unless they are frozen. Statistics are saved.
 */
public final class RewardNormalisation extends ForwardingEnvironment {
    private static final double EPSILON = 1e-8;

    private final double discount;
    private final RunningMoments moments = RunningMoments.of(1);
    private final double[] sum = new double[1];
    private double reward;
    private boolean frozen;

    /**
     * @param discount γ
     * @throws IllegalArgumentException if it is not in [0, 1]
     */
    public RewardNormalisation(Environment inner, double discount) {
        super(inner);
        if (!(discount >= 0 && discount <= 1)) {
            throw new IllegalArgumentException(inner.name() + ": a discount must be 0 to 1, was " + discount);
        }
        this.discount = discount;
    }

    /** Sets whether rewards leave the statistics unchanged, for evaluation. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    @Override
    protected void afterReset() {
        reward = 0;
    }

    @Override
    public void step(float[] action, int at) {
        super.step(action, at);
        sum[0] = sum[0] * discount * (inner().terminated() ? 0 : 1) + inner().reward();
        if (!frozen) {
            moments.update(sum);
        }
        reward = inner().reward() / Math.sqrt(moments.variance(0) + EPSILON);
    }

    @Override
    public double reward() {
        return reward;
    }

    @Override
    public State save() {
        return super.save()
                .with("moments", moments.save())
                .with("sum", sum[0])
                .with("reward", reward)
                .with("frozen", frozen ? 1 : 0);
    }

    @Override
    public void restore(State state) {
        double savedSum = state.real("sum");
        double savedReward = state.real("reward");
        boolean savedFrozen = state.whole("frozen") != 0;
        RunningMoments saved = RunningMoments.of(1);
        saved.restore(state.state("moments"));
        super.restore(state);
        moments.restore(saved.save());
        sum[0] = savedSum;
        reward = savedReward;
        frozen = savedFrozen;
    }
}
