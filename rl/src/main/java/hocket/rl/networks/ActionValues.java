package hocket.rl.networks;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.transpose;

import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.programs.layers.Distributions;
import hocket.programs.layers.Weights;
import hocket.rl.losses.Dueling;
import hocket.scopes.Initialiser;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values of all actions of an observation, which Q-learning learns. */
public final class ActionValues {
    private ActionValues() {}

    /**
     * Builds a network in the open scope, from an observation to the values of n actions. Without any layers it is a
     * table of zeros, whose columns are the observations.
     *
     * @param body the layers but the last
     * @param isDueling whether the last ones are a value and advantages (Wang et al. 2016)
     * @throws IllegalArgumentException if a dueling network has no hidden layers
     */
    public static Value of(NetworkBody body, Value observation, int n, boolean isDueling) {
        Mlp mlp = body.mlp();
        boolean isTable = mlp.hidden().isEmpty() && body.encoder().equals(Encoder.flat());
        if (isTable && isDueling) {
            throw new IllegalArgumentException("dueling must be false without hidden layers, was true with hidden []");
        }
        Value features = body.features(observation);
        return isTable
                ? dense(
                        "table",
                        features,
                        n,
                        Weights.weights(Initialiser.zeros()).withoutBias())
                : of(mlp, features, n, isDueling);
    }

    /**
     * Builds the dense layers of such a network with a memory in the open scope, from its features (…, w) to (…, n); not a
     * table.
     */
    public static Value of(Mlp mlp, Value features, int n, boolean isDueling) {
        if (!isDueling) {
            return mlp.body(features, n, 1);
        }
        Value trunk = mlp.trunk(features);
        Weights weights = mlp.initialisation().of(trunk, 1);
        int[] extents = trunk.shape().extents();
        Value value = reshape(dense("value", trunk, 1, weights), Arrays.copyOf(extents, extents.length - 1));
        return Dueling.MEAN.of(value, dense("advantage", trunk, n, weights));
    }

    /**
     * Builds a network in the open scope, from an observation to numbers that describe the return of each action, (n, size).
     *
     * @param body the layers but the last
     * @param n the number of actions
     * @param isDueling whether the last layers give numbers of the observation and of each action (Hessel et al. 2018)
     * @param sigma the initial deviation of {@link NoisyDense noisy} layers; 0 for dense ones without noise
     */
    public static Value of(NetworkBody body, Value observation, int n, int size, boolean isDueling, double sigma) {
        Mlp mlp = body.mlp();
        Mlp.Layer layer =
                sigma == 0 ? Layers::dense : (name, x, units, weights) -> NoisyDense.of(name, x, units, weights, sigma);
        Value trunk = mlp.trunk(body.features(observation), layer);
        Weights weights = mlp.initialisation().of(trunk, 1);
        if (!isDueling) {
            return reshape(layer.of("out", trunk, n * size, weights), n, size);
        }
        Value value = layer.of("value", trunk, size, weights);
        Value advantages = reshape(layer.of("advantage", trunk, size * n, weights), size, n);
        return transpose(Dueling.MEAN.of(value, advantages), 1, 0);
    }

    /**
     * Returns the values with those of actions that are not allowed lower than any other.
     *
     * @param mask 1 where an action is allowed, of the values' shape; null if all are
     */
    public static Value allowed(Value values, @Nullable Value mask) {
        return mask == null ? values : Distributions.maskedLogits(values, mask);
    }
}
