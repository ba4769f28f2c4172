/**
 * Answers from a model that goes on being trained: rows in, rows out, on a thread of its own, from a copy of the parameters
 * that is exchanged between two batches.
 */
@NullMarked
package hocket.workbench.inference;

import org.jspecify.annotations.NullMarked;
