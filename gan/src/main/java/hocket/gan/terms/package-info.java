/**
 * Terms that are added to the loss of a discriminator or a generator: penalties of the discriminator's gradient and
 * consistency under augmentation. Each is a record that reads a pass, under a key of its own in files.
 */
@NullMarked
package hocket.gan.terms;

import org.jspecify.annotations.NullMarked;
