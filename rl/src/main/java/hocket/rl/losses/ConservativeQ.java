package hocket.rl.losses;

import static hocket.programs.Operators.logSumExp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;

/**
 * Conservative Q-learning (Kumar et al. 2020): critics are low for actions that the data does not have. A term is added to their
 * loss, {@code weight·conservative}.
 */
public final class ConservativeQ {
    private ConservativeQ() {}

    /**
     * {@code mean(log Σ_b exp q(b) - q(a))}: CQL(H) (there, equation 4) where actions are discrete.
     *
     * @param q (…, n), the values of all actions
     * @param action (…) of the data, INT64
     * @return one number
     */
    public static Value ofActions(Value q, Value action) {
        LossArguments.vector("conservative Q", "values of actions", q);
        return mean(subtract(logSumExp(q, q.shape().rank() - 1), pick(q, action)));
    }

    /**
     * {@code temperature·mean(log Σ_k exp(q_k/temperature)) - mean(q)}, as {@code min_q_version 3} of the authors' code where {@code
     * q_k} has its log-probability subtracted.
     *
     * @param q () of the data's action
     * @param others (k), values of sampled actions less the logarithms of their probabilities
     * @return one number
     */
    public static Value ofSamples(Value q, Value others, double temperature) {
        LossArguments.vector("conservative Q", "values of sampled actions", others);
        Value largest =
                scale(logSumExp(scale(others, 1 / temperature), others.shape().rank() - 1), temperature);
        return subtract(mean(largest), mean(q));
    }
}
