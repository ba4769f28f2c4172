/**
 * Statistics of several scores of one kind, those of seeds or of episodes, and aggregates of the scores of several tasks. Knows
 * nothing of runs.
 */
@NullMarked
package hocket.schedulers.stats;

import org.jspecify.annotations.NullMarked;
