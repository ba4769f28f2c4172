package hocket.rl.envs.tabular;

/**
 * One possible result of an action in a state of a {@link TransitionTable}.
 *
 * @param probability of this result
 * @param next the next state
 * @param reward of the transition
 * @param terminated whether the episode ends
 */
public record TransitionOutcome(double probability, int next, double reward, boolean terminated) {}
