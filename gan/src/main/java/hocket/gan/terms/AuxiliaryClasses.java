package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softmaxCrossEntropy;

import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;

/**
 * The auxiliary classifier of an AC-GAN (Odena et al. 2017): the cross entropy of the discriminator's head {@code class} with
 * the labels of the rows. The discriminator's loss has that of the real rows plus that of the generated ones, the generator's
 * that of the generated ones.
 *
 * @param weight usually 1, at least 0
 */
@Keyed.Name("classes")
public record AuxiliaryClasses(
        @Setting(usually = "1", least = 0, help = "weight of the cross entropy")
        double weight) implements Term, AuxiliaryClassesCopies {
    /** The head of the discriminator: logits (classes). */
    public static final String HEAD = "class";

    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public AuxiliaryClasses {
        AuxiliaryClassesCopies.check(weight);
    }

    /** @throws IllegalArgumentException if there are no labels, or the discriminator has no such head */
    @Override
    public Value of(Pass pass) {
        Value ofFake = entropy(pass.onFake(), pass.ofFake());
        return scale(
                pass.side() == Side.GENERATOR ? ofFake : add(entropy(pass.onReal(), pass.ofReal()), ofFake), weight);
    }

    private Value entropy(Scored on, RowCondition condition) {
        Value label = condition.requireLabel("term " + key());
        return mean(softmaxCrossEntropy(on.head(HEAD, condition.classes(), "term " + key()), label));
    }

    @Override
    public Side side() {
        return Side.BOTH;
    }
}
