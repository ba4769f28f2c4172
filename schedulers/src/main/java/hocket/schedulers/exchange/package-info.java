/**
 * What workers of one run do together, between computing gradients and applying updates: each computes a share of a turn's
 * rows, and all go on with the same gradients, figures and statistics. Workers are replicas in this process, processes, or
 * processes of several replicas; an {@link hocket.schedulers.exchange.Exchange} is what processes tell each other by. Nothing
 * here knows how bytes travel.
 */
@NullMarked
package hocket.schedulers.exchange;

import org.jspecify.annotations.NullMarked;
