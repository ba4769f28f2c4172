/** What several scores of one kind have in common, those of seeds or of episodes: figures over figures. Knows nothing of runs. */
@NullMarked
package hocket.schedulers.stats;

import org.jspecify.annotations.NullMarked;
