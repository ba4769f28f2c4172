/**
 * The compilation and execution of programs: lowerings, executables, threads, costs, and arrays that several processes
 * share.
 */
@NullMarked
package hocket.programs.execution;

import org.jspecify.annotations.NullMarked;
