/**
 * Sweeps: one experiment with many settings. The package reads sweep files, samples trials, runs them in parallel and
 * ranks their results. A trial is a choice of settings with a run for each seed.
 */
@NullMarked
package hocket.workbench.sweeps;

import org.jspecify.annotations.NullMarked;
