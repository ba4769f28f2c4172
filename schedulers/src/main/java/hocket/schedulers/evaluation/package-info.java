/**
 * How the result of an experiment is evaluated: scores, validation metrics and films.
 */
@NullMarked
package hocket.schedulers.evaluation;

import org.jspecify.annotations.NullMarked;
