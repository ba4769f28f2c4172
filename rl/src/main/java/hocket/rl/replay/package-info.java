/**
 * The data that an agent learns from, as sources of rows: rollouts that are used once, trajectories of actors, replay
 * buffers and demonstrations.
 */
@NullMarked
package hocket.rl.replay;

import org.jspecify.annotations.NullMarked;
