package hocket.rl.losses;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.greater;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.schedulers.settings.Limits;
import hocket.scopes.Shape;
import java.util.stream.IntStream;

/**
 * The quantile Huber loss of QR-DQN (Dabney et al. 2018, equations 8 to 10). Of n quantiles θ_i at τ_i and m targets
 * t_j, the loss is {@code Σ_i mean_j |τ_i - 1(t_j < θ_i)|·h(t_j - θ_i)}, with h Huber's function.
 *
 * @param kappa where Huber's function becomes linear; at 0 it is the absolute error in either convention
 * @param scaling of Huber's function
 * @param over how the losses of the quantiles are combined
 */
public record QuantileHuber(double kappa, Scaling scaling, QuantileReduction over) {
    /** The scale of Huber's function. */
    public enum Scaling {
        /** {@code e²/2} to kappa, {@code kappa·(|e| - kappa/2)} beyond: the QR-DQN paper, RLax, sb3-contrib. */
        PLAIN,
        /**
         * Divided by kappa, so the slope beyond is 1 for every kappa (Dabney et al. 2018b, implicit quantile networks).
         */
        DIVIDED_BY_KAPPA
    }

    /** The reduction of the losses of the quantiles. */
    public enum QuantileReduction {
        /** The sum of the losses: the papers, RLax, sb3-contrib's {@code sum_over_quantiles=True}. */
        SUM,
        /** The mean of the losses: the default of sb3-contrib's function. */
        MEAN
    }

    /** @throws IllegalArgumentException if kappa is negative or not finite */
    public QuantileHuber {
        Limits.notNegative("quantile Huber: kappa", kappa);
    }

    /** The loss of QR-DQN: kappa 1, plain, summed. */
    public QuantileHuber() {
        this(1, Scaling.PLAIN, QuantileReduction.SUM);
    }

    /** The middles {@code (2i + 1)/(2n)} of n equal parts of [0, 1], (n) (there, lemma 2). */
    public static Value midpoints(Graph graph, int n) {
        if (n < 1) {
            throw new IllegalArgumentException("quantiles: must be at least 1, were " + n);
        }
        double[] tau = IntStream.range(0, n)
                .mapToDouble(i -> (2.0 * i + 1) / (2.0 * n))
                .toArray();
        return CategoricalAtoms.constant(graph, Shape.of(n), tau);
    }

    /**
     * Computes the loss of each row.
     *
     * @param quantiles θ (n)
     * @param tau (n) in [0, 1], the same for every row or each row's own
     * @param target t (m); no gradient flows into it
     * @return ()
     * @throws IllegalArgumentException if the shapes do not fit
     */
    public Value perRow(Value quantiles, Value tau, Value target) {
        LossArguments.alike("quantile Huber", "tau", tau, "the quantiles", quantiles);
        if (quantiles.shape().rank() != 1 || target.shape().rank() != 1) {
            throw new IllegalArgumentException(
                    "quantile Huber: needs quantiles (n) and targets (m), got " + quantiles + " and " + target);
        }
        int n = quantiles.shape().get(0);
        int m = target.shape().get(0);
        Value error = subtract(reshape(stopGradient(target), 1, m), reshape(quantiles, n, 1));
        Value above = greater(error.graph().constant(0), error);
        Value weight = abs(subtract(reshape(stopGradient(tau), n, 1), above));
        Value each = mean(multiply(weight, corner(error)), 1);
        return over == QuantileReduction.SUM ? sum(each, 0) : mean(each, 0);
    }

    private Value corner(Value error) {
        if (kappa == 0) {
            return abs(error);
        }
        Value huber = RegressionLoss.huber(error, kappa);
        return scaling == Scaling.PLAIN ? huber : scale(huber, 1 / kappa);
    }
}
