/**
 * One run of several processes, on one machine or several: roles, joining, loss of processes, and exchanges between
 * gradients and updates. Gradients are exchanged by the engine's key-value store; a connection to the scheduler carries the
 * status of processes.
 */
@NullMarked
package hocket.distributed.cluster;

import org.jspecify.annotations.NullMarked;
