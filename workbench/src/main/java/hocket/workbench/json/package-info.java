/** Writers and readers of the workbench's JSON files: an object a line, and documents. */
@NullMarked
package hocket.workbench.json;

import org.jspecify.annotations.NullMarked;
