/**
 * GANs with an encoder: {@link hocket.gan.vae.VaeGan}, which is composed of the parts that {@code hocket.gan.networks} has. GANs
 * without one are there.
 */
@NullMarked
package hocket.gan.vae;

import org.jspecify.annotations.NullMarked;
