/** Tests of MinAtar's games, most of them by recordings of the Python package. */
@NullMarked
package hocket.rl.envs.minatar;

import org.jspecify.annotations.NullMarked;
