package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.OptionalInt;

/** A wrapper around an environment that forwards every method; subclasses override some of them. */
public abstract class ForwardingEnvironment implements Environment {
    private final Environment inner;

    protected ForwardingEnvironment(Environment inner) {
        this.inner = inner;
    }

    /** The wrapped environment. */
    protected final Environment inner() {
        return inner;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Space observations() {
        return inner.observations();
    }

    @Override
    public Space actions() {
        return inner.actions();
    }

    /** Called after each reset of the wrapped environment; does nothing by default. */
    protected void afterReset() {}

    @Override
    public void reset(Pcg64 random) {
        inner.reset(random);
        afterReset();
    }

    @Override
    public void reset() {
        inner.reset();
        afterReset();
    }

    /** {@inheritDoc} A subclass that changes actions announces the changed one. */
    @Override
    public void prepare(float[] action, int at) {
        inner.prepare(action, at);
    }

    @Override
    public void step(float[] action, int at) {
        inner.step(action, at);
    }

    @Override
    public void observe(float[] into, int at) {
        inner.observe(into, at);
    }

    @Override
    public double reward() {
        return inner.reward();
    }

    @Override
    public boolean terminated() {
        return inner.terminated();
    }

    @Override
    public boolean truncated() {
        return inner.truncated();
    }

    @Override
    public boolean masks() {
        return inner.masks();
    }

    @Override
    public void mask(float[] into, int at) {
        inner.mask(into, at);
    }

    @Override
    public OptionalInt maxEpisodeSteps() {
        return inner.maxEpisodeSteps();
    }

    @Override
    public String text() {
        return inner.text();
    }

    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        inner.draw(graphics, width, height);
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public Environment unwrapped() {
        return inner.unwrapped();
    }

    /** Saves the wrapped environment's state as {@code inner}; subclasses add their own entries. */
    @Override
    public State save() {
        return State.empty().with("inner", NonNull.by(inner, "save()", inner.save()));
    }

    @Override
    public void restore(State state) {
        inner.restore(state.state("inner"));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(" + inner + ")";
    }
}
