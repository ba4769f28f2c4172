/**
 * The parts that a GAN is composed of: generator, discriminator, condition, and the pass over both that losses and terms
 * read. A part is an interface of one method; implementations are in {@code networks}, or a user's own.
 */
@NullMarked
package hocket.gan.parts;

import org.jspecify.annotations.NullMarked;
