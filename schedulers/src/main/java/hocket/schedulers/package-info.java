/**
 * What changes, and when: turns, plans and schedules as data; the scheduler that runs them over the one store, with
 * optimizers that own part of it; sources, budgets, triggers and events; experiments and what they save. Nothing here
 * knows a loss or a network by name.
 */
@NullMarked
package hocket.schedulers;

import org.jspecify.annotations.NullMarked;
