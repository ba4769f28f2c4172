package hocket.workbench.inference;

import hocket.scopes.Snapshot;

/**
 * The parameters of a run at a moment.
 *
 * @param step turns that had been taken
 * @param nanos how long the run was held up to copy them
 */
public record Weights(long step, Snapshot snapshot, long nanos) {}
