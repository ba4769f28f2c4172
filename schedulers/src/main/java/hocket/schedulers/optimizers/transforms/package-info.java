/**
 * Gradient transformations that are not optimizers by themselves, such as clipping, weight decay and lookahead.
 */
@NullMarked
package hocket.schedulers.optimizers.transforms;

import org.jspecify.annotations.NullMarked;
