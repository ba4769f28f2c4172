package hocket.rl.envs;

import hocket.schedulers.State;
import java.util.OptionalInt;

/** Does each action several times in a row, or until the episode ends; the reward is the sum of those of these steps. */
public final class ActionRepeat extends ForwardingEnvironment {
    private final int times;
    private double reward;

    /** @throws IllegalArgumentException if an action is done less than once */
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
        for (int i = 0; i < times && (i == 0 || !(terminated() || truncated())); i++) {
            super.step(action, at);
            sum += super.reward();
        }
        reward = sum;
    }

    @Override
    public double reward() {
        return reward;
    }

    /** In steps of its own, each of several of the environment's. */
    @Override
    public OptionalInt longest() {
        OptionalInt inside = super.longest();
        return inside.isEmpty() ? inside : OptionalInt.of((inside.getAsInt() - 1) / times + 1);
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
