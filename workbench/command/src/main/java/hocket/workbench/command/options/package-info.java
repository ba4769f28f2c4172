/** Options that several commands share. */
@NullMarked
package hocket.workbench.command.options;

import org.jspecify.annotations.NullMarked;
