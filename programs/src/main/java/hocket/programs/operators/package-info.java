/**
 * The operators of a graph: shapes, derivatives and costs of each.
 */
@NullMarked
package hocket.programs.operators;

import org.jspecify.annotations.NullMarked;
