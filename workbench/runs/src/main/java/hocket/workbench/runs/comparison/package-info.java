/**
 * Comparison of runs: digests, settings and metrics.
 */
@NullMarked
package hocket.workbench.runs.comparison;

import org.jspecify.annotations.NullMarked;
