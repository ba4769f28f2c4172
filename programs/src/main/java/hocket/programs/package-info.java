/**
 * Computations: a graph of values built by operators and layers, callable networks, programs compiled from the graph
 * over the one store, and sessions that run them. {@link hocket.programs.execution.Lowering} hides engines; nothing
 * here names one, and nothing here changes a parameter by itself.
 */
@NullMarked
package hocket.programs;

import org.jspecify.annotations.NullMarked;
