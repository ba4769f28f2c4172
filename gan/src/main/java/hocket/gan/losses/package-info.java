/**
 * Losses of discriminators and generators, alone and with terms: pure functions of logits, each with its equation and source.
 */
@NullMarked
package hocket.gan.losses;

import org.jspecify.annotations.NullMarked;
