package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.subtract;
import static hocket.rl.networks.ActionValues.allowed;

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
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.ActionValues;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EpsilonSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.QLearningSettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.TargetInterval;
import hocket.rl.settings.TaskSettings;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.scopes.Shape;
import java.util.function.Supplier;

/**
 * Deep Q-learning (Mnih et al. 2015), with double Q-learning (van Hasselt et al. 2016), dueling networks (Wang et al.
 * 2016) and n-step returns as settings; the defaults are those of Stable-Baselines3. Without hidden layers, without
 * replay and with a target update at each step it is Watkins' Q-learning.
 *
 * <p>A round updates the target network and lasts until its next update: {@code sequence(target, (collect, q × n) ×
 * m)}; if the target is updated in every collect, {@code sequence(collect, target, q × n)}. A collect does not learn,
 * so a target that is due in it is updated before it: if {@code targetEvery} is not a multiple of the steps of a collect,
 * m alternates between two numbers. Rounds are complete, so up to {@code targetEvery} steps more than {@code
 * totalSteps} are possible; if {@code totalSteps} is smaller, a round has {@code totalSteps} steps.
 */
public record Dqn(
        @SettingGroup(usually = "total_steps: 50000") TaskSettings task,
        @SettingGroup(usually = {"batch: 32", "collect: 4"}) ReplaySettings experience,

        @SettingGroup QLearningSettings learning,

        @SettingGroup(usually = {"rate: 1e-4", "clip_gradients: 10"})
        GradientSettings gradients,

        @SettingGroup EpsilonSettings exploration,

        @Setting(usually = "huber", help = "the loss of the temporal-difference errors")
        RegressionLoss regression,

        @SettingGroup(usually = {"activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, DqnCopies {
    /** Returns the default settings. */
    public static Dqn usual(String environment) {
        return DqnCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        experience.requireSteps(nSteps(), task);
        TargetInterval interval = learning.interval(experience, task);
        TrainingEnvironments all = experience.open(task, world, gamma(), interval.steps());
        Discrete actions = AlgorithmSettings.discreteActions(all, "Q-learning");
        Replay memory = experience.buffer(task, all, sampler());
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        NetworkBody body = network.body(all.observationSpace());
        Network<Value, Value> q = graph.module("q", seen -> ActionValues.of(body, seen, actions.n(), dueling()));
        Value values = q.apply(step.observation());
        Value frozen = q.at("target/q").apply(step.next());
        Value next = learning.bootstrap(frozen, q.apply(step.next()), step.nextMask());
        Value taken = pick(values, step.action());
        Value wanted = BellmanTargets.bootstrapped(step.reward(), step.discount(), next);
        Value loss = step.loss(regression, wanted, taken);

        Value mask = all.isMasked() ? graph.input(Policy.MASK, Shape.of(actions.n())) : null;
        Program act = Program.compile("act", Mode.EVAL, allowed(values, mask));
        Program train = Program.compile("q", Mode.TRAIN, Loss.of(loss).metric("value", mean(taken)));
        Policy policy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        ReplayCollector collector =
                experience.collector(all, policy, exploration.over(totalSteps()), memory, nSteps(), gamma());
        UpdateRule rule = learning.rule(gradients, experience, task, 1e-8);
        Turn.Descend learn = Turn.of("q", train).updates("q/**", rule);
        Networks networks = Networks.of(graph, train, act);
        Setup setup = learning.setup(interval, collector, memory, learn, subtract(wanted, taken), networks);
        return environments().evaluated(setup, world, policy, all);
    }
}
