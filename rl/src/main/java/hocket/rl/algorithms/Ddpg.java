package hocket.rl.algorithms;

import hocket.rl.envs.Environment;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OffPolicySettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Setup;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * Deep deterministic policy gradient (Lillicrap et al. 2016), as DDPG of Stable-Baselines3: {@link Td3} with one critic,
 * exact target actions, and an actor that is improved as often as the critic. The exploration noise is Gaussian, which does as
 * well as the paper's Ornstein-Uhlenbeck noise (Fujimoto et al. 2018, section 6.1).
 */
public record Ddpg(
        @SettingGroup(usually = "total_steps: 20000") TaskSettings task,
        @SettingGroup ReplaySettings experience,

        @SettingGroup(usually = {"rate: 1e-3", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @SettingGroup OffPolicySettings learning,

        @Setting(
                usually = "0.1",
                least = 0,
                most = 10,
                help = "deviation of the exploration noise, for actions in -1..1")
        double explorationNoise,

        @SettingGroup(usually = {"hidden: [400, 300]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, DdpgCopies {
    /** Returns the default settings. */
    public static Ddpg usual(String environment) {
        return DdpgCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        return new Td3(task, experience, gradients, learning, 1, explorationNoise, 0, 0, 1, network).in(world);
    }
}
