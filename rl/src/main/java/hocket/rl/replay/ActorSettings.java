package hocket.rl.replay;

import hocket.programs.Program;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;

/**
 * The settings of an actor's trajectories: its policy, the log-probabilities of its actions and the length.
 *
 * @param policy that acts
 * @param behaviour an EVAL program of {@code observation}, {@code action} and perhaps {@code mask}, over the policy's parameters, that gives
 *     the log-probability of each row's action, in nats
 * @param steps the length of a trajectory in each environment, at least 1
 */
public record ActorSettings(Policy policy, Program behaviour, int steps) {
    /** Returns these settings with renamed parameters: those under {@code from} are read under {@code to}. */
    public ActorSettings reading(String from, String to) {
        return new ActorSettings(
                new Policy(policy.program().reading(from, to), policy.selection(), policy.transform()),
                behaviour.reading(from, to),
                steps);
    }

    /** Makes trajectories in these environments. */
    public Unroll unroll(TrainingEnvironments environments) {
        return new Unroll(environments, policy, steps);
    }
}
