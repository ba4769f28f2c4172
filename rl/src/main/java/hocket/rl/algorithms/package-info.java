/**
 * Published algorithms, each one file that reads like its paper: settings, networks, losses, turns, plan. And what such
 * files share, for algorithms of one's own as well: {@link hocket.rl.algorithms.EnvironmentSettings},
 * {@link hocket.rl.algorithms.Budgets}, {@link hocket.rl.algorithms.AlgorithmSettings}.
 */
@CheckedCopies(AlgorithmSettings.class)
@NullMarked
package hocket.rl.algorithms;

import hocket.schedulers.CheckedCopies;
import org.jspecify.annotations.NullMarked;
