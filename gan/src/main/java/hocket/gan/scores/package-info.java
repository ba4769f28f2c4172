/**
 * What a set of samples is worth, as numbers: the {@link hocket.gan.scores.FrechetDistance} between two sets and the
 * {@link hocket.gan.scores.ClassScores} that a classifier gives. Pure functions of arrays: which samples, which features
 * and which classifier is the caller's business, and nothing here trains or reads a file.
 */
@NullMarked
package hocket.gan.scores;

import org.jspecify.annotations.NullMarked;
