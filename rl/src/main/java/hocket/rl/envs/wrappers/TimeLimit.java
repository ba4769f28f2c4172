package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.schedulers.state.State;
import java.util.OptionalInt;

/**
 * A wrapper that truncates episodes after a number of steps: Gymnasium's {@code TimeLimit}. The last step may also
 * terminate.
 */
public final class TimeLimit extends ForwardingEnvironment {
    private final int limit;
    private int elapsed;

    /** @throws IllegalArgumentException if the limit is below 1 */
    public TimeLimit(Environment inner, int limit) {
        super(inner);
        if (limit < 1) {
            throw new IllegalArgumentException(inner.name() + ": the limit of steps must be at least 1, was " + limit);
        }
        this.limit = limit;
    }

    /** The maximum number of steps of an episode. */
    public int limit() {
        return limit;
    }

    @Override
    public OptionalInt maxEpisodeSteps() {
        return OptionalInt.of(Math.min(limit, super.maxEpisodeSteps().orElse(limit)));
    }

    @Override
    protected void afterReset() {
        elapsed = 0;
    }

    @Override
    public void prepare(float[] action, int at) {
        if (elapsed < limit) {
            super.prepare(action, at);
        }
    }

    @Override
    public void step(float[] action, int at) {
        if (elapsed >= limit) {
            throw new IllegalStateException(
                    name() + ": the episode was truncated after " + limit + " steps: a step must follow a reset");
        }
        super.step(action, at);
        elapsed++;
    }

    @Override
    public boolean truncated() {
        return elapsed >= limit || super.truncated();
    }

    @Override
    public State save() {
        return super.save().with("elapsed", elapsed);
    }

    @Override
    public void restore(State state) {
        int saved = Math.toIntExact(state.whole("elapsed"));
        super.restore(state);
        elapsed = saved;
    }
}
