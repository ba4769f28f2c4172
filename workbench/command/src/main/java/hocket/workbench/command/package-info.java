/** The {@code hocket} command: its commands, one class each. */
@NullMarked
package hocket.workbench.command;

import org.jspecify.annotations.NullMarked;
