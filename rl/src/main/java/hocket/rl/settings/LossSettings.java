package hocket.rl.settings;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;

import hocket.programs.Loss;
import hocket.programs.Value;
import hocket.rl.losses.PolicyGradient;
import hocket.rl.losses.ValueLoss;
import hocket.rl.networks.ActorCritic;
import hocket.schedulers.settings.Setting;

/** The shares of an actor-critic's losses. */
public record LossSettings(
        @Setting(usually = "0.5", least = 0, most = 1e9, help = "share of the value loss")
        double valueCoefficient,

        @Setting(usually = "0", least = 0, most = 1e9, help = "share of the entropy bonus")
        double entropyCoefficient)
        implements LossSettingsCopies {

    /**
     * Returns {@code policy + value_coefficient·value - entropy_coefficient·mean entropy}, with the three as metrics.
     *
     * @param ofPolicy one number
     * @param ofValue one number
     * @param entropy of the policy in each row, in nats
     */
    public Loss loss(Value ofPolicy, Value ofValue, Value entropy) {
        Value ofEntropy = PolicyGradient.entropyLoss(entropy);
        Value both = add(ofPolicy, scale(ofValue, valueCoefficient));
        return Loss.of(entropyCoefficient == 0 ? both : add(both, scale(ofEntropy, entropyCoefficient)))
                .metric("policy_loss", ofPolicy)
                .metric("value_loss", ofValue)
                .metric("entropy", scale(ofEntropy, -1));
    }

    /** Returns the loss of an advantage actor-critic, of its inputs {@code advantage} and {@code return}. */
    public Loss policyGradient(ActorCritic agent) {
        Value ofPolicy = PolicyGradient.loss(agent.logProbability(), agent.input("advantage"));
        Value ofValue = ValueLoss.STABLE_BASELINES3.loss(agent.value(), agent.input("return"));
        return loss(ofPolicy, ofValue, agent.entropy());
    }
}
