/**
 * The one place that names the engine, Apache MXNet: how it is loaded, the C functions called, arrays in its memory,
 * programs written as its symbols and bound to such arrays. The meaning of programs is defined elsewhere.
 *
 * <p>Everything runs on the caller's thread (the engine is told to be synchronous), so when a method returns, its
 * result is there. An array or an executor is used by one thread at a time.
 */
@NullMarked
package hocket.programs.mxnet;

import org.jspecify.annotations.NullMarked;
