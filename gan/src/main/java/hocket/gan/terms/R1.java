package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * R1 (Mescheder et al. 2018, equation 9): {@code weight/2 · mean ‖∇D(real)‖²}, by the pass that the loss reads.
 *
 * @param weight usually 10, at least 0
 */
public record R1(
        @Setting(usually = "10", least = 0, help = "twice the weight of the penalty")
        double weight) implements GradientPenalty, R1Copies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public R1 {
        R1Copies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        return scale(mean(InputGradients.squaredNorms(pass.onReal(), pass.real())), weight / 2);
    }
}
