package hocket.rl.networks;

import hocket.programs.Value;
import hocket.rl.networks.Mlp.Initialisation;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Keyed;

/**
 * The first layers of a network, from an observation to the features that its dense layers read. In a file: {@code
 * encoder: flat}, {@code encoder: {convolutional: {filters: [16]}}} or {@code encoder: {class: my.Encoder, …}}.
 */
@Keyed
@FunctionalInterface
public interface Encoder {
    /**
     * Builds the layers in the open scope.
     *
     * @param observation of the space's shape
     * @param space of observations
     * @param weights initialisation of the layers
     * @return features (n)
     * @throws IllegalArgumentException if the layers do not fit the space
     */
    Value encode(Value observation, Space space, Initialisation weights);

    /** {@link FlatEncoder}. */
    static Encoder flat() {
        return new FlatEncoder();
    }
}
