/**
 * How an agent acts: networks of observations, actions drawn from what they give, and turns of Java that step environments
 * with them.
 */
@NullMarked
package hocket.rl.actors;

import org.jspecify.annotations.NullMarked;
