package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.scale;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.ConservativeQ;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.ActionValues;
import hocket.rl.networks.NetworkBody;
import hocket.rl.offline.OfflineData;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OfflineSettings;
import hocket.rl.settings.RateSettings;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Conservative Q-learning of discrete actions from recorded steps (Kumar et al. 2020, CQL(H)): double Q-learning, and a term that
 * lowers the values of actions that the data does not have.
 *
 * <p>A round is {@code sequence(q, target)}.
 */
public record DiscreteCql(
        @SettingGroup OfflineSettings task,

        @Setting(usually = "1", least = 0, most = 1e6, help = "weight of the conservative term; 0 for Q-learning")
        double conservative,

        @SettingGroup RateSettings rates,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the target's own weights that an update keeps")
        double targetDecay,

        @Setting(usually = "huber", help = "the loss of the temporal-difference errors")
        RegressionLoss regression,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, DiscreteCqlCopies {
    /** Returns the default settings. */
    public static DiscreteCql usual(String environment, Path data) {
        return DiscreteCqlCopies.usual(environment, data);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        TrainingEnvironments all = task.open(world);
        Discrete actions = AlgorithmSettings.discreteActions(all, "discrete CQL");
        NetworkBody body = network.body(all.observationSpace());
        OfflineData steps = task.steps(all, false);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, steps);
        Network<Value, Value> q = graph.module("q", seen -> ActionValues.of(body, seen, actions.n(), false));
        Value values = q.apply(step.observation());
        Value frozen = q.at("target/q").apply(step.next());
        Value next = BellmanTargets.doubleQ(frozen, q.apply(step.next()));
        Value taken = pick(values, step.action());
        Value temporal = regression.loss(BellmanTargets.bootstrapped(step.reward(), step.discount(), next), taken);
        Value conservativeLoss = ConservativeQ.ofActions(values, step.action());
        Value loss = add(temporal, scale(conservativeLoss, conservative));

        Program train = Program.compile(
                "q", Mode.TRAIN, Loss.of(loss).metric("value", mean(taken)).metric("conservative", conservativeLoss));
        Program act = Program.compile("act", Mode.EVAL, values);
        Policy greedy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        Plan round = Plan.sequence(
                Turn.of("q", train).updates("q/**", rates.adam(updates(), RateUnit.ROUND)),
                Turn.follow("target", "q/**", "target/q/**", targetDecay));
        Setup setup = Setup.of(Networks.of(graph, train, act), round, Budget.rounds(updates()))
                .copy("q/**", "target/q/**")
                .feed(steps, Resample.EACH_TURN);
        return task.evaluated(setup, world, greedy, greedy, all, steps);
    }
}
