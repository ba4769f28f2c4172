package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.State;
import org.jspecify.annotations.Nullable;

/**
 * A base class for environments, which keeps the generator, the last reward and the phase of the episode. A subclass
 * defines the start of an episode, the effect of an action and the saved state.
 */
public abstract class EpisodicEnvironment implements Environment {
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
     * @param actions the action space; an action of a {@link Box} only has to be finite, as in Gymnasium, whose
     *     environments clip it; any other space must contain the action
     */
    protected EpisodicEnvironment(String name, Space observations, Space actions) {
        this.name = name;
        this.observations = observations;
        this.actions = actions;
        finite = actions instanceof Box ? actions.width() : 0;
    }

    /** Called when a reset gives a generator, before {@link #begin}; does nothing by default. */
    protected void seeded() {}

    /** Begins an episode, drawing from {@link #random}. */
    protected abstract void begin();

    /** Takes an action and reports its result by {@link #outcome}; a step that does not call it fails. */
    protected abstract void act(float[] action, int at);

    /** Saves the subclass's own state, without the generator. */
    protected abstract State saveOwnState();

    /**
     * Restores the state that {@link #saveOwnState} returned.
     *
     * @throws IllegalArgumentException if it is another kind of state; then nothing has changed
     */
    protected abstract void restoreOwnState(State state);

    /** Reports the result of the current step. */
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
        seeded();
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
            throw new MissingOutcomeException(name);
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
        return actions.text(action, at);
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

    /** @throws IllegalStateException if {@link #saveOwnState} returns null */
    @Override
    public final State save() {
        State state = State.empty()
                .with("environment", name)
                .with("phase", phase.name())
                .with("reward", reward)
                .with("world", NonNull.by(this, "saveOwnState()", saveOwnState()));
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
        restoreOwnState(state.state("world"));
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
