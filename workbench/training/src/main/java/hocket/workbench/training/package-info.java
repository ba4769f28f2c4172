/** The loop's surroundings: run requests, rings around whole runs, stop requests, observers. */
@NullMarked
package hocket.workbench.training;

import org.jspecify.annotations.NullMarked;
