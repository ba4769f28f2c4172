/**
 * Actors in processes of their own: what a learner and its actors say to each other by TCP, the learner's end and the actor's,
 * and the processes that a learner starts and replaces. What an actor does, and what is learnt from it, stands in
 * {@code hocket.rl.replay}.
 */
@NullMarked
package hocket.distributed.actors;

import org.jspecify.annotations.NullMarked;
