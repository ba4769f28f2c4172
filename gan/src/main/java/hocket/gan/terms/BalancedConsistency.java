package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.scale;

import hocket.gan.augmentations.Augmentation;
import hocket.gan.parts.Pass;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * Balanced consistency (Zhao et al. 2021): the {@link ConsistencyTerm} of the real rows plus that of the generated ones.
 *
 * @param weight usually 10, at least 0
 * @param augmentation the transformation of rows
 */
public record BalancedConsistency(
        @Setting(usually = "10", least = 0, help = "weight of the penalty")
        double weight,

        @Setting(help = "a change of the rows that must not change the discriminator's output")
        Augmentation augmentation)
        implements Term, BalancedConsistencyCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0, or the augmentation is adaptive */
    public BalancedConsistency {
        BalancedConsistencyCopies.check(weight);
        ConsistencyTerm.requireFixed(augmentation);
    }

    @Override
    public Value of(Pass pass) {
        return scale(
                add(
                        ConsistencyTerm.inconsistency(
                                augmentation, pass.d(), pass.real(), pass.ofReal(), pass.onReal()),
                        ConsistencyTerm.inconsistency(
                                augmentation, pass.d(), pass.fake(), pass.ofFake(), pass.onFake())),
                weight);
    }
}
