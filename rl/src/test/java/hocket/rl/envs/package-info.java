/** Tests of environments against Gymnasium's. */
@NullMarked
package hocket.rl.envs;

import org.jspecify.annotations.NullMarked;
