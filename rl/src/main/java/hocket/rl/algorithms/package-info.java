/**
 * Published algorithms, each one file that reads like its paper: settings, networks, losses, turns, plan. What they share,
 * for user-written algorithms as well, is in {@link hocket.rl.settings}.
 */
@CheckedCopies(AlgorithmSettings.class)
@NullMarked
package hocket.rl.algorithms;

import hocket.rl.settings.AlgorithmSettings;
import hocket.schedulers.settings.CheckedCopies;
import org.jspecify.annotations.NullMarked;
