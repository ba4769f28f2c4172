/**
 * Images and points for generative training, in memory: sets of images in -1..1 ({@link hocket.gan.data.Images}), read from
 * IDX, CIFAR-10 and NumPy files, from folders of PNG and JPEG files or from the digits in the jar, and written as grids;
 * points of synthetic densities ({@link hocket.gan.data.SyntheticPoints}). Every
 * reader checks a file before it allocates for it, and refuses a malformed one as a whole, with a {@link
 * hocket.gan.data.DataException} that names the file, the rule and both values. Records such as {@link
 * hocket.gan.data.Optdigits} are the sources that experiment files name. Cursors and shuffling are in {@code
 * hocket.schedulers}; nothing here trains.
 */
@NullMarked
package hocket.gan.data;

import org.jspecify.annotations.NullMarked;
