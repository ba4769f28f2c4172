/**
 * Training in a line, for what needs no plan of its own: a model with its objectives, a trainer that descends them in turn, and
 * inference from what it saved. All of it is made of definitions, schedulers and rings, and gives them out.
 */
@NullMarked
package hocket.schedulers.trainer;

import org.jspecify.annotations.NullMarked;
