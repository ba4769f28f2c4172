/** Run folders on the disk, and experiments that were selected to run. */
@NullMarked
package hocket.workbench.runs;

import org.jspecify.annotations.NullMarked;
