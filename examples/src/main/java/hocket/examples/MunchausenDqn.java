package hocket.examples;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;
import static hocket.rl.networks.Mlp.Activation.RELU;
import static hocket.rl.networks.Mlp.Initialisation.UNIFORM;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.algorithms.EnvironmentDefinition;
import hocket.rl.envs.Environment;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.StepBudgets;
import hocket.rl.settings.TaskSettings;
import hocket.rl.spaces.Discrete;
import hocket.schedulers.Budget;
import hocket.schedulers.LiveRun;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Munchausen DQN (Vieillard et al. 2020) in one file, as somebody who reads the paper would add it: the reward grows by the scaled
 * log-probability of the action under the softmax of the target network's values, and the next value is a soft one.
 *
 * <p>In CartPole it reaches 500 of 500 after 50,000 steps. A file runs it by {@code algorithm: {class:
 * hocket.examples.MunchausenDqn, environment: CartPole-v1}}.
 */
public record MunchausenDqn(
        @SettingGroup(usually = {"environment: CartPole-v1", "total_steps: 50000"})
        TaskSettings task,

        @SettingGroup(usually = {"replay: 50000", "learning_starts: 1000", "batch: 64", "collect: 256"})
        ReplaySettings experience,

        @Setting(usually = "2.3e-3", least = 0, most = 1e3, help = "learning rate")
        double rate,

        @Setting(usually = "0.9", least = 0, most = 1, help = "alpha, the share of the log-probability in the reward")
        double alpha,

        @Setting(usually = "0.03", least = 1e-9, most = 1e3, help = "tau, the temperature of the policy")
        double temperature,

        @Setting(usually = "-1", least = -1e9, most = 0, help = "smallest scaled log-probability")
        double lowest,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition {
    private static final double GAMMA = 0.99;

    /**
     * {@code r + α·max(τ·log π(a|s), l) + γ·Σ π(b|s')·(q(s', b) - τ·log π(b|s'))} with {@code π = softmax(q/τ)}, for rows.
     *
     * @param discount γ, or 0 where the episode terminated, ()
     * @param q the target network's values of the observation, (n)
     * @param next those of the next observation, (n)
     * @param action () of INT64
     */
    static Value target(
            Value reward, Value discount, Value q, Value next, Value action, double tau, double alpha, double lowest) {
        Value logs = scale(logSoftmax(scale(q, 1 / tau)), tau);
        Value bonus = scale(clip(pick(logs, action), lowest, 0), alpha);
        Value nextLogs = logSoftmax(scale(next, 1 / tau));
        Value soft = sum(multiply(exp(nextLogs), subtract(next, scale(nextLogs, tau))), 0);
        return add(add(reward, bonus), multiply(discount, soft));
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        long rounds = StepBudgets.rounds(experience.learning(task), experience.collected(task));
        TrainingEnvironments all = experience.open(task, world, GAMMA, rounds * experience.collected(task));
        Discrete actions = AlgorithmSettings.discreteActions(all, "Q-learning");
        Replay memory = experience.buffer(task, all);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        NetworkBody body = network.body(all.observationSpace());
        Network<Value, Value> q = graph.module("q", seen -> body.outputs(seen, actions.n(), 1));
        Network<Value, Value> frozen = q.at("target/q");

        Value values = q.apply(step.observation());
        Value target = target(
                step.reward(),
                step.discount(),
                frozen.apply(step.observation()),
                frozen.apply(step.next()),
                step.action(),
                temperature,
                alpha,
                lowest);
        Value loss = RegressionLoss.HUBER.loss(target, pick(values, step.action()));

        Program act = Program.compile("act", Mode.EVAL, values);
        Program learn = Program.compile("q", Mode.TRAIN, Loss.of(loss));
        Policy policy = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);
        Exploration exploration = new Exploration.Epsilon(1, 0.04, task.totalSteps() / 6);
        Plan round = Plan.sequence(
                Turn.act("collect", experience.collector(all, policy, exploration, memory, 1, GAMMA)),
                Turn.of("q", learn).updates("q/**", adam(rate)).times(Math.max(1, experience.collect() / 2)),
                Turn.follow("target", "q/**", "target/q/**", 0));
        Setup setup = Setup.of(Networks.of(graph, learn, act), round, Budget.rounds(rounds))
                .copy("q/**", "target/q/**")
                .feed(memory, Resample.EACH_TURN);
        return task.environments().evaluated(setup, world, policy, all);
    }

    public static void main(String[] args) {
        System.out.println(run(args.length > 0 ? Long.parseLong(args[0]) : 50_000));
    }

    /** Returns the scores of 100 episodes after a number of training steps. */
    static SortedMap<String, Double> run(long steps) {
        var algorithm = new MunchausenDqn(
                new TaskSettings("CartPole-v1", EnvironmentSettings.of(1), steps),
                new ReplaySettings(50_000, 1000, 64, 256),
                2.3e-3,
                0.9,
                0.03,
                -1,
                NetworkSettings.usual()
                        .hidden(List.of(256, 256))
                        .activation(RELU)
                        .weights(UNIFORM));
        try (LiveRun run = algorithm.begin(7)) {
            run.run();
            return run.scores();
        }
    }
}
