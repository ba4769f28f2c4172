/** Learning rates as functions of training progress. */
@NullMarked
package hocket.schedulers.optimizers.rates;

import org.jspecify.annotations.NullMarked;
