/** Generators, discriminators and the classifier that scores are computed with, as functions on a graph. */
@NullMarked
package hocket.gan.networks;

import org.jspecify.annotations.NullMarked;
