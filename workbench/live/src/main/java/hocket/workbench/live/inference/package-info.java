/**
 * Inference with a model that is still training: rows in, rows out, on a thread of its own, with a copy of the
 * parameters that is renewed between two batches.
 */
@NullMarked
package hocket.workbench.live.inference;

import org.jspecify.annotations.NullMarked;
