package hocket.rl.envs;

/**
 * What an action in a state of a small world may come to.
 *
 * @param probability how likely
 * @param next the state that follows
 * @param reward what it is worth
 * @param terminated whether the episode ends
 */
public record Outcome(double probability, int next, double reward, boolean terminated) {}
