/** How the workbench's files are written: experiment files as YAML, metrics and figures as JSON, an object a line. */
@NullMarked
package hocket.workbench.json;

import org.jspecify.annotations.NullMarked;
