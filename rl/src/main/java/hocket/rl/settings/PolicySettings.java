package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.ActorCritic;
import hocket.rl.networks.Memory;
import hocket.rl.networks.NetworkBody;
import hocket.schedulers.settings.Setting;
import java.util.List;

/** The memory of a policy and its critic, and the numbers of an observation that the policy does not see. */
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
        List<Integer> onlyCriticSees)
        implements PolicySettingsCopies {

    /**
     * Makes a policy and a critic.
     *
     * @param network layers of each
     * @param steps of a rollout
     */
    public ActorCritic actorCritic(NetworkSettings network, TrainingEnvironments all, int steps) {
        NetworkBody body = network.body(all.observationSpace());
        return ActorCritic.of(body.without(onlyCriticSees), body, all.actionSpace(), all.isMasked(), memory, steps);
    }
}
