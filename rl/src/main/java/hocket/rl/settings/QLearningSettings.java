package hocket.rl.settings;

import hocket.programs.Value;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.networks.ActionValues;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import org.jspecify.annotations.Nullable;

/** Settings that algorithms share which learn the values of discrete actions. */
public record QLearningSettings(
        @Setting(usually = "uniform", help = "how rows of the replay are drawn: uniform, {prioritised: {…}}, …")
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
     * Returns the optimizer of the network {@code q}. Its rate decays with each update, as a round has many.
     *
     * @param epsilon of the optimizer
     */
    public UpdateRule rule(GradientSettings gradients, ReplaySettings experience, TaskSettings task, double epsilon) {
        long collections = interval(experience, task).steps() / experience.collected(task);
        return gradients.rule(optimizer, collections * updates, RateUnit.UPDATE, epsilon);
    }

    /**
     * Returns the run of an algorithm that trains the network {@code q} with a target network {@code target/q}. A round updates the
     * target network and lasts until its next update; each collection is followed by learning.
     *
     * @param turn learns from a draw of the replay
     * @param error of each row, () of the turn's program
     */
    public Setup setup(
            TargetInterval interval,
            ReplayCollector collector,
            Replay replay,
            Turn.Descend turn,
            Value error,
            Networks networks) {
        Turn.Descend learn = replay.learning(turn, error);
        Turn target = Turn.follow("target", "q/**", "target/q/**", 0);
        Plan round = interval.round(target, Turn.act("collect", collector), learn.times(updates));
        Setup setup =
                Setup.of(networks, round, Budget.rounds(interval.rounds())).copy("q/**", "target/q/**");
        return replay.feed(setup, Resample.EACH_TURN, learn, error);
    }

    /**
     * Returns the value from which a step's target is bootstrapped.
     *
     * @param target the target network's values of an observation, (…, n)
     * @param trained those of the network that is trained
     * @param mask of the actions that are allowed there, (…, n); null for all
     */
    public Value bootstrap(Value target, Value trained, @Nullable Value mask) {
        return doubleQ
                ? BellmanTargets.doubleQ(target, ActionValues.allowed(trained, mask))
                : BellmanTargets.maxQ(ActionValues.allowed(target, mask));
    }
}
