package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.softmax;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Reduction;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The support of a categorical value distribution: the returns that have probabilities in C51 (Bellemare et al. 2017).
 *
 * @param returns n returns, in increasing order
 */
public record CategoricalAtoms(List<Double> returns) {
    /** @throws IllegalArgumentException if there are fewer than 2, or they do not increase */
    public CategoricalAtoms {
        returns = List.copyOf(returns);
        if (returns.size() < 2) {
            throw new IllegalArgumentException("atoms: must be at least 2, were " + returns.size());
        }
        for (int i = 1; i < returns.size(); i++) {
            if (!(returns.get(i) > returns.get(i - 1)) || !Double.isFinite(returns.get(i) - returns.get(0))) {
                throw new IllegalArgumentException("atoms: must be finite and rise, was " + returns.get(i) + " at " + i
                        + " after " + returns.get(i - 1));
            }
        }
    }

    /** Makes the atoms of these returns. */
    public static CategoricalAtoms of(double... returns) {
        return new CategoricalAtoms(DoubleStream.of(returns).boxed().toList());
    }

    /** Makes {@code count} equidistant returns from one to another: C51 has 51 from -10 to 10. */
    public static CategoricalAtoms linspace(double low, double high, int count) {
        return of(DoubleStream.iterate(0, i -> i + 1)
                .limit(count)
                .map(i -> low + (high - low) * i / (count - 1))
                .toArray());
    }

    /**
     * {@code Σ z·softmax(logits)}, the expected return.
     *
     * @param logits (…, n)
     * @return (…)
     * @throws IllegalArgumentException if there are not as many logits as atoms
     */
    public Value expectation(Value logits) {
        requireAtoms("the logits", logits);
        return sum(
                multiply(softmax(logits), positions(logits.graph())),
                logits.shape().rank() - 1);
    }

    /**
     * Projects a distribution onto the atoms: {@code Σ_j p_j·clip(1 - |y_j - z_i|/Δ, 0, 1)}, with Δ the distance from
     * z_i to the atom on the side of y_j. The two neighbouring atoms share the probability of a point between them
     * (there, equation 7; RLax {@code categorical_l2_project}); points outside go to the outermost atom. No gradient.
     *
     * @param points y (m), returns of any number and order
     * @param probabilities p (m) of them
     * @return (n)
     * @throws IllegalArgumentException if the shapes differ or have no axis
     */
    public Value project(Value points, Value probabilities) {
        LossArguments.vector("projection", "the points", points);
        LossArguments.alike("projection", "the probabilities", probabilities, "the points", points);
        Value parts = multiply(shares(points), asRows(stopGradient(probabilities)));
        return sum(parts, parts.shape().rank() - 1);
    }

    /** Returns the shares of points (…, m) at the atoms, (…, n, m). */
    private Value shares(Value points) {
        Graph graph = points.graph();
        int n = returns.size();
        double[] above = new double[n];
        double[] below = new double[n];
        for (int i = 0; i < n; i++) {
            above[i] = i == n - 1 ? 0 : 1 / (returns.get(i + 1) - returns.get(i));
            below[i] = i == 0 ? 0 : -1 / (returns.get(i) - returns.get(i - 1));
        }
        Value offset = subtract(asRows(stopGradient(points)), reshape(positions(graph), n, 1));
        // At most one of the two is above 0: the distance in steps. Beyond the outermost atom, the distance from that
        // atom is 0.
        Value distance = maximum(
                multiply(offset, constant(graph, Shape.of(n, 1), above)),
                multiply(offset, constant(graph, Shape.of(n, 1), below)));
        return clip(shift(scale(distance, -1), 1), 0, 1);
    }

    /**
     * The two-hot encoding of numbers: {@link #project} of each with probability 1 (Hafner et al. 2023, equation 10). No
     * gradient.
     *
     * @param target (…)
     * @return (…, n)
     */
    public Value twoHot(Value target) {
        Value each = shares(Reduction.kept(target, target.shape().rank()));
        return sum(each, each.shape().rank() - 1);
    }

    /**
     * The distribution of {@code reward + discount·z} on the atoms (there, algorithm 1). No gradient.
     *
     * @param reward one number a row
     * @param discount of the value after it: {@link BellmanTargets#discount}
     * @param probabilities (n) of the atoms after it
     * @return (n)
     * @throws IllegalArgumentException if the shapes do not fit
     */
    public Value target(Value reward, Value discount, Value probabilities) {
        LossArguments.oneNumber("categorical target", "the reward", reward);
        LossArguments.oneNumber("categorical target", "the discount", discount);
        requireAtoms("the probabilities", probabilities);
        Value moved = add(reshape(reward, 1), multiply(reshape(discount, 1), positions(reward.graph())));
        return project(moved, probabilities);
    }

    /**
     * {@code -Σ target·log softmax(logits)} of each row.
     *
     * @param logits (…, n)
     * @param target (…, n), probabilities; no gradient flows into them
     * @return (…)
     * @throws IllegalArgumentException if the shapes differ
     */
    public Value crossEntropy(Value logits, Value target) {
        requireAtoms("the logits", logits);
        LossArguments.alike("categorical cross entropy", "the target", target, "the logits", logits);
        Value each = multiply(stopGradient(target), logSoftmax(logits));
        return negate(sum(each, logits.shape().rank() - 1));
    }

    private void requireAtoms(String name, Value x) {
        if (x.shape().rank() < 1 || x.shape().get(-1) != returns.size()) {
            throw new IllegalArgumentException(
                    "atoms: " + name + " must be (…, " + returns.size() + "), one for each, got " + x);
        }
    }

    private Value positions(Graph graph) {
        return constant(
                graph,
                Shape.of(returns.size()),
                returns.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** (…, m) as (…, 1, m). */
    private static Value asRows(Value x) {
        return Reduction.kept(x, x.shape().rank() - 1);
    }

    static Value constant(Graph graph, Shape shape, double... numbers) {
        return graph.constant(Tensor.rounded(shape, graph.floatType(), numbers));
    }
}
