package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * An environment that an agent acts in, one step at a time: {@code reset}, then {@code step} until the episode has
 * {@link #terminated} or is {@link #truncated}, then {@code reset} again.
 *
 * <p>Observations and actions are passed in flat arrays of floats, so a step allocates nothing; a whole number is the
 * float of that value. The saved state holds everything, the generator included: a restored environment continues bit
 * for bit, in the middle of an episode as at its start. {@link EpisodicEnvironment} does the bookkeeping for
 * environments of your own, and {@code EnvironmentChecker} checks that they keep these promises.
 */
public interface Environment extends Stateful {
    /** The name, such as {@code CartPole-v1}. */
    String name();

    /** The space of observations. */
    Space observations();

    /** The space of actions. */
    Space actions();

    /**
     * Starts an episode.
     *
     * @param random the generator for this reset and the steps after it; owned by the environment from here on
     */
    void reset(Pcg64 random);

    /**
     * Starts the next episode with the generator of the last reset.
     *
     * @throws IllegalStateException if no reset has given one
     */
    void reset();

    /**
     * Announces the action of the next step, which an environment of another process may begin to take; does nothing by default.
     * Another step may follow all the same.
     *
     * @param action an array that holds the action, as for {@link #step}
     * @param at the index of the first
     */
    default void prepare(float[] action, int at) {}

    /**
     * Takes one step.
     *
     * @param action an array that holds the action, {@code actions().width()} floats
     * @param at the index of the first
     * @throws IllegalArgumentException if the action is outside the action space
     * @throws IllegalStateException if no episode is under way
     */
    void step(float[] action, int at);

    /**
     * Writes the current observation.
     *
     * @param into the array that takes {@code observations().width()} floats
     * @param at the index of the first
     */
    void observe(float[] into, int at);

    /** The reward of the last step; 0 after a reset. */
    double reward();

    /** Returns whether the last step terminated the episode by the environment's own rules. */
    boolean terminated();

    /**
     * Returns whether the last step truncated the episode, as by a time limit; the last observation still has a value.
     */
    default boolean truncated() {
        return false;
    }

    /** Returns whether {@link #mask} forbids actions at times, of a discrete or multi-discrete space; false by default. */
    default boolean masks() {
        return false;
    }

    /**
     * Writes which actions the next step may take: 1 for each that is allowed, else 0; of several choices, those of one after
     * the other. At least one of each choice is allowed until the episode ends. All are, by default.
     *
     * @param into the array that takes {@code actions().maskWidth()} floats
     * @param at the index of the first
     */
    default void mask(float[] into, int at) {
        Arrays.fill(into, at, at + actions().maskWidth(), 1);
    }

    /** The maximum number of steps of an episode, where it is known. */
    default OptionalInt maxEpisodeSteps() {
        return OptionalInt.empty();
    }

    /** A readable description of the current state, one line or several. */
    default String text() {
        float[] seen = new float[observations().width()];
        observe(seen, 0);
        return observations().text(seen, 0);
    }

    /** Draws the current state over a whole picture; by default its {@link #text}. */
    default void draw(Graphics2D graphics, int width, int height) {
        Canvas.write(graphics, width, height, text());
    }

    /**
     * Releases what the environment holds, such as a process, a file or a window; does nothing by default. Called when training,
     * an evaluation or a film has ended, or when only its spaces were needed; nothing else is called afterwards.
     */
    default void close() {}

    /** The innermost environment, without its wrappers. */
    default Environment unwrapped() {
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the state is not of this environment; then nothing has changed
     */
    @Override
    void restore(State state);
}
