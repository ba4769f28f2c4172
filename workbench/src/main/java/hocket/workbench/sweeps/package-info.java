/**
 * Sweeps: one experiment by many settings. What a sweep file says, which trials come of it, how they are run side by side, and
 * what they have come to. A trial is one choice of settings; it has a run for each seed.
 */
@NullMarked
package hocket.workbench.sweeps;

import org.jspecify.annotations.NullMarked;
