/**
 * Scores of generated samples. {@link hocket.gan.scores.FrechetDistance}, {@link hocket.gan.scores.ClassScores} and
 * {@link hocket.gan.scores.ModeCoverage} are pure functions of arrays; {@link hocket.gan.scores.ImageScores} and {@link
 * hocket.gan.scores.RingScores}, which experiment files name, draw the samples and combine the functions. Nothing here
 * changes the evaluated parameters or reads a file.
 */
@NullMarked
package hocket.gan.scores;

import org.jspecify.annotations.NullMarked;
