package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Memory;
import hocket.rl.networks.NetworkBody;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** The memory of a policy and its critic, the numbers of an observation that the policy does not see, and whether both share layers. */
public record PolicySettings(
        @Setting(
                usually = "none",
                help = "layers with a state from step to step, after the encoder: none, {lstm: {units: 64}}, gru, …")
        Memory memory,

        @Setting(
                usually = "[]",
                least = 0,
                most = 1e9,
                help = "numbers of an observation, from 0, that the critic sees and the policy does not")
        List<Integer> onlyCriticSees,

        @Setting(usually = "false", help = "whether the critic shares all layers of the policy but the last")
        boolean sharedLayers)
        implements PolicySettingsCopies {

    /**
     * Makes a policy and a critic, by settings that {@link #check} accepts.
     *
     * @param network layers of each
     * @param steps of a rollout
     */
    public ActorCritic actorCritic(NetworkSettings network, TrainingEnvironments all, int steps) {
        NetworkBody body = network.body(all.observationSpace());
        if (sharedLayers) {
            return ActorCritic.sharing(body, all.actionSpace(), all.isMasked());
        }
        return ActorCritic.of(body.without(onlyCriticSees), body, all.actionSpace(), all.isMasked(), memory, steps);
    }

    /**
     * Checks the settings that do not need an environment.
     *
     * @param network layers of policy and critic
     * @throws IllegalArgumentException if both should share layers, but have a memory, see different numbers or have no layers
     */
    public void check(NetworkSettings network) {
        if (!sharedLayers) {
            return;
        }
        if (memory.remembers()) {
            throw new IllegalArgumentException(
                    "shared_layers must be false where there is a memory, and memory was " + memory);
        }
        if (!onlyCriticSees.isEmpty()) {
            throw new IllegalArgumentException("shared_layers must be false where only_critic_sees is not empty, was "
                    + onlyCriticSees + ": the shared layers would show these numbers to the policy");
        }
        if (network.hidden().isEmpty() && network.encoder().equals(Encoder.flat())) {
            throw new IllegalArgumentException(
                    "shared_layers must be false where hidden is [] and the encoder flat: there is no layer to share");
        }
    }
}
