/**
 * The networks of StyleGAN2 (Karras et al. 2020), whose layers have an equalised learning rate. Networks of usual layers are in
 * {@code hocket.gan.networks}.
 */
@NullMarked
package hocket.gan.networks.stylegan;

import org.jspecify.annotations.NullMarked;
