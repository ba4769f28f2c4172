/** Benchmarks of Hocket on this machine: workloads by name, run through the public API, the best of several rounds. */
@NullMarked
package hocket.workbench.command.bench;

import org.jspecify.annotations.NullMarked;
