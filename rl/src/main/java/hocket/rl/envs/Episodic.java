package hocket.rl.envs;

import hocket.schedulers.Given;
import hocket.schedulers.State;
import org.jspecify.annotations.Nullable;

/**
 * An environment's bookkeeping: the generator, the last reward, whether an episode is under way. What extends it says
 * how an episode begins, what an action does and what of that has to be saved.
 */
public abstract class Episodic implements Environment {
    private enum Phase {
        NEW,
        RUNNING,
        TERMINATED
    }

    private final String name;
    private final Space observations;
    private final Space actions;
    private final int finite;
    private @Nullable Pcg64 random;
    private Phase phase = Phase.NEW;
    private double reward;
    private boolean outcomeSaid;

    /**
     * @param actions a {@link Box} is only required to be finite, as in Gymnasium, whose environments clip what is
     *     beyond; any other space must hold the action
     */
    protected Episodic(String name, Space observations, Space actions) {
        this.name = name;
        this.observations = observations;
        this.actions = actions;
        finite = actions instanceof Box ? actions.width() : 0;
    }

    /** Begins an episode, drawing from {@link #random}. */
    protected abstract void begin();

    /** Does an action, and says by {@link #outcome} what it came to; an action without an outcome is refused. */
    protected abstract void act(float[] action, int at);

    /** What the world depends on, but for the generator. */
    protected abstract State saveWorld();

    /**
     * Goes back to what {@link #saveWorld} gave.
     *
     * @throws IllegalArgumentException if it is another kind of state; then nothing has changed
     */
    protected abstract void restoreWorld(State state);

    /** What a step came to. */
    protected final void outcome(double reward, boolean terminated) {
        this.reward = reward;
        outcomeSaid = true;
        phase = terminated ? Phase.TERMINATED : Phase.RUNNING;
    }

    /** The generator of this environment. */
    protected final Pcg64 random() {
        if (random == null) {
            throw new IllegalStateException(name + ": it has no generator yet: the first reset must give one");
        }
        return random;
    }

    @Override
    public final void reset(Pcg64 random) {
        this.random = random;
        reset();
    }

    @Override
    public final void reset() {
        random();
        reward = 0;
        phase = Phase.RUNNING;
        begin();
    }

    @Override
    public final void step(float[] action, int at) {
        if (phase != Phase.RUNNING) {
            throw new IllegalStateException(name + ": "
                    + (phase == Phase.NEW ? "no episode has begun" : "the episode has terminated")
                    + ": a step must follow a reset");
        }
        if (finite == 0 ? !actions.contains(action, at) : !isFinite(action, at)) {
            throw new IllegalArgumentException(name + ": an action must be " + (finite == 0 ? "of " : "finite, about ")
                    + actions + ", was " + shown(action, at));
        }
        outcomeSaid = false;
        act(action, at);
        if (!outcomeSaid) {
            throw new MissingOutcome(name);
        }
    }

    private boolean isFinite(float[] action, int at) {
        for (int i = 0; i < finite; i++) {
            if (!Float.isFinite(action[at + i])) {
                return false;
            }
        }
        return true;
    }

    private String shown(float[] action, int at) {
        return Points.text(actions, action, at);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Space observations() {
        return observations;
    }

    @Override
    public final Space actions() {
        return actions;
    }

    @Override
    public final double reward() {
        return reward;
    }

    @Override
    public final boolean terminated() {
        return phase == Phase.TERMINATED;
    }

    /** @throws IllegalStateException if {@link #saveWorld} gives null */
    @Override
    public final State save() {
        State state = State.empty()
                .with("environment", name)
                .with("phase", phase.name())
                .with("reward", reward)
                .with("world", Given.by(this, "saveWorld()", saveWorld()));
        return random == null ? state : state.with("random", random.save());
    }

    @Override
    public final void restore(State state) {
        if (!state.text("environment").equals(name)) {
            throw new IllegalArgumentException(
                    name + ": the saved state is of another environment, " + state.text("environment"));
        }
        Pcg64 savedRandom = state.has("random") ? Pcg64.of(state.state("random")) : null;
        Phase savedPhase = Phase.valueOf(state.text("phase"));
        double savedReward = state.real("reward");
        restoreWorld(state.state("world"));
        random = savedRandom;
        phase = savedPhase;
        reward = savedReward;
    }

    /** The name. */
    @Override
    public String toString() {
        return name;
    }
}
