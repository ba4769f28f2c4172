/**
 * Training in a line, without a plan: a model with its objectives, a trainer that descends them in turn, and inference
 * from the saved model. It consists of definitions, schedulers and rings, and exposes them.
 */
@NullMarked
package hocket.schedulers.trainer;

import org.jspecify.annotations.NullMarked;
