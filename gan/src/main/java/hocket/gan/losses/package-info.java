/**
 * Losses of discriminators and generators, and penalties: pure functions of logits, each with its equation and source.
 */
@NullMarked
package hocket.gan.losses;

import org.jspecify.annotations.NullMarked;
