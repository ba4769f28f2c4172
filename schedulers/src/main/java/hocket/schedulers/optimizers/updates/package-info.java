/** Optimizers that are bound to arrays, with their slots, counts and settings. */
@NullMarked
package hocket.schedulers.optimizers.updates;

import org.jspecify.annotations.NullMarked;
