/**
 * Scores of translations between two sets of rows, on pairs that no turn reads: {@link hocket.gan.scores.pairs.PairScores}. Scores
 * of rows from noise are in {@code hocket.gan.scores}.
 */
@NullMarked
package hocket.gan.scores.pairs;

import org.jspecify.annotations.NullMarked;
