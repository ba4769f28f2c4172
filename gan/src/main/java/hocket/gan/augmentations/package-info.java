/**
 * Augmentations: transformations of rows that keep their shape and meaning, differentiable and drawn again in each pass, for
 * the rows that a discriminator sees and for consistency terms. Nothing here knows a discriminator.
 */
@NullMarked
package hocket.gan.augmentations;

import org.jspecify.annotations.NullMarked;
