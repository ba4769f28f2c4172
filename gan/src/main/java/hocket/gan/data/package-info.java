/**
 * Image data for generative training, in memory: sets of images in -1..1 ({@link hocket.gan.data.Images}), read from
 * IDX files, from folders of PNG and JPEG files or from the digits in the jar, and written as picture grids. Every reader
 * checks a file before it allocates for it, and refuses a malformed one whole, with a
 * {@link hocket.gan.data.DataException} that names the file, the rule and both values. Records such as {@link
 * hocket.gan.data.Optdigits} are what experiment files name as sources; cursors and shuffling do not live here (see
 * {@code hocket.schedulers}), nor does anything that trains.
 */
@NullMarked
package hocket.gan.data;

import org.jspecify.annotations.NullMarked;
