package hocket.rl.settings;

import hocket.programs.Value;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.settings.Setting;

/** What algorithms that learn the values of discrete actions share. */
public record QLearningSettings(
        @Setting(usually = "uniform", help = "which transitions are drawn: uniform, {prioritised: {…}}, …")
        Sampler sampler,

        @Setting(usually = "1", least = 1, most = 1e6, help = "number of updates after these steps")
        int updates,

        @Setting(usually = "10000", least = 1, most = 1e9, help = "steps between updates of the target network")
        long targetEvery,

        @Setting(usually = "adam", help = "the optimizer") OptimizerRule optimizer,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of steps of an n-step return")
        int nSteps,

        @Setting(usually = "false", help = "double Q-learning")
        boolean doubleQ,

        @Setting(usually = "false", help = "a dueling network")
        boolean dueling)
        implements QLearningSettingsCopies {

    /** Returns the intervals between updates of the target network. */
    public TargetInterval interval(ReplaySettings experience, TaskSettings task) {
        return TargetInterval.of(targetEvery, experience.collected(task), experience.learning(task));
    }

    /**
     * Returns the value that a step leads to.
     *
     * @param frozen values of the target network, (…, n)
     * @param trained values of the network that is trained, for the same observation; those of actions that are not
     *     allowed are lower than any other in both
     */
    public Value ahead(Value frozen, Value trained) {
        return doubleQ ? BellmanTargets.doubleQ(frozen, trained) : BellmanTargets.maxQ(frozen);
    }
}
