package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;

/**
 * The quantiles of the return at {@code (2i + 1)/(2n)} (Dabney et al. 2018, QR-DQN), which the {@link QuantileHuber} loss
 * learns.
 */
@Keyed.Name("quantile")
public record QuantileReturn(
        @Setting(usually = "200", least = 1, most = 10000, help = "number of quantiles")
        int quantiles,

        @Setting(
                usually = "1",
                least = 0,
                most = 1e6,
                help = "where Huber's function becomes linear; 0 for absolute errors")
        double kappa)
        implements ReturnDistribution, QuantileReturnCopies {
    public QuantileReturn {
        QuantileReturnCopies.check(quantiles, kappa);
    }

    /** Returns the default settings, those of the paper. */
    public static QuantileReturn usual() {
        return QuantileReturnCopies.usual();
    }

    @Override
    public int size() {
        return quantiles;
    }

    @Override
    public Value expectation(Value outputs) {
        return mean(outputs, outputs.shape().rank() - 1);
    }

    @Override
    public Value target(Value reward, Value discount, Value next) {
        LossArguments.oneNumber("quantile target", "the reward", reward);
        LossArguments.oneNumber("quantile target", "the discount", discount);
        return stopGradient(add(reshape(reward, 1), multiply(reshape(discount, 1), next)));
    }

    @Override
    public Value loss(Value outputs, Value target) {
        Value tau = QuantileHuber.midpoints(outputs.graph(), quantiles);
        return new QuantileHuber(kappa, QuantileHuber.Scaling.PLAIN, QuantileHuber.QuantileReduction.SUM)
                .perRow(outputs, tau, target);
    }
}
