package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.ImplicitQ;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.Actor;
import hocket.rl.networks.Critics;
import hocket.rl.networks.NetworkBody;
import hocket.rl.offline.OfflineData;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OfflineSettings;
import hocket.rl.settings.RateSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Implicit Q-learning from recorded steps (Kostrikov et al. 2021): a state's value is an expectile of the values of the data's
 * actions, and the policy imitates those actions by their advantage. Actions may be discrete or of a box.
 *
 * <p>A round is {@code sequence(value, critics, actor, target)}; its losses see the same steps.
 */
public record Iql(
        @SettingGroup OfflineSettings task,

        @Setting(usually = "0.7", least = 0.5, most = 0.999, help = "expectile of the values; 0.5 is their mean")
        double expectile,

        @Setting(
                usually = "3",
                least = 0,
                most = 1e6,
                help = "inverse temperature: how much the policy prefers actions of high advantage; 0 imitates all")
        double inverseTemperature,

        @SettingGroup RateSettings rates,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the target's own weights that an update keeps")
        double targetDecay,

        @Setting(usually = "2", least = 1, most = 100, help = "critics, of whose values the smallest is used")
        int critics,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, IqlCopies {
    /** Returns the default settings. */
    public static Iql usual(String environment, Path data) {
        return IqlCopies.usual(environment, data);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        TrainingEnvironments all = task.open(world);
        NetworkBody body = network.body(all.observationSpace());
        OfflineData steps = task.steps(all, false);
        Actor actor = Actor.of(body, all.actionSpace());
        Graph graph = actor.graph();
        Transition step = Transition.of(graph, steps, actor.observation(), actor.action());
        Network<Value, Value> value = graph.module("value", seen -> reshape(body.outputs(seen, 1, 1)));
        Network<Critics.Input, Critics> critic = Critics.of(graph, body, all.actionSpace(), critics);

        Critics.Input taken = new Critics.Input(step.observation(), step.action());
        Value frozen = critic.at("target/critic").apply(taken).minimum();
        Value worth = value.apply(step.observation());
        Value valueLoss = ImplicitQ.valueLoss(frozen, worth, expectile);
        Value target = BellmanTargets.bootstrapped(step.reward(), step.discount(), value.apply(step.next()));
        Critics now = critic.apply(taken);
        Value criticLoss = now.loss(RegressionLoss.SQUARED, target);
        Value actorLoss = ImplicitQ.actorLoss(actor.logProbability(), frozen, worth, inverseTemperature);

        Program estimate =
                Program.compile("value", Mode.TRAIN, Loss.of(valueLoss).metric("value", mean(worth)));
        Program evaluate =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve =
                Program.compile("actor", Mode.TRAIN, Loss.of(actorLoss).metric("entropy", mean(actor.entropy())));
        UpdateRule rule = rates.adam(updates(), RateUnit.ROUND);
        Plan round = Plan.sequence(
                Turn.of("value", estimate).updates("value/**", rule),
                Turn.of("critics", evaluate).updates("critic/**", rule),
                Turn.of("actor", improve).updates("actor/**", rule),
                Turn.follow("target", "critic/**", "target/critic/**", targetDecay));
        Networks networks =
                Networks.of(graph, estimate, evaluate, improve, actor.best().program());
        Setup setup = Setup.of(networks, round, Budget.rounds(updates()))
                .copy("critic/**", "target/critic/**")
                .feed(steps, Resample.EACH_ROUND);
        return task.evaluated(setup, world, actor.best(), actor.acting(), all, steps);
    }
}
