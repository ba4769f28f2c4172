package hocket.rl.algorithms;

import hocket.rl.envs.Environment;
import hocket.rl.losses.QuantileReturn;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EpsilonSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.QLearningSettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Setup;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * Quantile regression DQN (Dabney et al. 2018): {@link Dqn} that learns the quantiles of returns; the defaults are those of
 * sb3-contrib, but for Adam's epsilon of 1.5e-4. It is {@link Rainbow} without its other parts.
 */
public record QrDqn(
        @SettingGroup(usually = "total_steps: 50000") TaskSettings task,

        @SettingGroup(usually = {"batch: 32", "collect: 4"}) ReplaySettings experience,
        @SettingGroup QLearningSettings learning,

        @Setting(usually = "200", least = 1, most = 10000, help = "number of quantiles")
        int quantiles,

        @SettingGroup(usually = {"rate: 5e-5", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @SettingGroup(usually = {"epsilon_to: 0.01", "exploration_fraction: 0.005"})
        EpsilonSettings exploration,

        @SettingGroup(usually = {"activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, QrDqnCopies {
    /** Returns the default settings. */
    public static QrDqn usual(String environment) {
        return QrDqnCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        if (epsilonFrom() == 0 && epsilonTo() == 0) {
            throw new IllegalArgumentException(
                    "epsilon_from or epsilon_to must be above 0, or nothing explores; both were 0");
        }
        QuantileReturn distribution = QuantileReturn.usual().quantiles(quantiles);
        return new Rainbow(task, experience, learning, distribution, 0, gradients, exploration, network).in(world);
    }
}
