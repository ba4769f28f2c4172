package hocket.gan.terms;

import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * Consistency (Zhang et al. 2020): {@code weight · mean (D(augmented real) - D(real))²}.
 *
 * @param weight usually 10, at least 0
 * @param augmentation the transformation of rows
 */
public record ConsistencyTerm(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight,

        @Setting(help = "a change of the rows that must not change the discriminator's output")
        Augmentation augmentation)
        implements Term, ConsistencyTermCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public ConsistencyTerm {
        ConsistencyTermCopies.check(weight);
    }

    @Override
    public Value of(Pass pass) {
        return scale(augmentation.inconsistency(pass.d(), pass.real(), pass.ofReal(), pass.onReal()), weight);
    }
}
