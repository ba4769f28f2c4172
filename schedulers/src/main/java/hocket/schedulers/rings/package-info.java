/**
 * The built-in rings: samples, validation, scores, the best, checkpoints, records, and stopping on request. Listeners
 * of their events show them to people.
 */
@NullMarked
package hocket.schedulers.rings;

import org.jspecify.annotations.NullMarked;
