/** The commands, one class each. */
@NullMarked
package hocket.workbench.commands;

import org.jspecify.annotations.NullMarked;
