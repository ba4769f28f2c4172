/** What discriminator and generator descend: pure functions of logits, each with its equation and source. */
@NullMarked
package hocket.gan.losses;

import org.jspecify.annotations.NullMarked;
