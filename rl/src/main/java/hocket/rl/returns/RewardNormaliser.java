package hocket.rl.returns;

import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * Scales rewards so that discounted returns have about variance 1, as {@code VecNormalize} of Stable-Baselines3: at
 * each step, for each environment, {@code return = gamma·return + reward}; their running variance is updated by these
 * returns; the reward becomes {@code clip(reward/sqrt(variance + epsilon), -limit, limit)}, without subtracting a mean;
 * and the return of an episode that ended is reset to 0. Not thread-safe.
 */
public final class RewardNormaliser implements Stateful {
    private final double gamma;
    private final double epsilon;
    private final double limit;
    private final double[] returns;
    private final RunningMoments moments = RunningMoments.of(1);
    private boolean frozen;

    /** Makes a normaliser with epsilon 1e-8 and limit 10. */
    public RewardNormaliser(int environments, double gamma) {
        this(environments, gamma, 1e-8, 10);
    }

    /**
     * Makes a normaliser without statistics.
     *
     * @param environments the number of environments that step together
     * @param gamma the discount of one step, in [0, 1]
     * @param epsilon added to the variance, at least 0
     * @param limit the largest absolute value of a scaled reward, at least 0
     * @throws IllegalArgumentException if an argument is out of range
     */
    public RewardNormaliser(int environments, double gamma, double epsilon, double limit) {
        Limits.atLeast(1, "reward normaliser: environments", environments);
        Limits.fraction("reward normaliser: gamma", gamma);
        ReturnArguments.notNegative("reward normaliser: epsilon", epsilon);
        ReturnArguments.notNegative("reward normaliser: limit", limit);
        this.gamma = gamma;
        this.epsilon = epsilon;
        this.limit = limit;
        returns = new double[environments];
    }

    /** Sets whether steps leave the variance unchanged, for evaluation. Not saved. */
    public void freeze(boolean frozen) {
        this.frozen = frozen;
    }

    /**
     * Copies the variance of another normaliser, such as the one used in training; returns stay.
     *
     * @param saved the state of the other by {@link #save}
     */
    public void adopt(State saved) {
        moments.restore(saved.state("moments"));
    }

    /** Resets the returns of all environments to 0, since new episodes start. */
    public void begin() {
        Arrays.fill(returns, 0);
    }

    /**
     * Resets the returns of environments that start a new episode.
     *
     * @param which a flag for each environment
     * @throws IllegalArgumentException if the length does not fit; then nothing has changed
     */
    public void begin(boolean[] which) {
        ReturnArguments.length("reward normaliser: which", which.length, returns.length, "one for each environment");
        for (int e = 0; e < returns.length; e++) {
            if (which[e]) {
                returns[e] = 0;
            }
        }
    }

    /** The variance of returns by which rewards are scaled. */
    public double variance() {
        return moments.variance(0);
    }

    /** The discounted return of an environment's episode so far; 0 after its end. */
    public double returnOf(int environment) {
        return returns[environment];
    }

    /**
     * Updates the statistics by one step of all environments and scales its rewards.
     *
     * @param rewards one for each environment
     * @param done whether each episode ended with this step, terminated or truncated
     * @param scaled the result; it may be the rewards
     * @throws IllegalArgumentException if the lengths do not fit; then nothing has changed
     */
    public void step(double[] rewards, boolean[] done, double[] scaled) {
        check(rewards.length, done.length, scaled.length);
        for (int e = 0; e < returns.length; e++) {
            returns[e] = gamma * returns[e] + rewards[e];
        }
        if (!frozen) {
            moments.update(returns);
        }
        for (int e = 0; e < returns.length; e++) {
            scaled[e] = scaled(rewards[e]);
        }
        begin(done);
    }

    /** Scales a reward without changing the statistics. */
    public double scaled(double reward) {
        return Math.max(-limit, Math.min(limit, reward / Math.sqrt(moments.variance(0) + epsilon)));
    }

    private void check(int rewards, int done, int scaled) {
        ReturnArguments.length("reward normaliser: rewards", rewards, returns.length, "one for each environment");
        ReturnArguments.length("reward normaliser: done", done, returns.length, "one for each environment");
        ReturnArguments.length("reward normaliser: scaled", scaled, returns.length, "one for each environment");
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
