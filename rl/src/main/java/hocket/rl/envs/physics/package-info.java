/**
 * Environments of rigid bodies, as in Gymnasium's {@code box2d}, on the library dyn4j. Their dynamics agree with Box2D's until
 * bodies touch, and in distribution afterwards.
 */
@NullMarked
package hocket.rl.envs.physics;

import org.jspecify.annotations.NullMarked;
