package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Memory;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** The layers of an agent's networks. */
public record NetworkSettings(
        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[64, 64]", least = 1, most = 1e5, help = "units of the hidden layers; [] for none")
        List<Integer> hidden,

        @Setting(usually = "tanh", help = "activation after each hidden layer")
        Mlp.Activation activation,

        @Setting(usually = "orthogonal", help = "how weights are initialised")
        Mlp.Initialisation weights)
        implements NetworkSettingsCopies {

    /** Returns the default settings. */
    public static NetworkSettings usual() {
        return NetworkSettingsCopies.usual();
    }

    /** Returns the layers of a network that reads observations. */
    public NetworkBody body(Space observations) {
        return new NetworkBody(observations, encoder, mlp());
    }

    /**
     * Returns a policy and a critic of these layers each.
     *
     * @param memory of each, after its encoder
     * @param steps of a rollout
     */
    public ActorCritic actorCritic(TrainingEnvironments all, Memory memory, int steps) {
        return ActorCritic.of(body(all.observationSpace()), all.actionSpace(), all.isMasked(), memory, steps);
    }

    /** Returns its hidden layers. */
    public Mlp mlp() {
        return new Mlp(hidden, activation, weights);
    }

    /** Returns whether nothing but a last layer reads an observation. */
    public boolean isOneLayer() {
        return hidden.isEmpty() && encoder.equals(Encoder.flat());
    }
}
