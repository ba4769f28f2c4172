/**
 * Reports of a run to a person while it trains and when it ends: progress, samples, scores and advice.
 */
@NullMarked
package hocket.workbench.training.reports;

import org.jspecify.annotations.NullMarked;
