package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softplus;

import hocket.programs.Value;

/**
 * The discriminator of adversarial imitation (Ho and Ermon 2016), by the logits of the probability D that a step is the
 * expert's.
 */
public final class AdversarialImitation {
    private AdversarialImitation() {}

    /**
     * Binary cross-entropy, {@code -mean log D(expert) - mean log(1 - D(agent))}: the expert's steps are true, the agent's
     * false.
     *
     * @param ofExpert logits of the expert's steps
     * @param ofAgent those of the agent's
     * @return one number
     */
    public static Value loss(Value ofExpert, Value ofAgent) {
        return add(mean(softplus(negate(ofExpert))), mean(softplus(ofAgent)));
    }

    /**
     * The agent's reward of a step, {@code -log(1 - D)}.
     *
     * @param ofAgent logits, of one number each
     * @return ()
     */
    public static Value reward(Value ofAgent) {
        return reshape(softplus(ofAgent));
    }

    /**
     * Returns the share of misclassified steps.
     *
     * @param ofExpert logits of the expert's steps
     * @param ofAgent those of the agent's
     * @return one number
     */
    public static Value errorRate(Value ofExpert, Value ofAgent) {
        Value zero = ofExpert.graph().constant(0);
        return scale(add(mean(greater(zero, ofExpert)), mean(greater(ofAgent, zero))), 0.5);
    }
}
