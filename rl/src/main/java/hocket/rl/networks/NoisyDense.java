package hocket.rl.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.sqrt;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.Initialiser;
import hocket.scopes.Shape;

/**
 * Dense layers whose weights have learned Gaussian noise, so that an agent explores by its own network (Fortunato et al. 2018,
 * "Noisy networks for exploration", equations 9 to 11). The noise is factorised: that of a weight is the product of one number of its
 * input and one of its output, {@code f(e) = sign(e)·√|e|} of standard normal e. The rows of a batch share it.
 */
public final class NoisyDense {
    /** Less than the root of any noise but 0. */
    private static final double TINY = 1e-30;

    private NoisyDense() {}

    /**
     * {@code x·Wᵀ + b + f(e_out)·((f(e_in)·x)·Vᵀ + c)}: x (…, in) gives (…, units). Parameters {@code weight} and {@code bias} of
     * the layer {@code name}, and those of the deviations V and c of the layer {@code name_sigma}.
     *
     * @param means the initialisation of W and b
     * @param sigma the initial deviation of weights and biases, times √in
     */
    public static Value of(String name, Value x, int units, Weights means, double sigma) {
        Value left = noise(x.graph(), name + "_noise_in", x.shape().get(-1));
        Value right = noise(x.graph(), name + "_noise_out", units);
        return of(name, x, units, means, sigma, left, right);
    }

    private static Value noise(Graph graph, String name, int size) {
        return graph.noise(name, Shape.of(size), new Distribution.SharedNormal(size), Redraw.EACH_TURN);
    }

    /**
     * Builds a layer with given noise.
     *
     * @param left e_in (in)
     * @param right e_out (units)
     */
    public static Value of(String name, Value x, int units, Weights means, double sigma, Value left, Value right) {
        Initialiser deviation = Initialiser.constant(sigma / Math.sqrt(x.shape().get(-1)));
        Value mean = dense(name, x, units, means);
        Value noise = dense(
                name + "_sigma",
                multiply(factor(left), x),
                units,
                Weights.weights(deviation).bias(deviation));
        return add(mean, multiply(factor(right), noise));
    }

    /** {@code sign(e)·√|e|}, as a quotient: signs have no vector instructions. */
    private static Value factor(Value noise) {
        return divide(noise, maximum(sqrt(abs(noise)), noise.graph().constant(TINY)));
    }
}
