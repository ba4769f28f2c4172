package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.rl.envs.ForwardingEnvironment;
import hocket.rl.envs.StateArrays;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import java.util.Arrays;

/**
 * A wrapper that observes the last few observations, the newest last: Gymnasium's {@code FrameStackObservation}. After
 * a reset all of them are the first one.
 */
public final class FrameStack extends ForwardingEnvironment {
    private final Box observations;
    private final int width;
    private final float[] frames;

    /** @throws IllegalArgumentException if observations are not of a box, or the frames fewer than 1 */
    public FrameStack(Environment inner, int count) {
        super(inner);
        Box box = BoxSpaces.require(inner, inner.observations(), "stacked observations");
        if (count < 1) {
            throw new IllegalArgumentException(
                    inner.name() + ": the frames of a stack must be at least 1, were " + count);
        }
        width = box.width();
        frames = new float[Limits.elements(inner.name() + ": stacked observations", count, width)];
        observations = box.arranged(box.shape().prepend(count), i -> i % width);
    }

    @Override
    public Space observations() {
        return observations;
    }

    @Override
    protected void afterReset() {
        Arrays.fill(frames, Float.NaN); // marks elements that are not written
        for (int at = 0; at < frames.length; at += width) {
            inner().observe(frames, at);
        }
    }

    @Override
    public void step(float[] action, int at) {
        super.step(action, at);
        System.arraycopy(frames, width, frames, 0, frames.length - width);
        Arrays.fill(frames, frames.length - width, frames.length, Float.NaN);
        inner().observe(frames, frames.length - width);
    }

    @Override
    public void observe(float[] into, int at) {
        System.arraycopy(frames, 0, into, at, frames.length);
    }

    @Override
    public State save() {
        return super.save().with("frames", StateArrays.tensor(frames));
    }

    @Override
    public void restore(State state) {
        float[] saved = StateArrays.floats(state, "frames", frames.length);
        super.restore(state);
        System.arraycopy(saved, 0, frames, 0, frames.length);
    }
}
