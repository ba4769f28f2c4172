/**
 * Actors in processes of their own: the TCP protocol between a learner and its actors, both sides of it, and the
 * processes that a learner starts and replaces. Acting and learning are in {@code hocket.rl.replay}.
 */
@NullMarked
package hocket.distributed.actors;

import org.jspecify.annotations.NullMarked;
