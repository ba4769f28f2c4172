/** Published algorithms, each one file that reads like its paper: settings, networks, losses, turns, plan. */
@NullMarked
package hocket.rl.algorithms;

import org.jspecify.annotations.NullMarked;
