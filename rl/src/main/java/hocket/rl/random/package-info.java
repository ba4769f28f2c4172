/**
 * NumPy's random number generators, bit for bit, so that a seed starts an episode as it does in Gymnasium. Everything
 * else in Hocket draws from {@link hocket.scopes.Streams}.
 */
@NullMarked
package hocket.rl.random;

import org.jspecify.annotations.NullMarked;
