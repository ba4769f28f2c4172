/**
 * Wrappers of environments, as in Gymnasium: each changes the observations, actions, rewards or episodes of
 * another.
 */
@NullMarked
package hocket.rl.envs.wrappers;

import org.jspecify.annotations.NullMarked;
