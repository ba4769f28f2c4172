/**
 * Dynamics of games: directions that players descend in place of their own gradient, so that together they neither
 * cycle nor diverge. A {@link hocket.schedulers.games.Game} makes turns of turns; whose turn it is, a plan says or a
 * schedule, of which {@link hocket.schedulers.games.RestWinner} is one for two sides.
 */
@NullMarked
package hocket.schedulers.games;

import org.jspecify.annotations.NullMarked;
