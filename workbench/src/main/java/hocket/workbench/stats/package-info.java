/** What runs of several seeds have in common: figures over figures. Knows nothing of runs. */
@NullMarked
package hocket.workbench.stats;

import org.jspecify.annotations.NullMarked;
