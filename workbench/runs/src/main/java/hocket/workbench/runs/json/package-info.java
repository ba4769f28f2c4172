/** JSON of run folders: lines of metrics and of commands. */
@NullMarked
package hocket.workbench.runs.json;

import org.jspecify.annotations.NullMarked;
