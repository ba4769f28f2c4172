/**
 * Environments with several agents, and those who play in them. {@link hocket.rl.envs.games.Seat} makes an ordinary
 * environment of one agent's part, so every algorithm can learn a game.
 */
@NullMarked
package hocket.rl.envs.games;

import org.jspecify.annotations.NullMarked;
