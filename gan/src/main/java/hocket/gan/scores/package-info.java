/**
 * What a set of samples is worth, as numbers. {@link hocket.gan.scores.FrechetDistance}, {@link
 * hocket.gan.scores.ClassScores} and {@link hocket.gan.scores.ModeCoverage} are pure functions of arrays; {@link
 * hocket.gan.scores.ImageScores} and {@link hocket.gan.scores.RingScores}, which experiment files name, draw the samples
 * and put them together. Nothing here changes the parameters that it judges, or reads a file.
 */
@NullMarked
package hocket.gan.scores;

import org.jspecify.annotations.NullMarked;
