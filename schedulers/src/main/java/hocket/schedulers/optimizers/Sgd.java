package hocket.schedulers.optimizers;

import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.settings.Setting;
import java.util.List;

/**
 * Stochastic gradient descent, as PyTorch's {@code torch.optim.SGD}. With gradient g, weight w, rate r:
 *
 * <pre>
 * g ← g + weightDecay · w
 * b ← momentum · b + (1 − dampening) · g        (the first update: b ← g)
 * w ← w − r · b                                 (nesterov: w − r · (g + momentum · b); without momentum: w − r · g)
 * </pre>
 *
 * @param rate the learning rate
 * @param momentum share of the buffer b that is kept, in (-1, 1); with 0 there is no buffer; below 0 it dampens the
 *     rotation of games (Gidel et al. 2019, Negative Momentum for Improved Game Dynamics)
 * @param dampening share of the gradient kept out of the buffer, in [0, 1]; 0 without momentum
 * @param nesterov whether to look ahead along the buffer; needs momentum and no dampening
 * @param weightDecay factor of the weight that is added to its gradient, at least 0
 */
public record Sgd(
        @Setting(help = "learning rate") Rate rate,

        @Setting(
                usually = "0",
                least = -0.9999999999,
                most = 0.9999999999,
                help = "share of the last step that is kept")
        double momentum,

        @Setting(usually = "0", least = 0, most = 1, help = "dampening of the gradient in the momentum")
        double dampening,

        @Setting(usually = "false", help = "Nesterov's momentum")
        boolean nesterov,

        @Setting(usually = "0", least = 0, help = "weight decay")
        double weightDecay)
        implements GradientTransformation, SgdCopies {
    /** @throws IllegalArgumentException if a setting is out of its range, naming the setting and its range */
    public Sgd {
        SgdCopies.check(momentum, dampening, weightDecay);
        if (dampening > 0 && momentum == 0) {
            throw new IllegalArgumentException("dampening: needs a momentum, was " + dampening + " with none");
        }
        if (nesterov && (momentum == 0 || dampening > 0)) {
            throw new IllegalArgumentException("nesterov: needs a momentum and no dampening, had momentum " + momentum
                    + " and dampening " + dampening);
        }
    }

    @Override
    public List<Slot> slots() {
        return momentum == 0 ? List.of() : List.of(Slot.of("momentum"));
    }

    @Override
    public void update(Chunk chunk) {
        double[] u = chunk.update();
        double[] w = chunk.weight();
        double rate = chunk.rate();
        for (int i = 0; i < chunk.length(); i++) {
            u[i] += weightDecay * w[i];
        }
        if (momentum != 0) {
            double[] b = chunk.slot(0);
            double fresh = chunk.count() == 1 ? 1 : 1 - dampening;
            for (int i = 0; i < chunk.length(); i++) {
                b[i] = momentum * b[i] + fresh * u[i];
                u[i] = nesterov ? u[i] + momentum * b[i] : b[i];
            }
        }
        for (int i = 0; i < chunk.length(); i++) {
            u[i] *= rate;
        }
    }
}
