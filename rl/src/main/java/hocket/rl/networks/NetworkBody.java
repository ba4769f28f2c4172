package hocket.rl.networks;

import hocket.programs.Value;
import hocket.rl.spaces.Space;
import java.util.List;

/**
 * The layers of a network of observations: an encoder, then dense layers. Each network that is built of it has parameters
 * of its own, in the open scope.
 *
 * @param observations the observation space
 * @param encoder from an observation to features
 * @param mlp the dense layers after it
 */
public record NetworkBody(Space observations, Encoder encoder, Mlp mlp) {
    /** Builds the encoder, from an observation of the space's shape to features (n). */
    public Value features(Value observation) {
        return encoder.encode(observation, observations, mlp.initialisation());
    }

    /** Returns the layers of a network that does not read some numbers of an observation; none for these layers. */
    public NetworkBody without(List<Integer> unseen) {
        return unseen.isEmpty() ? this : new NetworkBody(observations, new PartEncoder(unseen, encoder), mlp);
    }

    /**
     * Builds all layers, from an observation of the space's shape to (outputs).
     *
     * @param outputs the units of the last layer
     * @param gain of the last layer's weights, if they are orthogonal
     */
    public Value outputs(Value observation, int outputs, double gain) {
        return last(hidden(observation), outputs, gain);
    }

    /** Builds all layers but the last, from an observation of the space's shape to (n). */
    Value hidden(Value observation) {
        return mlp.trunk(features(observation));
    }

    /** Builds the last layer, from (n), which {@link #hidden} gives, to (outputs). */
    Value last(Value features, int outputs, double gain) {
        return mlp.last(features, outputs, gain);
    }
}
