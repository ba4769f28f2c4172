package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.rl.losses.ReturnDistribution.chosen;
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
import hocket.rl.losses.ReturnDistribution;
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
 * Rainbow (Hessel et al. 2018): Q-learning with six parts, each of which is a setting. {@code double_q: false}, {@code dueling:
 * false}, {@code sampler: uniform}, {@code n_steps: 1}, {@code distribution: expected} and {@code sigma: 0} leave one out each; without
 * noise {@code epsilon_from} and {@code epsilon_to} explore.
 *
 * <p>A round is that of {@link Dqn}. Trained and target network have noise of their own, which the rows of a batch share; the actor has
 * that of the trained network, at its own steps; evaluation has none. A row's priority follows its {@link ReturnDistribution#error error}.
 */
public record Rainbow(
        @SettingGroup(usually = "total_steps: 50000") TaskSettings task,

        @SettingGroup(usually = {"batch: 32", "collect: 4", "learning_starts: 1000"})
        ReplaySettings experience,

        @SettingGroup(
                usually = {"double_q: true", "dueling: true", "n_steps: 3", "sampler: prioritised", "target_every: 8000"
                })
        QLearningSettings learning,

        @Setting(
                usually = "categorical",
                help = "what is learnt of a return: expected, {categorical: {…}}, {quantile: {…}}, …")
        ReturnDistribution distribution,

        @Setting(usually = "0.5", least = 0, most = 1e3, help = "initial deviation of noisy layers; 0 for no noise")
        double sigma,

        @SettingGroup(usually = {"rate: 6.25e-5", "clip_gradients: 10"})
        GradientSettings gradients,

        @SettingGroup(usually = {"epsilon_from: 0", "epsilon_to: 0"})
        EpsilonSettings exploration,

        @SettingGroup(usually = {"activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, RainbowCopies {
    /** The input of a network, and the initial deviation of its noise; 0 for a call without noise. */
    private record Seen(Value observation, double sigma) {}

    /** Returns the default settings: those of the paper that do not depend on Atari, and an alpha of 0.6. */
    public static Rainbow usual(String environment) {
        return RainbowCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        experience.requireSteps(nSteps(), task);
        if (sigma == 0 && epsilonFrom() == 0 && epsilonTo() == 0) {
            throw new IllegalArgumentException(
                    "sigma, epsilon_from or epsilon_to must be above 0, or nothing explores; all were 0");
        }
        TargetInterval interval = learning.interval(experience, task);
        TrainingEnvironments all = experience.open(task, world, gamma(), interval.steps());
        Discrete actions = AlgorithmSettings.discreteActions(all, "Q-learning");
        Replay memory = experience.buffer(task, all, sampler());
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        NetworkBody body = network.body(all.observationSpace());
        int size = distribution.size();
        Network<Seen, Value> q = graph.module(
                "q", seen -> ActionValues.of(body, seen.observation(), actions.n(), size, dueling(), seen.sigma()));

        // the return of the action that is best after the step, by the trained network with double Q-learning
        Value frozen = q.at("target/q").apply(new Seen(step.next(), sigma));
        Value chooses = doubleQ() ? q.apply(new Seen(step.next(), sigma)) : frozen;
        Value values = allowed(distribution.expectation(chooses), step.nextMask());
        Value target = distribution.target(step.reward(), step.discount(), frozen, values);
        Value outputs = q.apply(new Seen(step.observation(), sigma));
        Value taken = chosen(outputs, step.action());
        Value losses = distribution.loss(taken, target);
        Value error = distribution.error(taken, target, losses);

        Value mask = all.isMasked() ? graph.input(Policy.MASK, Shape.of(actions.n())) : null;
        Value certain = sigma == 0 ? outputs : q.apply(new Seen(step.observation(), 0));
        Program act = Program.compile("act", Mode.EVAL, allowed(distribution.expectation(certain), mask));
        Program explore = sigma == 0
                ? act
                : Program.compile("explore", Mode.EVAL, allowed(distribution.expectation(outputs), mask));
        Program train = Program.compile(
                "q", Mode.TRAIN, Loss.of(step.mean(losses)).metric("value", mean(distribution.expectation(taken))));
        Policy exploring = new Policy(explore, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        Policy greedy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        ReplayCollector collector =
                experience.collector(all, exploring, exploration.over(totalSteps()), memory, nSteps(), gamma());
        UpdateRule rule = learning.rule(gradients, experience, task, 1.5e-4);
        Turn.Descend learn = Turn.of("q", train).updates("q/**", rule);
        Networks networks = sigma == 0 ? Networks.of(graph, train, act) : Networks.of(graph, train, explore, act);
        Setup setup = learning.setup(interval, collector, memory, learn, error, networks);
        return environments().evaluated(setup, world, greedy, all);
    }
}
