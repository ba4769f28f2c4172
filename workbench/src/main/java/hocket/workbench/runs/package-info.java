/** Runs on disk, and what was chosen to be run. */
@NullMarked
package hocket.workbench.runs;

import org.jspecify.annotations.NullMarked;
