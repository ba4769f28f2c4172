/**
 * What is usually around training, as rings: samples, validation, scores, the best, checkpoints, records, and stopping when
 * asked. What is told to a person, and how, is the business of whoever listens to their events.
 */
@NullMarked
package hocket.schedulers.rings;

import org.jspecify.annotations.NullMarked;
