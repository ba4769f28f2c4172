package hocket.gan.terms;

import static hocket.programs.Operators.meanOverBatch;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Scored;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * Feature matching (Salimans et al. 2016, section 3.1): {@code weight · ‖mean f(real) − mean f(fake)‖²}, where f are the
 * features of the discriminator and the means are over the batch. Part of the generator's loss.
 *
 * @param weight usually 1, at least 0
 */
public record FeatureMatching(
        @Setting(usually = "1", least = 0, help = "weight of the squared distance")
        double weight) implements Term, FeatureMatchingCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public FeatureMatching {
        FeatureMatchingCopies.check(weight);
    }

    /** @throws IllegalArgumentException if the discriminator has no head {@code features} */
    @Override
    public Value of(Pass pass) {
        Value real = stopGradient(meanOverBatch(pass.onReal().head(Scored.FEATURES)));
        Value fake = meanOverBatch(pass.onFake().head(Scored.FEATURES));
        return scale(sum(square(subtract(real, fake))), weight);
    }

    @Override
    public Side side() {
        return Side.GENERATOR;
    }
}
