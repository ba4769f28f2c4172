/** What a person sees: lines, tables, figures, and refusals. */
@NullMarked
package hocket.workbench.terminal;

import org.jspecify.annotations.NullMarked;
