/** Statistics of several scores of one kind, those of seeds or of episodes. Knows nothing of runs. */
@NullMarked
package hocket.schedulers.stats;

import org.jspecify.annotations.NullMarked;
