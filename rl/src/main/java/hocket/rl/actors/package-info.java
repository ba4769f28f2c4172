/**
 * Policies and critics: networks of observations, the selection of actions from their outputs, experts, exploration and
 * the evaluation of policies by whole episodes.
 */
@NullMarked
package hocket.rl.actors;

import org.jspecify.annotations.NullMarked;
