package hocket.rl.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.elu;
import static hocket.programs.Operators.gelu;
import static hocket.programs.Operators.leakyRelu;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.silu;
import static hocket.programs.Operators.tanh;

import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.layers.Weights;
import hocket.scopes.Initialiser;
import java.util.List;

/**
 * A multilayer perceptron: dense layers {@code hidden0}, {@code hidden1}, …, {@code out}.
 *
 * @param hidden the units of each hidden layer
 * @param activation after each hidden layer
 * @param initialisation of the weights
 */
public record Mlp(List<Integer> hidden, Activation activation, Initialisation initialisation) {
    /** The activation function after each hidden layer. */
    public enum Activation {
        TANH,
        RELU,
        /** {@code x} above 0, else {@code exp(x) - 1} (Clevert et al. 2015). */
        ELU,
        /** {@code x · sigmoid(x)} (Elfwing et al. 2018). */
        SILU,
        /** {@code x · Φ(x)} with the normal distribution's Φ (Hendrycks and Gimpel 2016). */
        GELU,
        /** {@code x} above 0, else {@code x / 100}, as PyTorch's. */
        LEAKY_RELU;

        Value of(Value x) {
            return switch (this) {
                case TANH -> tanh(x);
                case RELU -> relu(x);
                case ELU -> elu(x, 1);
                case SILU -> silu(x);
                case GELU -> gelu(x);
                case LEAKY_RELU -> leakyRelu(x, 0.01);
            };
        }
    }

    /** The initialisation of weights. */
    public enum Initialisation {
        /**
         * Orthogonal with gain √2, biases 0, with a given gain of the last layer (Stable-Baselines3's and CleanRL's
         * PPO).
         */
        ORTHOGONAL,
        /** PyTorch's: uniform within ±1/√in, weights and biases. */
        UNIFORM;

        /** The initial weights of a dense layer that reads x (…, in), with this gain if they are orthogonal. */
        public Weights of(Value x, double gain) {
            return of(x.shape().get(-1), gain);
        }

        /** The initial weights of a layer, by the number of inputs that each of its outputs reads. */
        Weights of(int inputs, double gain) {
            if (this == ORTHOGONAL) {
                return Weights.weights(Initialiser.orthogonal(gain)).bias(Initialiser.zeros());
            }
            double bound = 1 / Math.sqrt(inputs);
            Initialiser uniform = new Initialiser.Uniform(-bound, bound);
            return Weights.weights(uniform).bias(uniform);
        }
    }

    /** A kind of layers, dense or noisy: from (…, in) to (…, units). */
    @FunctionalInterface
    interface Layer {
        Value of(String name, Value x, int units, Weights weights);
    }

    public Mlp {
        hidden = List.copyOf(hidden);
        for (int units : hidden) {
            if (units < 1) {
                throw new IllegalArgumentException("hidden layers must have at least 1 unit, one has " + units);
            }
        }
    }

    /** Builds the layers in the open scope, from (…, w) to (outputs). */
    public Value body(Value x, int outputs, double gain) {
        return last(trunk(x), outputs, gain);
    }

    /** Builds the last layer alone, from (…, n), which {@link #trunk} gives, to (…, outputs). */
    Value last(Value features, int outputs, double gain) {
        return dense("out", features, outputs, initialisation.of(features, gain));
    }

    /** Builds the hidden layers alone, from (…, w) to the units of the last one. */
    public Value trunk(Value x) {
        return trunk(x, Layers::dense);
    }

    /** Builds hidden layers of another kind. */
    Value trunk(Value x, Layer layer) {
        Value h = x;
        for (int i = 0; i < hidden.size(); i++) {
            h = activation.of(layer.of("hidden" + i, h, hidden.get(i), initialisation.of(h, Math.sqrt(2))));
        }
        return h;
    }
}
