/** What an agent has seen, as sources of rows to train on: rollouts that are used once, trajectories of others, and replay. */
@NullMarked
package hocket.rl.replay;

import org.jspecify.annotations.NullMarked;
