/**
 * Turns that are bound to a store: what they compute and update, who may write which parameters, and the audit that proves
 * it.
 */
@NullMarked
package hocket.schedulers.turns;

import org.jspecify.annotations.NullMarked;
