package hocket.rl.envs.games;

import hocket.rl.envs.Canvas;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.Stateful;
import java.awt.Graphics2D;
import java.util.Arrays;
import java.util.List;

/**
 * An environment in which several agents act, all in each step or some of them in turn, by the conventions of PettingZoo:
 * its {@code parallel_env} is one where all of them {@linkplain #acts act}, its {@code env} one where a single agent does.
 * Agents are numbered from 0 in the order of {@link #agents}.
 *
 * <p>It owns no generator: a reset and each step draw from the caller's, and the saved state holds all else.
 */
public interface MultiAgentEnvironment extends Stateful {
    /** The name, such as {@code TicTacToe-v0}. */
    String name();

    /** The names of all agents, PettingZoo's {@code possible_agents}. */
    List<String> agents();

    /** The space of an agent's observations. */
    Space observations(int agent);

    /** The space of an agent's actions. */
    Space actions(int agent);

    /** Starts an episode. */
    void reset(Pcg64 random);

    /** Returns whether an agent acts in the next step; in an unfinished episode at least one does. */
    boolean acts(int agent);

    /**
     * Takes one step.
     *
     * @param actions the action of each agent, of its space; of those that do not act, anything
     * @throws IllegalArgumentException if an action is outside its space or forbidden; nothing has changed then
     * @throws IllegalStateException if no episode is under way
     */
    void step(float[][] actions, Pcg64 random);

    /** Writes an agent's current observation, as {@link hocket.rl.envs.Environment#observe}. */
    void observe(int agent, float[] into, int at);

    /** The reward of the last step for an agent; 0 after a reset. */
    double reward(int agent);

    /** Returns whether the last step ended the episode and at least one agent terminated. */
    boolean terminated();

    /** Returns, at the end of an episode, whether it terminated for an agent rather than being truncated; by default as for all. */
    default boolean terminated(int agent) {
        return terminated();
    }

    /** Returns whether the last step truncated the episode, as by a time limit. */
    default boolean truncated() {
        return false;
    }

    /** Returns, at the end of an episode, whether it was truncated for an agent, though it may have terminated for others. */
    default boolean truncated(int agent) {
        return truncated() || (terminated() && !terminated(agent));
    }

    /** Returns whether {@link #mask} forbids actions at times; false by default. */
    default boolean masks() {
        return false;
    }

    /** Writes which actions an agent may take in the next step, as {@link hocket.rl.envs.Environment#mask}. */
    default void mask(int agent, float[] into, int at) {
        Arrays.fill(into, at, at + actions(agent).maskWidth(), 1);
    }

    /** A readable description of the current state, one line or several. */
    String text();

    /** Draws the current state over a whole picture; by default its {@link #text}. */
    default void draw(Graphics2D graphics, int width, int height) {
        Canvas.write(graphics, width, height, text());
    }

    /** Releases what the game holds, as {@link hocket.rl.envs.Environment#close}; does nothing by default. */
    default void close() {}
}
