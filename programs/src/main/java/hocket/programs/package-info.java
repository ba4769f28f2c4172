/**
 * What is computed: a graph of values built by operators and layers, networks that are called, programs compiled from
 * the graph over the one store, and sessions that run them. Engines stand behind {@link hocket.programs.execution.Lowering};
 * nothing here names one, and nothing here changes a parameter of its own accord.
 */
@NullMarked
package hocket.programs;

import org.jspecify.annotations.NullMarked;
