/**
 * How programs are compiled and run: lowerings, executables, threads, costs, and arrays that several processes share.
 */
@NullMarked
package hocket.programs.execution;

import org.jspecify.annotations.NullMarked;
