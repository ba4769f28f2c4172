package hocket.rl.settings;

import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.offline.NormalisedReturns;
import hocket.rl.offline.OfflineData;
import hocket.schedulers.Setup;
import hocket.schedulers.settings.Setting;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Recorded steps that an agent learns from without acting, and the environments that it is evaluated in. */
public record OfflineSettings(
        @Setting(help = "the environment of the evaluation: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(usually = "{}", help = "the environments' wrappers and options")
        EnvironmentSettings environments,

        @Setting(
                help =
                        "recorded steps: an .npz file, as hocket record RUN --out FILE.npz makes it, or Minari's main_data.hdf5")
        Path data,

        @Setting(usually = "10000", least = 1, most = 1e9, help = "number of updates")
        long updates,

        @Setting(usually = "256", least = 1, most = 1e6, help = "steps of an update")
        int batch,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma)
        implements EnvironmentTask, OfflineSettingsCopies {

    /** Returns the spaces of an environment, which is closed. */
    public TrainingEnvironments open(Supplier<? extends Environment> world) {
        environments.requireAsTheyAre(
                "an offline algorithm", "recorded steps are learnt as they are; reward_scale scales rewards");
        environments.requireOne("the data has the steps");
        TrainingEnvironments all = environments.open(world, gamma);
        all.close();
        if (all.isMasked()) {
            throw new IllegalArgumentException(
                    "environment: recorded steps have no masks, and these actions have one; the wrapper unmasked hides it");
        }
        return all;
    }

    /**
     * Returns the recorded steps, which are read when training begins.
     *
     * @param isScaled whether actions of a box are scaled from its bounds to -1..1
     */
    public OfflineData steps(TrainingEnvironments all, boolean isScaled) {
        return new OfflineData(
                data, all.observationSpace(), all.actionSpace(), gamma, isScaled, batch, environments.rewards());
    }

    /** Sets the evaluation of the trained policy, by returns and by normalised scores. */
    public Setup evaluated(
            Setup setup,
            Supplier<? extends Environment> world,
            Policy best,
            Policy acting,
            TrainingEnvironments all,
            OfflineData steps) {
        Setup evaluated = environments.evaluated(setup, world, best, acting, all);
        return evaluated.evaluated(new NormalisedReturns(evaluated.evaluation().orElseThrow(), steps));
    }
}
