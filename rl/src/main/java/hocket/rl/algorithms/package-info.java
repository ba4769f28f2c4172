/**
 * Published algorithms, each one file that reads like its paper: settings, networks, losses, turns, plan. It also holds
 * what these share, for user-written algorithms as well: {@link hocket.rl.algorithms.EnvironmentSettings}, {@link
 * hocket.rl.algorithms.Budgets}, {@link hocket.rl.algorithms.AlgorithmSettings}.
 */
@CheckedCopies(AlgorithmSettings.class)
@NullMarked
package hocket.rl.algorithms;

import hocket.schedulers.settings.CheckedCopies;
import org.jspecify.annotations.NullMarked;
