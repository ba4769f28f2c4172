/**
 * Computations over rollouts in flat arrays: returns, advantages, running statistics. Nothing here trains or allocates:
 * results are written into given arrays. Rollouts are float32; sums are float64.
 *
 * <p>Arrays hold a number for each step of each environment, in a {@link hocket.rl.returns.RolloutLayout}. Index t
 * holds everything of step t: the reward for the action at t, the value of the observation before it ({@code values})
 * and after it ({@code nextValues}), and whether the episode ended with it. (Flags of Stable-Baselines3, {@code
 * episode_starts}, and of CleanRL, {@code dones}, at t are those of step t - 1 here.) A discount for each step is
 * gamma, or 0 where the episode ended: {@link hocket.rl.returns.Truncation#fold} computes them from flags.
 */
@NullMarked
package hocket.rl.returns;

import org.jspecify.annotations.NullMarked;
