package hocket.rl.returns;

import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * Scales rewards so that discounted returns have about variance 1, as {@code VecNormalize} of Stable-Baselines3: at each
 * step, for each environment, {@code return = gamma·return + reward}; their running variance takes in these returns;
 * {@code clip(reward/sqrt(variance + epsilon), -limit, limit)}, no mean being subtracted; and the return of an episode that
 * ended goes back to 0. One thread at a time.
 */
public final class RewardNormaliser implements Stateful {
    private final double gamma;
    private final double epsilon;
    private final double limit;
    private final double[] returns;
    private final RunningMoments moments = RunningMoments.of(1);
    private boolean frozen;

    /** With epsilon 1e-8 and limit 10. */
    public RewardNormaliser(int environments, double gamma) {
        this(environments, gamma, 1e-8, 10);
    }

    /**
     * A normaliser that has seen nothing.
     *
     * @param environments how many run side by side
     * @param gamma the discount of one step, in [0, 1]
     * @param epsilon above what is divided by, at least 0
     * @param limit the most that a scaled reward can be, at least 0
     * @throws IllegalArgumentException if one is out of range
     */
    public RewardNormaliser(int environments, double gamma, double epsilon, double limit) {
        Require.atLeastOne("reward normaliser: environments", environments);
        Require.fraction("reward normaliser: gamma", gamma);
        Require.notNegative("reward normaliser: epsilon", epsilon);
        Require.notNegative("reward normaliser: limit", limit);
        this.gamma = gamma;
        this.epsilon = epsilon;
        this.limit = limit;
        returns = new double[environments];
    }

    /** Whether steps leave the variance as it is, for evaluation. Not saved. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    /**
     * Takes over the variance of another, such as the one that trained; returns stay.
     *
     * @param saved what {@link #save} of the other gave
     */
    public void adopt(State saved) {
        moments.restore(saved.state("moments"));
    }

    /** All episodes begin anew: their returns go back to 0. */
    public void begin() {
        Arrays.fill(returns, 0);
    }

    /**
     * Some episodes begin anew.
     *
     * @param which one for each environment
     * @throws IllegalArgumentException if the length does not fit; then nothing has changed
     */
    public void begin(boolean[] which) {
        Require.length("reward normaliser: which", which.length, returns.length, "one for each environment");
        for (int e = 0; e < returns.length; e++) {
            if (which[e]) {
                returns[e] = 0;
            }
        }
    }

    /** The variance that rewards are scaled by. */
    public double variance() {
        return moments.variance(0);
    }

    /** The discounted return of an environment's episode so far; 0 after its end. */
    public double returnOf(int environment) {
        return returns[environment];
    }

    /**
     * Takes in one step of all environments and scales its rewards.
     *
     * @param rewards one for each environment
     * @param done whether its episode ended with this step, by itself or not
     * @param scaled the result; it may be the rewards
     * @throws IllegalArgumentException if the lengths do not fit; then nothing has changed
     */
    public void step(double[] rewards, boolean[] done, double[] scaled) {
        check(rewards.length, done.length, scaled.length);
        for (int e = 0; e < returns.length; e++) {
            returns[e] = gamma * returns[e] + rewards[e];
        }
        takeIn();
        for (int e = 0; e < returns.length; e++) {
            scaled[e] = scaled(rewards[e]);
        }
        begin(done);
    }

    /** The same in single precision. */
    public void step(float[] rewards, boolean[] done, float[] scaled) {
        check(rewards.length, done.length, scaled.length);
        for (int e = 0; e < returns.length; e++) {
            returns[e] = gamma * returns[e] + rewards[e];
        }
        takeIn();
        for (int e = 0; e < returns.length; e++) {
            scaled[e] = (float) scaled(rewards[e]);
        }
        begin(done);
    }

    private void takeIn() {
        if (!frozen) {
            moments.update(returns);
        }
    }

    /** A reward as it would be scaled now; nothing is taken in. */
    public double scaled(double reward) {
        return Math.max(-limit, Math.min(limit, reward / Math.sqrt(moments.variance(0) + epsilon)));
    }

    private void check(int rewards, int done, int scaled) {
        Require.length("reward normaliser: rewards", rewards, returns.length, "one for each environment");
        Require.length("reward normaliser: done", done, returns.length, "one for each environment");
        Require.length("reward normaliser: scaled", scaled, returns.length, "one for each environment");
    }

    @Override
    public State save() {
        return State.empty()
                .with("returns", Tensor.of(Shape.of(returns.length), returns))
                .with("moments", moments.save());
    }

    @Override
    public void restore(State state) {
        Tensor saved = state.tensor("returns");
        if (saved.type() != ElementType.FLOAT64 || !saved.shape().equals(Shape.of(returns.length))) {
            throw new IllegalArgumentException("reward normaliser: the saved returns must be FLOAT64(" + returns.length
                    + "), were " + saved.signature());
        }
        moments.restore(state.state("moments"));
        System.arraycopy(saved.doubles(), 0, returns, 0, returns.length);
    }
}
