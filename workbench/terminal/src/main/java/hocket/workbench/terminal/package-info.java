/** Terminal output: lines, tables, numbers and error messages. */
@NullMarked
package hocket.workbench.terminal;

import org.jspecify.annotations.NullMarked;
