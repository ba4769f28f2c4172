package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.pick;
import static hocket.rl.losses.ValueRescaling.EPSILON;
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
import hocket.rl.losses.ValueRescaling;
import hocket.rl.networks.ActionValues;
import hocket.rl.networks.Memory;
import hocket.rl.networks.RecurrentBody;
import hocket.rl.networks.RecurrentBody.Output;
import hocket.rl.networks.RecurrentBody.Seen;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Sequences;
import hocket.rl.replay.StepSequence;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EpsilonSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.QLearningSettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.SequenceSettings;
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
 * Recurrent Q-learning (Kapturowski et al. 2019, "Recurrent experience replay in distributed reinforcement learning", R2D2):
 * a replay of sequences with the memory's state before them, whose first steps only warm the memory up; double Q-learning, a
 * dueling network, n-step returns and priorities as settings. Its actors are in this process; the memory does not read the
 * last action and reward.
 *
 * <p>A round is that of {@link Dqn}. The last {@code nSteps} steps before a time limit are not learnt, because no sequence
 * has the observation after them.
 */
public record R2d2(
        @SettingGroup(usually = "total_steps: 50000") TaskSettings task,

        @SettingGroup(usually = {"batch: 512", "collect: 8", "learning_starts: 1000"})
        ReplaySettings experience,

        @SettingGroup SequenceSettings sequences,

        @SettingGroup(usually = {"target_every: 1000", "double_q: true", "dueling: true"})
        QLearningSettings learning,

        @SettingGroup(usually = {"rate: 1e-3", "clip_gradients: 10"})
        GradientSettings gradients,

        @SettingGroup EpsilonSettings exploration,

        @Setting(usually = "squared", help = "the loss of the temporal-difference errors")
        RegressionLoss regression,

        @Setting(usually = "true", help = "whether values are rescaled, for returns of any size")
        boolean rescaleValues,

        @SettingGroup(usually = {"hidden: [64]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, R2d2Copies {
    /** Returns the default settings. */
    public static R2d2 usual(String environment) {
        return R2d2Copies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        TargetInterval interval = learning.interval(experience, task);
        TrainingEnvironments all = experience.open(task, world, gamma(), interval.steps());
        Discrete actions = AlgorithmSettings.discreteActions(all, "Q-learning");
        Sequences.Layout layout = sequences.layout(nSteps());
        Replay replay = sequences.buffer(experience, task, all, layout, sampler());
        Graph graph = new Graph();
        StepSequence steps = StepSequence.of(graph, replay, layout);
        RecurrentBody body = sequences.body(network.body(all.observationSpace()));
        Network<Seen, Output<Value>> q = graph.module("q", seen -> {
            Memory.Step step = body.features(seen);
            Value values = ActionValues.of(body.body().mlp(), step.features(), actions.n(), dueling());
            return new Output<>(values, step.state());
        });

        Value values = steps.outputs(q);
        Value frozen = steps.outputs(q.at("target/q"));
        Value taken = pick(steps.learnt(values), steps.actions());
        Value next = learning.bootstrap(steps.later(frozen), steps.later(values), steps.nextMasks());
        Value wanted = rescaled(BellmanTargets.bootstrapped(steps.rewards(), steps.discounts(), original(next)));
        Value loss = steps.loss(regression, wanted, taken);

        Value observation =
                graph.input(Policy.OBSERVATION, all.observationSpace().shape());
        Value start = graph.input(Policy.START, Shape.of());
        Value mask = all.isMasked() ? graph.input(Policy.MASK, Shape.of(actions.n())) : null;
        Output<Value> now = q.apply(new Seen(observation, start, steps.state()));
        Program act = Program.compile("act", Mode.EVAL, allowed(now.output(), mask), now.state());
        Program train = Program.compile("q", Mode.TRAIN, Loss.of(loss).metric("value", mean(original(taken))));
        Policy policy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        ReplayCollector collector = experience.collector(
                all, policy, exploration.over(totalSteps()), new Sequences(all, replay, layout, gamma()));
        UpdateRule rule = learning.rule(gradients, experience, task, 1e-8);
        Turn.Descend learn = Turn.of("q", train).updates("q/**", rule);
        Networks networks = Networks.of(graph, train, act);
        Setup setup = learning.setup(interval, collector, replay, learn, steps.error(wanted, taken), networks);
        return environments().evaluated(setup, world, policy, all);
    }

    private Value rescaled(Value value) {
        return rescaleValues ? ValueRescaling.rescaled(value, EPSILON) : value;
    }

    private Value original(Value value) {
        return rescaleValues ? ValueRescaling.original(value, EPSILON) : value;
    }
}
