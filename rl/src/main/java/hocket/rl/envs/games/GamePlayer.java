package hocket.rl.envs.games;

import hocket.rl.random.Pcg64;

/** Someone who acts for an agent of a {@link MultiAgentEnvironment}. */
@FunctionalInterface
public interface GamePlayer {
    /**
     * Chooses an action that the environment allows.
     *
     * @param game in which the agent acts next; not changed after the call
     * @param agent the agent's number
     * @param action takes the action, of the agent's space
     */
    void choose(MultiAgentEnvironment game, int agent, Pcg64 random, float[] action);
}
