/**
 * Scores of generated samples. {@link hocket.gan.scores.FrechetDistance}, {@link hocket.gan.scores.PrecisionRecall},
 * {@link hocket.gan.scores.ModeCoverage} and others are pure functions of arrays, each with its paper; {@link hocket.gan.scores.ImageScores} and {@link
 * hocket.gan.scores.PointScores}, which experiment files name, draw the samples and combine the functions. Nothing here
 * changes the evaluated parameters or reads a file.
 */
@NullMarked
package hocket.gan.scores;

import org.jspecify.annotations.NullMarked;
