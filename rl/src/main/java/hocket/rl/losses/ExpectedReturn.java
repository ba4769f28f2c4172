package hocket.rl.losses;

import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.Arrays;

/** The expected return of each action alone, as DQN learns it: one number, and Bellman's target for it. */
@Keyed.Name("expected")
public record ExpectedReturn(
        @Setting(usually = "huber", help = "the loss of the temporal-difference errors")
        RegressionLoss regression) implements ReturnDistribution, ExpectedReturnCopies {
    /** Returns the default settings, those of DQN. */
    public static ExpectedReturn usual() {
        return ExpectedReturnCopies.usual();
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public Value expectation(Value outputs) {
        int[] extents = outputs.shape().extents();
        return reshape(outputs, Arrays.copyOf(extents, extents.length - 1));
    }

    @Override
    public Value target(Value reward, Value discount, Value next) {
        return reshape(BellmanTargets.bootstrapped(reward, discount, reshape(next)), 1);
    }

    @Override
    public Value loss(Value outputs, Value target) {
        return regression.of(difference(outputs, target));
    }

    @Override
    public Value error(Value outputs, Value target, Value loss) {
        return difference(outputs, target);
    }

    private static Value difference(Value outputs, Value target) {
        return reshape(subtract(target, outputs));
    }
}
