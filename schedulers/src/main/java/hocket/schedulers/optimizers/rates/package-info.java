/**
 * Learning rates as functions of where training is.
 */
@NullMarked
package hocket.schedulers.optimizers.rates;

import org.jspecify.annotations.NullMarked;
