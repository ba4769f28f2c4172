/**
 * Environments of Python's Gymnasium, stepped in processes of Python. An environment is saved as the seed and the actions of
 * its present episode, and restored by playing them again.
 *
 * <pre>{@code
 * Supplier<Environment> hopper = new GymnasiumEnvironments("Hopper-v5");
 * Setup setup = Ppo.usual("gym:Hopper-v5").setup(hopper);
 * }</pre>
 */
@NullMarked
package hocket.rl.envs.gymnasium;

import org.jspecify.annotations.NullMarked;
