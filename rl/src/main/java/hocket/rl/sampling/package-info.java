/** Samplers choose the rows of a replay buffer that are drawn, by class in a file. */
@NullMarked
package hocket.rl.sampling;

import org.jspecify.annotations.NullMarked;
