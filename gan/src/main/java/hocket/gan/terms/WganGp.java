package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * WGAN-GP (Gulrajani et al. 2017, equation 3): {@code weight · mean (‖∇D(x)‖ - 1)²} at {@code x = ε·real + (1 - ε)·fake},
 * ε uniform in [0, 1) for each row: the noise {@code wgan_gp/epsilon}.
 *
 * @param weight usually 10, at least 0
 */
public record WganGp(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight) implements GradientPenalty, WganGpCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public WganGp {
        WganGpCopies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        Value norms = InputGradients.norms(pass, InputGradients.interpolated("wgan_gp", pass));
        return scale(mean(square(shift(norms, -1))), weight);
    }
}
