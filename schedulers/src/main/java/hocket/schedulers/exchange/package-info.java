/**
 * The exchange between workers of a run, after computing gradients and before applying updates: each computes a share
 * of a turn's rows, and all continue with the same gradients, metrics and statistics. Workers are replicas in this
 * process, processes, or processes of several replicas; processes communicate by an {@link
 * hocket.schedulers.exchange.Exchange}. Transport is not part of this package.
 */
@NullMarked
package hocket.schedulers.exchange;

import org.jspecify.annotations.NullMarked;
