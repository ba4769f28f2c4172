package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * DRAGAN (Kodali et al. 2017): {@code weight · mean (‖∇D(x)‖ - 1)²} around the real rows, {@code x = real + α/2·σ·noise}
 * with σ the standard deviation of all numbers of the batch, α uniform in [0, 1) for each row (noise {@code dragan/alpha})
 * and the noise {@code dragan/noise} uniform in [0, 1).
 *
 * @param weight usually 10, at least 0
 */
public record Dragan(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight) implements GradientPenalty, DraganCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public Dragan {
        DraganCopies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        Value norms = InputGradients.norms(pass, InputGradients.perturbed("dragan", pass.real()));
        return scale(mean(square(shift(norms, -1))), weight);
    }
}
