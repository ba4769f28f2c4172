/** The evaluation of an experiment's result: scores, validation metrics and films. */
@NullMarked
package hocket.schedulers.evaluation;

import org.jspecify.annotations.NullMarked;
