package hocket.gan.terms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.gan.augmentations.Augmentation;
import hocket.gan.parts.Discriminator;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
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
    /** @throws IllegalArgumentException if the weight is not finite and at least 0, or the augmentation is adaptive */
    public ConsistencyTerm {
        ConsistencyTermCopies.check(weight);
        requireFixed(augmentation);
    }

    static void requireFixed(Augmentation augmentation) {
        if (augmentation.isAdaptive()) {
            throw new IllegalArgumentException(
                    "augmentation: must have fixed probabilities in a term, as nothing adjusts"
                            + " them there; adaptive is for the key augmentation of the network");
        }
    }

    @Override
    public Value of(Pass pass) {
        return scale(inconsistency(augmentation, pass.d(), pass.real(), pass.ofReal(), pass.onReal()), weight);
    }

    /** The mean squared change of a discriminator's output by an augmentation. */
    static Value inconsistency(
            Augmentation augmentation, Discriminator d, Value rows, RowCondition condition, Scored on) {
        Scored changed = d.score(stopGradient(augmentation.apply(rows)), condition);
        return mean(square(subtract(changed.logit(), on.logit())));
    }
}
