package hocket.rl.envs;

import hocket.schedulers.Given;
import hocket.schedulers.OwnClassException;
import hocket.schedulers.State;
import hocket.schedulers.Thrown;
import java.awt.Graphics2D;
import java.util.Arrays;

/**
 * Stops where an environment goes wrong while it is used: an observation outside its space, not finite or not wholly
 * written, a reward that is not finite as the float that is trained on, anything that it throws. Says which environment, in
 * which episode and step. Costs one look at each number.
 */
public final class Checked extends ForwardingEnvironment {
    /** The bits of a NaN that no computation gives. */
    private static final int UNWRITTEN = 0x7fc0dead;

    private final String who;
    private final Space space;
    private final float[] seen;
    private long episode;
    private long step;

    public Checked(Environment inner) {
        this(inner, Given.by(inner, "name()", inner.name()));
    }

    private Checked(Environment inner, String who) {
        super(inner);
        this.who = who;
        space = Given.by(inner, "observations()", inner.observations());
        Given.by(inner, "actions()", inner.actions());
        seen = new float[space.width()];
    }

    /** The environment, watched unless all of it, what is wrapped around it included, is Hocket's own. */
    public static Environment unlessBuiltIn(Environment environment) {
        return isAllBuiltIn(environment) ? environment : new Checked(environment);
    }

    /** The same of one of several, whose number is named where it goes wrong. */
    public static Environment unlessBuiltIn(Environment environment, int index) {
        return isAllBuiltIn(environment)
                ? environment
                : new Checked(
                        environment, Given.by(environment, "name()", environment.name()) + ", environment " + index);
    }

    /** What an array holds before an environment observes into it. */
    static float unwritten() {
        return Float.intBitsToFloat(UNWRITTEN);
    }

    /** Whether that is still there. */
    static boolean isUnwritten(float number) {
        return Float.floatToRawIntBits(number) == UNWRITTEN;
    }

    static boolean isAllBuiltIn(Environment environment) {
        Environment layer = environment;
        while (isBuiltIn(layer) && layer instanceof ForwardingEnvironment around) {
            if (layer instanceof Checked) {
                return true; // what is inside is looked at already
            }
            layer = around.inner();
        }
        return isBuiltIn(layer);
    }

    private static boolean isBuiltIn(Environment layer) {
        return layer.getClass().getPackageName().equals(Environment.class.getPackageName());
    }

    /** @throws IllegalStateException if what it begins with is wrong */
    @Override
    public void reset(Pcg64 random) {
        begins();
        try {
            super.reset(random);
        } catch (Throwable e) {
            throw placed(e);
        }
        check();
    }

    /** @throws IllegalStateException if what it begins with is wrong */
    @Override
    public void reset() {
        begins();
        try {
            super.reset();
        } catch (Throwable e) {
            throw placed(e);
        }
        check();
    }

    private void begins() {
        episode++;
        step = 0;
    }

    /** The same of something beside resets and steps. */
    private RuntimeException placed(String in, Throwable e) {
        Thrown.rethrowIfFatal(e);
        return new OwnClassException(where() + ", in " + in + ": " + what(e), e);
    }

    /** What its class throws is said to be thrown there; what Hocket refuses, such as an action, stays what it is. */
    private RuntimeException placed(Throwable e) {
        Thrown.rethrowIfFatal(e);
        return isRefused(e) && e instanceof IllegalArgumentException refusal
                ? refusal
                : new OwnClassException(where() + ": " + what(e), e);
    }

    private String what(Throwable e) {
        return isRefused(e)
                ? String.valueOf(e.getMessage())
                : Thrown.by(unwrapped().getClass().getName(), e);
    }

    private static boolean isRefused(Throwable e) {
        boolean isMessage = e instanceof IllegalArgumentException || e instanceof IllegalStateException;
        return isMessage
                && e.getStackTrace().length > 0
                && e.getStackTrace()[0].getClassName().startsWith(Environment.class.getPackageName() + ".");
    }

    /** @throws IllegalStateException also if what comes of it is wrong */
    @Override
    public void step(float[] action, int at) {
        step++;
        try {
            super.step(action, at);
        } catch (MissingOutcome e) {
            throw new MissingOutcome(where());
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
                        where() + ": an observation must be finite, was " + Points.text(space, seen, 0));
            }
        }
        if (!space.contains(seen, 0)) {
            throw new IllegalStateException(
                    where() + ": an observation must be of " + space + ", was " + Points.text(space, seen, 0));
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

    /** @throws IllegalArgumentException also if its class throws, saying where what was saved stood */
    @Override
    public void restore(State state) {
        long savedEpisode = state.whole("episode");
        long savedStep = state.whole("step");
        try {
            super.restore(state);
        } catch (Throwable e) {
            throw Thrown.restoring(where(savedEpisode, savedStep), unwrapped(), e);
        }
        episode = savedEpisode;
        step = savedStep;
    }
}
