package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * R2 (Mescheder et al. 2018, equation 10): {@code weight/2 · mean ‖∇D(fake)‖²}, by the pass that the loss reads.
 *
 * @param weight usually 10, at least 0
 */
public record R2(
        @Setting(usually = "10", least = 0, help = "twice the weight of the penalty")
        double weight) implements GradientPenalty, R2Copies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public R2 {
        R2Copies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        return scale(mean(InputGradients.squaredNorms(pass.onFake(), pass.fake())), weight / 2);
    }
}
