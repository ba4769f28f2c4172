/**
 * Runs in processes of their own: those that outlive this one, which a server starts, and those that end with it, side by side,
 * each process one after the other. Each is the command of this program, by the same Java and classes.
 */
@NullMarked
package hocket.workbench.processes;

import org.jspecify.annotations.NullMarked;
