/**
 * The lowering to Apache MXNet, and the only package that names this engine: loading its library, calling its C
 * functions, allocating arrays in its memory, and translating programs into its symbols.
 *
 * <p>Everything runs on the caller's thread, because the engine is set to be synchronous: when a method returns, its
 * result is complete. One thread at a time uses an array or an executor.
 */
@NullMarked
package hocket.programs.mxnet;

import org.jspecify.annotations.NullMarked;
