/**
 * Conditions by which something is done, or a part of a plan taken: by count, at a list, by what figures do, and put
 * together from others. What they remember is saved with the run. Clocks are not here: they save and log, never steer.
 */
@NullMarked
package hocket.schedulers.triggers;

import org.jspecify.annotations.NullMarked;
