/**
 * Turns, plans and schedules as data; the scheduler that runs them over the store, with optimizers that each own a part
 * of it; sources, budgets, triggers and events; experiments and their saved states. Nothing here knows a loss or a
 * network by name.
 */
@NullMarked
package hocket.schedulers;

import org.jspecify.annotations.NullMarked;
