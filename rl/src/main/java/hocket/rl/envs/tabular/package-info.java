/** Environments with few states or no dynamics: Gymnasium's toy text environments, and a bandit. */
@NullMarked
package hocket.rl.envs.tabular;

import org.jspecify.annotations.NullMarked;
