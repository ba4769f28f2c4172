/** Environments against Gymnasium's, generators against NumPy's. */
@NullMarked
package hocket.rl.envs;

import org.jspecify.annotations.NullMarked;
