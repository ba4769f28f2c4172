package hocket.rl.envs;

import hocket.schedulers.State;

/**
 * Stops where an environment goes wrong while it is used: an observation outside its space or not finite, a reward that is
 * not finite. Costs one look at each number.
 */
public final class Checked extends ForwardingEnvironment {
    private final Space space;
    private final float[] seen;
    private long episode;
    private long step;

    public Checked(Environment inner) {
        super(inner);
        space = inner.observations();
        seen = new float[space.width()];
    }

    /** The environment, watched unless all of it, what is wrapped around it included, is Hocket's own. */
    public static Environment unlessBuiltIn(Environment environment) {
        Environment layer = environment;
        while (isBuiltIn(layer) && layer instanceof ForwardingEnvironment around) {
            layer = around.inner();
        }
        return isBuiltIn(layer) ? environment : new Checked(environment);
    }

    private static boolean isBuiltIn(Environment layer) {
        return layer.getClass().getPackageName().equals(Environment.class.getPackageName());
    }

    /** @throws IllegalStateException if what it begins with is wrong */
    @Override
    public void reset(Pcg64 random) {
        super.reset(random);
        begun();
    }

    /** @throws IllegalStateException if what it begins with is wrong */
    @Override
    public void reset() {
        super.reset();
        begun();
    }

    private void begun() {
        episode++;
        step = 0;
        check();
    }

    /** @throws IllegalStateException also if what comes of it is wrong */
    @Override
    public void step(float[] action, int at) {
        super.step(action, at);
        step++;
        check();
        if (!Double.isFinite(reward())) {
            throw new IllegalStateException(where() + "the reward must be finite, was " + reward());
        }
    }

    private void check() {
        inner().observe(seen, 0);
        for (float number : seen) {
            if (!Float.isFinite(number)) {
                throw new IllegalStateException(
                        where() + "an observation must be finite, was " + Points.text(space, seen, 0));
            }
        }
        if (!space.contains(seen, 0)) {
            throw new IllegalStateException(
                    where() + "an observation must be of " + space + ", was " + Points.text(space, seen, 0));
        }
    }

    private String where() {
        return name() + ", episode " + episode + ", step " + step + ": ";
    }

    @Override
    public State save() {
        return super.save().with("episode", episode).with("step", step);
    }

    @Override
    public void restore(State state) {
        long savedEpisode = state.whole("episode");
        long savedStep = state.whole("step");
        super.restore(state);
        episode = savedEpisode;
        step = savedStep;
    }
}
