package hocket.rl.replay;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.returns.AdvantageEstimator;
import hocket.schedulers.turns.Inheriting;
import hocket.schedulers.turns.RetryableAction;

/** A turn of Java that steps environments by a policy and keeps the steps in a table. */
public interface TableCollector extends RetryableAction, Inheriting, AutoCloseable {
    /**
     * Returns a {@link Rollout} by an agent, or a {@link RecurrentRollout} if the agent has a memory.
     *
     * @param environments with {@link hocket.rl.envs.Autoreset#SAME_STEP}
     * @param steps the number of steps in each environment, at least 1
     * @param estimate the advantage estimator
     */
    static TableCollector of(
            TrainingEnvironments environments, ActorCritic agent, int steps, AdvantageEstimator estimate) {
        return agent.acting().stateShape().isPresent()
                ? new RecurrentRollout(environments, agent.evaluator(), steps, estimate)
                : new Rollout(environments, agent, steps, estimate);
    }

    /** Returns the rows of the last collection. */
    Table table();

    /** Closes the environments. */
    @Override
    void close();
}
