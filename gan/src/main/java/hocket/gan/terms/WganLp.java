package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.square;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * WGAN-LP (Petzka et al. 2018, equation 8): {@code weight · mean max(0, ‖∇D(x)‖ - 1)²} between real and fake as in {@link
 * WganGp}; noise {@code wgan_lp/epsilon}.
 *
 * @param weight usually 10, at least 0
 */
public record WganLp(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight) implements GradientPenalty, WganLpCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public WganLp {
        WganLpCopies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        Value norms = InputGradients.norms(pass, InputGradients.interpolated("wgan_lp", pass));
        return scale(mean(square(relu(shift(norms, -1)))), weight);
    }
}
