/** Which rows of a replay buffer are drawn: samplers, by class in a file. */
@NullMarked
package hocket.rl.sampling;

import org.jspecify.annotations.NullMarked;
