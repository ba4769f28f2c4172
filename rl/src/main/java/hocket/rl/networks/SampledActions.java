package hocket.rl.networks;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution.Uniform;
import hocket.programs.operators.Leaf.Redraw;
import hocket.rl.losses.ConservativeQ;
import hocket.rl.networks.SquashedGaussian.Drawn;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Actions of -1..1 whose values conservative Q-learning lowers: at random, of a policy, and of the policy after the step. No
 * gradient flows through them.
 *
 * @param drawn the actions, and the logarithms of their densities
 */
public record SampledActions(List<Drawn> drawn) {
    public SampledActions {
        drawn = List.copyOf(drawn);
    }

    /**
     * Draws the actions.
     *
     * @param policy at the observation
     * @param policyAfter at the next observation
     * @param width components of an action
     * @param count of each kind
     */
    public static SampledActions of(
            Graph graph, SquashedGaussian policy, SquashedGaussian policyAfter, int width, int count) {
        List<Drawn> all = new ArrayList<>();
        Value logDensity = graph.constant(width * StrictMath.log(0.5));
        for (int i = 0; i < count; i++) {
            Value random = graph.noise("random" + i, Shape.of(width), new Uniform(-1, 1), Redraw.EACH_TURN);
            all.add(new Drawn(random, logDensity));
            all.add(fixed(policyAfter.draw("sample_after" + i)));
            all.add(fixed(policy.draw("sample" + i)));
        }
        return new SampledActions(all);
    }

    private static Drawn fixed(Drawn drawn) {
        return new Drawn(stopGradient(drawn.action()), stopGradient(drawn.logProbability()));
    }

    /**
     * Returns the sum of {@link ConservativeQ#ofSamples} over the critics; one number.
     *
     * @param observation at which the actions have their values, whatever policy drew them
     * @param taken the values of the data's actions
     */
    public Value conservative(Network<Critics.Input, Critics> critic, Value observation, Critics taken) {
        List<Critics> valued = drawn.stream()
                .map(each -> critic.apply(new Critics.Input(observation, each.action())))
                .toList();
        Value sum = null;
        for (int i = 0; i < taken.values().size(); i++) {
            Value[] corrected = new Value[valued.size()];
            for (int k = 0; k < corrected.length; k++) {
                Value value = valued.get(k).values().get(i);
                corrected[k] = reshape(subtract(value, drawn.get(k).logProbability()), 1);
            }
            Value loss = ConservativeQ.ofSamples(taken.values().get(i), concat(0, corrected), 1);
            sum = sum == null ? loss : add(sum, loss);
        }
        if (sum == null) {
            throw new IllegalArgumentException("conservative Q: there must be a critic");
        }
        return sum;
    }
}
