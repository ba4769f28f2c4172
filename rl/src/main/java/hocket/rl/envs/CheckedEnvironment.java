package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.UserClassException;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.State;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;

/**
 * A wrapper that checks an environment while it is used, and throws at the first mistake: an observation that is
 * outside its space, not finite or not wholly written, a reward that is not finite as a float, or any exception of the
 * environment. The message names the environment, the episode and the step. The cost is one check of each number.
 */
public final class CheckedEnvironment extends ForwardingEnvironment {
    private static final String HOUSE = Environment.class.getPackageName() + ".";

    /** The bits of a NaN that no computation yields. */
    private static final int UNWRITTEN = 0x7fc0dead;

    private final String who;
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
        return isAllBuiltIn(environment) ? environment : new CheckedEnvironment(environment);
    }

    /** Wraps one of several environments, whose index the messages name. */
    public static Environment unlessBuiltIn(Environment environment, int index) {
        return isAllBuiltIn(environment)
                ? environment
                : new CheckedEnvironment(
                        environment, NonNull.by(environment, "name()", environment.name()) + ", environment " + index);
    }

    /** The value that marks elements that an environment has not written. */
    static float unwritten() {
        return Float.intBitsToFloat(UNWRITTEN);
    }

    /** Returns whether a number is that mark. */
    static boolean isUnwritten(float number) {
        return Float.floatToRawIntBits(number) == UNWRITTEN;
    }

    static boolean isAllBuiltIn(Environment environment) {
        Environment layer = environment;
        while (isBuiltIn(layer) && layer instanceof ForwardingEnvironment around) {
            if (layer instanceof CheckedEnvironment) {
                return true; // what is inside is looked at already
            }
            layer = around.inner();
        }
        return isBuiltIn(layer);
    }

    private static boolean isBuiltIn(Environment layer) {
        String room = layer.getClass().getPackageName() + ".";
        return room.startsWith(HOUSE) && !room.startsWith(HOUSE + "gymnasium."); // those are of anyone
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
        return new UserClassException(where() + ", in " + in + ": " + what(e), e);
    }

    /**
     * Wraps an exception of the environment's class with the place; Hocket's own refusals, such as of an action, stay
     * as they are.
     */
    private RuntimeException placed(Throwable e) {
        UserCodeFailure.rethrowIfFatal(e);
        return isRefused(e) && e instanceof IllegalArgumentException refusal
                ? refusal
                : new UserClassException(where() + ": " + what(e), e);
    }

    private String what(Throwable e) {
        return isRefused(e)
                ? String.valueOf(e.getMessage())
                : UserCodeFailure.by(unwrapped().getClass().getName(), e);
    }

    private static boolean isRefused(Throwable e) {
        boolean isMessage = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
        return isMessage
                && e.getStackTrace().length > 0
                && e.getStackTrace()[0].getClassName().startsWith(Environment.class.getPackageName() + ".");
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
        if (!Double.isFinite(reward())) {
            throw new IllegalStateException(where() + ": the reward must be finite, was " + reward());
        }
        if (!Float.isFinite((float) reward())) {
            throw new IllegalStateException(
                    where() + ": the reward must be a float, within ±" + Float.MAX_VALUE + ", was " + reward());
        }
    }

    private void check() {
        Arrays.fill(seen, unwritten());
        try {
            inner().observe(seen, 0);
        } catch (Throwable e) {
            throw placed(e);
        }
        for (int i = 0; i < seen.length; i++) {
            if (isUnwritten(seen[i])) {
                throw new IllegalStateException(where() + ": observe must write all " + seen.length
                        + " numbers of an observation each time, left number " + i + " as it was");
            }
            if (!Float.isFinite(seen[i])) {
                throw new IllegalStateException(
                        where() + ": an observation must be finite, was " + space.text(seen, 0));
            }
        }
        if (!space.contains(seen, 0)) {
            throw new IllegalStateException(
                    where() + ": an observation must be of " + space + ", was " + space.text(seen, 0));
        }
        if (mask.length > 0 && !terminated() && !truncated()) {
            checkMask();
        }
    }

    private void checkMask() {
        Arrays.fill(mask, unwritten());
        mask(mask, 0);
        List<Integer> counts = actions() instanceof MultiDiscrete several ? several.counts() : List.of(mask.length);
        int at = 0;
        for (int count : counts) {
            int allowed = 0;
            for (int i = 0; i < count; i++) {
                float number = mask[at + i];
                if (number != 0 && number != 1) {
                    throw new IllegalStateException(where()
                            + ": mask must write 1 for each action that is allowed, else 0,"
                            + (isUnwritten(number) ? " left number " : " wrote " + number + " as number ") + (at + i)
                            + (isUnwritten(number) ? " as it was" : ""));
                }
                allowed += (int) number;
            }
            if (allowed == 0) {
                throw new IllegalStateException(where() + ": a mask must allow at least one action of each choice, was "
                        + Arrays.toString(mask));
            }
            at += count;
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
