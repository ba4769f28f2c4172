/** Recorded steps, for agents that learn without acting. */
@NullMarked
package hocket.rl.offline;

import org.jspecify.annotations.NullMarked;
