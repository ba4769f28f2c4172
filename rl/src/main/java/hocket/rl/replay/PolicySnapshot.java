package hocket.rl.replay;

import hocket.scopes.Snapshot;

/**
 * A learner's policy at a point of training.
 *
 * @param version the number of updates the learner had made
 * @param parameters all parameters that the policy's programs read
 */
public record PolicySnapshot(long version, Snapshot parameters) {}
