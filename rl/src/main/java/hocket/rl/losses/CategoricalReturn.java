package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.log;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.sum;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;

/**
 * The probabilities of equidistant returns, the atoms (Bellemare et al. 2017, C51): a network gives their logits, the target is
 * projected onto the atoms, and the loss is the cross-entropy.
 *
 * @param atoms the number of returns
 * @param low the smallest return; smaller ones count as this one
 * @param high the largest return; larger ones count as this one
 */
@Keyed.Name("categorical")
public record CategoricalReturn(
        @Setting(usually = "51", least = 2, most = 10000, help = "number of returns that have probabilities")
        int atoms,

        @Setting(usually = "-10", least = -1e9, most = 1e9, help = "smallest return")
        double low,

        @Setting(usually = "10", least = -1e9, most = 1e9, help = "largest return")
        double high)
        implements ReturnDistribution, CategoricalReturnCopies {
    /** Stands for the logarithm's argument 0, of which nothing is added. */
    private static final double LEAST = 1e-30;

    public CategoricalReturn {
        CategoricalReturnCopies.check(atoms, low, high);
        if (!(low < high)) {
            throw new IllegalArgumentException("low must be below high, were " + low + " and " + high);
        }
    }

    /** Returns the default settings, those of the paper. */
    public static CategoricalReturn usual() {
        return CategoricalReturnCopies.usual();
    }

    private CategoricalAtoms support() {
        return CategoricalAtoms.linspace(low, high, atoms);
    }

    @Override
    public int size() {
        return atoms;
    }

    @Override
    public Value expectation(Value outputs) {
        return support().expectation(outputs);
    }

    @Override
    public Value target(Value reward, Value discount, Value next) {
        return support().target(reward, discount, softmax(next));
    }

    @Override
    public Value loss(Value outputs, Value target) {
        return support().crossEntropy(outputs, target);
    }

    /** The Kullback-Leibler divergence of the target, the loss without the target's entropy (Hessel et al. 2018). */
    @Override
    public Value error(Value outputs, Value target, Value loss) {
        Value logarithm = log(maximum(target, target.graph().constant(LEAST)));
        return add(loss, sum(multiply(target, logarithm), 0));
    }
}
