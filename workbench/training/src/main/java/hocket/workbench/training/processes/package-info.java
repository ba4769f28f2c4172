/**
 * Runs in processes of their own: detached ones, which a server starts, and children of this process, which train in
 * parallel. Each process runs a command of this program with the same Java and classes.
 */
@NullMarked
package hocket.workbench.training.processes;

import org.jspecify.annotations.NullMarked;
