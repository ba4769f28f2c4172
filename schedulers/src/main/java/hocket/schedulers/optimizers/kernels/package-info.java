/**
 * The loops over native arrays that optimizers are made of, plain and vectorised.
 */
@NullMarked
package hocket.schedulers.optimizers.kernels;

import org.jspecify.annotations.NullMarked;
