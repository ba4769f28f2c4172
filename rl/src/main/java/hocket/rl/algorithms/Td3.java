package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.tanh;

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
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.DeterministicPolicyGradient;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.Critics;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OffPolicySettings;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.StepBudgets;
import hocket.rl.settings.TaskSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.scopes.Shape;
import java.util.function.Supplier;

/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018), as TD3 of Stable-Baselines3: two critics,
 * target actions smoothed by clipped noise, an actor that is improved less often than they.
 *
 * <p>A round is {@code sequence((collect, critics) × delay, actor, target-critic, target-actor)}; with more {@code updates} than
 * {@code delay} it is {@code sequence(collect, (critics × delay, actor, …) × updates/delay)}. Each turn samples new transitions, so the
 * actor trains on other ones than the critics before it; Stable-Baselines3 uses the same ones.
 */
public record Td3(
        @SettingGroup(usually = "total_steps: 20000") TaskSettings task,
        @SettingGroup ReplaySettings experience,

        @SettingGroup(usually = {"rate: 1e-3", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @SettingGroup OffPolicySettings learning,

        @Setting(usually = "2", least = 1, most = 1e6, help = "updates of the critics for each update of the actor")
        int delay,

        @Setting(
                usually = "0.1",
                least = 0,
                most = 10,
                help = "deviation of the exploration noise, for actions in -1..1")
        double explorationNoise,

        @Setting(usually = "0.2", least = 0, most = 10, help = "standard deviation of the target actions' noise")
        double targetNoise,

        @Setting(usually = "0.5", least = 0, most = 10, help = "largest absolute value of that noise")
        double targetNoiseLimit,

        @Setting(usually = "2", least = 1, most = 100, help = "critics, of whose values the smallest is used")
        int critics,

        @SettingGroup(usually = {"hidden: [400, 300]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, Td3Copies {

    /** Returns the default settings. */
    public static Td3 usual(String environment) {
        return Td3Copies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        experience.requireSteps(nSteps(), task);
        int collections = learning.collections(delay);
        long stepsOfRound = collections * experience.collected(task);
        long rounds = StepBudgets.rounds(experience.learning(task), stepsOfRound);
        TrainingEnvironments all = experience.open(task, world, gamma(), rounds * stepsOfRound);
        int width =
                AlgorithmSettings.boundedActions(all, "a deterministic policy").width();
        NetworkBody body = network.body(all.observationSpace());
        Replay memory = experience.buffer(task, all, sampler());
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        Network<Value, Value> actor = graph.module("actor", seen -> tanh(body.outputs(seen, width, 1)));
        Network<Critics.Input, Critics> critic = Critics.network(graph, body, critics);

        Value noise = scale(graph.noise("target_noise", Shape.of(width)), targetNoise);
        Value ahead = DeterministicPolicyGradient.smoothed(
                actor.at("target/actor").apply(step.next()), noise, targetNoiseLimit, -1, 1);
        Value nextQ = critic.at("target/critic")
                .apply(new Critics.Input(step.next(), ahead))
                .minimum();
        Critics now = critic.apply(new Critics.Input(step.observation(), step.action()));
        Value target = BellmanTargets.bootstrapped(step.reward(), step.discount(), nextQ);
        Value criticLoss = step.loss(RegressionLoss.SQUARED, target, now.each());

        Value best = actor.apply(step.observation());
        Value actorLoss = DeterministicPolicyGradient.loss(
                critic.apply(new Critics.Input(step.observation(), best)).first());

        Program evaluate =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve = Program.compile("actor", Mode.TRAIN, Loss.of(actorLoss));
        Program act = Program.compile("act", Mode.EVAL, best);
        Policy policy = new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);
        ReplayCollector collector = experience.collector(
                all, policy, new Exploration.Gaussian(explorationNoise), memory, nSteps(), gamma());
        UpdateRule rule = gradients.adam(rounds);
        Turn collect = Turn.act("collect", collector);
        Value error = now.error(target);
        Turn.Descend learn = memory.learning(Turn.of("critics", evaluate).updates("critic/**", rule), error);
        Plan criticTurns = updates() > delay
                ? learn.times(delay)
                : Plan.sequence(collect, updates() == 1 ? learn : learn.times(updates()))
                        .times(collections);
        Plan pass = Plan.sequence(
                criticTurns,
                Turn.of("actor", improve).updates("actor/**", rule),
                Turn.follow("target-critic", "critic/**", "target/critic/**", targetDecay()),
                Turn.follow("target-actor", "actor/**", "target/actor/**", targetDecay()));
        Plan round = updates() > delay ? Plan.sequence(collect, pass.times(updates() / delay)) : pass;
        Setup setup = Setup.of(Networks.of(graph, evaluate, improve, act), round, Budget.rounds(rounds))
                .copy("critic/**", "target/critic/**")
                .copy("actor/**", "target/actor/**");
        setup = memory.feed(setup, Resample.EACH_TURN, learn, error);
        return environments().evaluated(setup, world, policy, all);
    }
}
