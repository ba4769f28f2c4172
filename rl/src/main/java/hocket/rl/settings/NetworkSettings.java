package hocket.rl.settings;

import hocket.rl.networks.Encoder;
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

        @Setting(
                usually = "tanh",
                help = "activation after each hidden layer: tanh, relu, elu, silu, gelu or leaky-relu")
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
        return new NetworkBody(observations, encoder, new Mlp(hidden, activation, weights));
    }
}
