/** The GAN experiments that can be run by name. */
@NullMarked
package hocket.gan.experiments;

import org.jspecify.annotations.NullMarked;
