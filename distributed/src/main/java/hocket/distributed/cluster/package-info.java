/**
 * One run of several processes, of this machine or several: who takes which part, how they find each other, how each hears
 * that another is gone, and what workers tell each other between gradients and updates. Gradients go by MXNet's key-value
 * store; a line to the scheduler's process, which this package keeps, carries who is there and nothing of what is trained.
 */
@NullMarked
package hocket.distributed.cluster;

import org.jspecify.annotations.NullMarked;
