package hocket.rl.replay;

import hocket.scopes.Snapshot;

/**
 * A policy as its learner had it at a moment.
 *
 * @param version how many updates it had made
 * @param parameters all that the policy's programs read
 */
public record PolicyCopy(long version, Snapshot parameters) {}
