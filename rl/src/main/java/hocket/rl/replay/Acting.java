package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.Policy;
import hocket.rl.actors.Worlds;

/**
 * How trajectories are made.
 *
 * @param policy that acts
 * @param behaviour an EVAL program of {@code observation} and {@code action}, over parameters of the policy, that gives the
 *     log-probability of each row's action, in nats
 * @param steps of a trajectory in each environment, at least 1
 */
public record Acting(Policy policy, Program behaviour, int steps) {
    /** The same by parameters of another name: those under {@code from} are read under {@code to}. */
    public Acting reading(String from, String to) {
        return new Acting(
                new Policy(policy.program().reading(from, to), policy.choice(), policy.fit()),
                behaviour.reading(from, to),
                steps);
    }

    /** What makes them in these worlds. */
    public Unroll unroll(Worlds worlds) {
        return new Unroll(worlds, policy, steps);
    }
}
