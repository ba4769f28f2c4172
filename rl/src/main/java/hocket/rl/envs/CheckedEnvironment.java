package hocket.rl.envs;

import hocket.rl.envs.games.Seat;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.UserClassException;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A wrapper that checks an environment while it is used, and throws at the first mistake: an observation that is
 * outside its space, not finite or not wholly written, a reward that is not finite as a float, or any exception of the
 * environment. The message names the environment, the episode and the step. The cost is one check of each number.
 */
public final class CheckedEnvironment extends ForwardingEnvironment {
    private final String who;
    private final Supplier<String> place = this::where;
    private final Space space;
    private final float[] seen;
    private final float[] mask;
    private long episode;
    private long step;

    public CheckedEnvironment(Environment inner) {
        this(inner, NonNull.by(inner, "name()", inner.name()));
    }

    private CheckedEnvironment(Environment inner, String who) {
        super(inner);
        this.who = who;
        space = NonNull.by(inner, "observations()", inner.observations());
        NonNull.by(inner, "actions()", inner.actions());
        seen = new float[space.width()];
        mask = new float[inner.masks() ? inner.actions().maskWidth() : 0];
    }

    /** Wraps an environment in this check, unless it and all its wrappers are Hocket's own. */
    public static Environment unlessBuiltIn(Environment environment) {
        return isBuiltIn(layer(environment)) ? environment : new CheckedEnvironment(environment);
    }

    /** Wraps one of several environments, whose index the messages name. */
    public static Environment unlessBuiltIn(Environment environment, int index) {
        return isBuiltIn(layer(environment))
                ? environment
                : new CheckedEnvironment(
                        environment, NonNull.by(environment, "name()", environment.name()) + ", environment " + index);
    }

    /** Returns whether an environment has code that is not Hocket's own, a wrapper or a game too, which may fail. */
    public static boolean mayFail(Environment environment) {
        Environment layer = layer(environment);
        return layer instanceof CheckedEnvironment
                || !isBuiltIn(layer)
                || (layer instanceof Seat seat && seat.mayFail());
    }

    /** Returns the outermost layer that is checked, or not a wrapper of Hocket's own. */
    private static Environment layer(Environment environment) {
        Environment layer = environment;
        while (isBuiltIn(layer)
                && layer instanceof ForwardingEnvironment around
                && !(layer instanceof CheckedEnvironment)) {
            layer = around.inner();
        }
        return layer;
    }

    private static boolean isBuiltIn(Environment layer) {
        return EnvironmentChecks.isBuiltIn(layer.getClass());
    }

    /** @throws IllegalStateException if the first observation is wrong */
    @Override
    public void reset(Pcg64 random) {
        begin(() -> super.reset(random));
    }

    /** @throws IllegalStateException if the first observation is wrong */
    @Override
    public void reset() {
        begin(() -> super.reset());
    }

    private void begin(Runnable reset) {
        episode++;
        step = 0;
        try {
            reset.run();
        } catch (Throwable e) {
            throw placed(e);
        }
        check();
    }

    /** Wraps an exception thrown outside of resets and steps. */
    private RuntimeException placed(String in, Throwable e) {
        UserCodeFailure.rethrowIfFatal(e);
        return new UserClassException(where() + ", in " + in + ": " + EnvironmentChecks.what(type(), e), e);
    }

    private RuntimeException placed(Throwable e) {
        return EnvironmentChecks.placed(where(), type(), e);
    }

    private Class<?> type() {
        return unwrapped().getClass();
    }

    /** @throws IllegalStateException also if the observation or reward is wrong */
    @Override
    public void step(float[] action, int at) {
        step++;
        try {
            super.step(action, at);
        } catch (MissingOutcomeException e) {
            throw new MissingOutcomeException(where());
        } catch (Throwable e) {
            RuntimeException placed = placed(e);
            step--; // it was not taken
            throw placed;
        }
        check();
        EnvironmentChecks.requireReward(place, reward());
    }

    private void check() {
        Arrays.fill(seen, EnvironmentChecks.unwritten());
        try {
            inner().observe(seen, 0);
        } catch (Throwable e) {
            throw placed(e);
        }
        EnvironmentChecks.requireObservation(place, unwrapped(), space, seen);
        if (mask.length > 0 && !terminated() && !truncated()) {
            Arrays.fill(mask, EnvironmentChecks.unwritten());
            mask(mask, 0);
            EnvironmentChecks.requireMask(place, actions(), mask);
        }
    }

    @Override
    public void prepare(float[] action, int at) {
        try {
            super.prepare(action, at);
        } catch (Throwable e) {
            throw placed("prepare", e);
        }
    }

    @Override
    public double reward() {
        try {
            return super.reward();
        } catch (Throwable e) {
            throw placed("reward", e);
        }
    }

    @Override
    public boolean terminated() {
        try {
            return super.terminated();
        } catch (Throwable e) {
            throw placed("terminated", e);
        }
    }

    @Override
    public boolean truncated() {
        try {
            return super.truncated();
        } catch (Throwable e) {
            throw placed("truncated", e);
        }
    }

    /** @throws IllegalStateException if its class throws */
    @Override
    public void mask(float[] into, int at) {
        try {
            super.mask(into, at);
        } catch (Throwable e) {
            throw placed("mask", e);
        }
    }

    private String where() {
        return where(episode, step);
    }

    private String where(long ofEpisode, long atStep) {
        return who + ", episode " + ofEpisode + ", step " + atStep;
    }

    /** @throws IllegalStateException if its class throws */
    @Override
    public void observe(float[] into, int at) {
        try {
            super.observe(into, at);
        } catch (Throwable e) {
            throw placed("observe", e);
        }
    }

    /** @throws IllegalStateException if its class throws */
    @Override
    public String text() {
        try {
            return super.text();
        } catch (Throwable e) {
            throw placed("text", e);
        }
    }

    /** @throws IllegalStateException if its class throws */
    @Override
    public void draw(Graphics2D graphics, int width, int height) {
        try {
            super.draw(graphics, width, height);
        } catch (Throwable e) {
            throw placed("draw", e);
        }
    }

    /** @throws IllegalStateException if its class throws */
    @Override
    public State save() {
        try {
            return super.save().with("episode", episode).with("step", step);
        } catch (Throwable e) {
            throw placed("save", e);
        }
    }

    /** @throws IllegalArgumentException also if its class throws, naming the episode and step of the saved state */
    @Override
    public void restore(State state) {
        long savedEpisode = state.whole("episode");
        long savedStep = state.whole("step");
        try {
            super.restore(state);
        } catch (Throwable e) {
            throw UserCodeFailure.restoring(where(savedEpisode, savedStep), unwrapped(), e);
        }
        episode = savedEpisode;
        step = savedStep;
    }
}
