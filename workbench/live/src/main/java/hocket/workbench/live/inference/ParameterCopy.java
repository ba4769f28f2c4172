package hocket.workbench.live.inference;

import hocket.scopes.Snapshot;

/**
 * A copy of a run's parameters at a moment.
 *
 * @param step turns taken before
 * @param nanos duration of the copy, during which training stood still
 */
public record ParameterCopy(long step, Snapshot snapshot, long nanos) {}
