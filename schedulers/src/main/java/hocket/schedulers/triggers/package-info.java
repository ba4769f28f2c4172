/**
 * Conditions for actions and parts of plans: by count, at a list, by metrics, and combinations of others. Their memory
 * is saved with the run. Triggers by a clock are not here, since they may save and log, but never steer.
 */
@NullMarked
package hocket.schedulers.triggers;

import org.jspecify.annotations.NullMarked;
