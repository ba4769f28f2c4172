package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * The zero-centred gradient penalty between real and fake (Thanh-Tung et al. 2019): {@code weight · mean ‖∇D(x)‖²}; noise
 * {@code zero_centred/epsilon}.
 *
 * @param weight usually 10, at least 0
 */
public record ZeroCentred(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight) implements GradientPenalty, ZeroCentredCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public ZeroCentred {
        ZeroCentredCopies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        Value squares = InputGradients.squaredNorms(pass, InputGradients.interpolated("zero_centred", pass));
        return scale(mean(squares), weight);
    }
}
