/**
 * The networks of agents: encoders of observations, memories, dense layers, and the policies and critics that are made of
 * them.
 */
@NullMarked
package hocket.rl.networks;

import org.jspecify.annotations.NullMarked;
