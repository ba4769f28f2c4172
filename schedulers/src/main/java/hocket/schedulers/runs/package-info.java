/** The runner and the rings around it: takes turns, emits events, saves, and averages across processes. */
@NullMarked
package hocket.schedulers.runs;

import org.jspecify.annotations.NullMarked;
