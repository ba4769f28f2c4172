package hocket.rl.envs;

import hocket.schedulers.State;
import hocket.schedulers.Stateful;
import java.awt.Graphics2D;
import java.util.OptionalInt;

/**
 * A world that is acted in, a step at a time: {@code reset}, then {@code step} until it has {@link #terminated} or is
 * {@link #truncated}, then {@code reset} again.
 *
 * <p>Observations and actions go by flat arrays of floats, so that nothing is allocated in a step; a whole number is the
 * float of that value. What is saved is everything, the generator included: an environment that is restored goes on to
 * the bit, in the middle of an episode as at its start. {@link Episodic} does the bookkeeping for one's own, and
 * {@code EnvironmentChecker} says whether it keeps to all this.
 */
public interface Environment extends Stateful {
    /** Its name, such as {@code CartPole-v1}. */
    String name();

    /** What may be observed. */
    Space observations();

    /** What may be done. */
    Space actions();

    /**
     * Begins an episode.
     *
     * @param random drawn from now and in the steps that follow; the environment's own from here on
     */
    void reset(Pcg64 random);

    /**
     * Begins the next episode with the generator that it has.
     *
     * @throws IllegalStateException if it never had one
     */
    void reset();

    /**
     * One step.
     *
     * @param action holds what is done, {@code actions().width()} floats
     * @param at the index of the first
     * @throws IllegalArgumentException if the action is not one
     * @throws IllegalStateException if no episode is under way
     */
    void step(float[] action, int at);

    /**
     * Writes what is observed now.
     *
     * @param into takes {@code observations().width()} floats
     * @param at the index of the first
     */
    void observe(float[] into, int at);

    /** The reward of the last step; 0 after a reset. */
    double reward();

    /** Whether the last step ended the episode by the world's own rules. */
    boolean terminated();

    /** Whether the last step ended the episode from outside, by a limit of time; what follows would still be worth something. */
    default boolean truncated() {
        return false;
    }

    /** The most steps that an episode can have, where that is known. */
    default OptionalInt longest() {
        return OptionalInt.empty();
    }

    /** What a person would want to read of how it stands, one line or several. */
    default String text() {
        float[] seen = new float[observations().width()];
        observe(seen, 0);
        return Points.text(observations(), seen, 0);
    }

    /** Paints how it stands over a whole picture; where a world does not say how, its {@link #text}. */
    default void draw(Graphics2D graphics, int width, int height) {
        Canvas.write(graphics, width, height, text());
    }

    /** The world itself, without what is wrapped around it. */
    default Environment unwrapped() {
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the state is not one of this environment; then nothing has changed
     */
    @Override
    void restore(State state);
}
