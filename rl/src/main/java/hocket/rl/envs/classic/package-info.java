/** Environments of classic control, as in Gymnasium: pendulums, a cart with a pole, and cars on a hill. */
@NullMarked
package hocket.rl.envs.classic;

import org.jspecify.annotations.NullMarked;
