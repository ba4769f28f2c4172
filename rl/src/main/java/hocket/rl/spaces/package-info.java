/** Spaces of observations and actions, as {@code gymnasium.spaces}: their points are floats in flat arrays. */
@NullMarked
package hocket.rl.spaces;

import org.jspecify.annotations.NullMarked;
