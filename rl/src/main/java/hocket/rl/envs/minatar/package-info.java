/** The five games of MinAtar, small versions of Atari's on a board of 10×10 cells, step by step as in its Python package. */
@NullMarked
package hocket.rl.envs.minatar;

import org.jspecify.annotations.NullMarked;
