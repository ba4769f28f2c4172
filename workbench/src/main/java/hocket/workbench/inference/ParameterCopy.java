package hocket.workbench.inference;

import hocket.scopes.Snapshot;

/**
 * The parameters of a run at a moment.
 *
 * @param step turns that had been taken
 * @param nanos how long it took to copy them, in which a run that trains stood still
 */
public record ParameterCopy(long step, Snapshot snapshot, long nanos) {}
