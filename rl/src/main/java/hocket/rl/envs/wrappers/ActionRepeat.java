package hocket.rl.envs.wrappers;

import hocket.rl.envs.AllowedActions;
import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.schedulers.state.State;
import java.util.OptionalInt;

/**
 * A wrapper that repeats each action several times, or until the episode ends or forbids it, and sums the rewards.
 */
public final class ActionRepeat extends ForwardingEnvironment {
    private final int times;
    private double reward;

    /** @throws IllegalArgumentException if times is below 1 */
    public ActionRepeat(Environment inner, int times) {
        super(inner);
        if (times < 1) {
            throw new IllegalArgumentException(inner.name() + ": an action must be done at least once, was " + times);
        }
        this.times = times;
    }

    @Override
    protected void afterReset() {
        reward = 0;
    }

    @Override
    public void step(float[] action, int at) {
        double sum = 0;
        for (int i = 0; i < times && (i == 0 || mayRepeat(action, at)); i++) {
            super.step(action, at);
            sum += super.reward();
        }
        reward = sum;
    }

    private boolean mayRepeat(float[] action, int at) {
        return !terminated() && !truncated() && AllowedActions.isAllowed(inner(), action, at);
    }

    @Override
    public double reward() {
        return reward;
    }

    /**
     * The maximum number of steps of this wrapper, each of several steps of the wrapped environment: with masks perhaps of one,
     * as an action is not repeated where it is forbidden.
     */
    @Override
    public OptionalInt maxEpisodeSteps() {
        OptionalInt inside = super.maxEpisodeSteps();
        return inside.isEmpty() || masks() ? inside : OptionalInt.of((inside.getAsInt() - 1) / times + 1);
    }

    @Override
    public State save() {
        return super.save().with("reward", reward);
    }

    @Override
    public void restore(State state) {
        double saved = state.real("reward");
        super.restore(state);
        reward = saved;
    }
}
