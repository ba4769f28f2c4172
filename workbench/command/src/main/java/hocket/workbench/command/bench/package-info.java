/** What Hocket costs on this machine: workloads by name, measured through the public interfaces, best of several rounds. */
@NullMarked
package hocket.workbench.command.bench;

import org.jspecify.annotations.NullMarked;
