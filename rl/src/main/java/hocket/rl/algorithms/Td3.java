package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.tanh;
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
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.DeterministicPolicyGradient;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.Encoder;
import hocket.rl.networks.Mlp;
import hocket.rl.networks.NetworkBody;
import hocket.rl.networks.TwinCritics;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Transition;
import hocket.rl.spaces.Box;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.Supplier;

/**
 * Twin delayed deep deterministic policy gradient (Fujimoto et al. 2018), as TD3 of Stable-Baselines3: two critics,
 * target actions smoothed by clipped noise, an actor that is improved less often than they.
 *
 * <p>A round is {@code sequence((collect, critics) × delay, actor, target-critic, target-actor)}. Each turn samples new
 * transitions, so the actor trains on other ones than the critics before it; Stable-Baselines3 uses the same ones.
 */
public record Td3(
        @Setting(help = "the environment: a name such as Pendulum-v1, or a user's class")
        String environment,

        @Setting(
                name = "environments",
                former = "worlds",
                usually = "{}",
                help = "number of environments, and their wrappers")
        EnvironmentSettings worlds,

        @Setting(usually = "20000", least = 1, most = 1e12, help = "total number of environment steps")
        long totalSteps,

        @Setting(usually = "1000000", least = 1, most = 1e9, help = "capacity of the replay buffer in transitions")
        int replay,

        @Setting(usually = "100", least = 1, most = 1e9, help = "random steps before the first update")
        int learningStarts,

        @Setting(usually = "256", least = 1, most = 1e6, help = "transitions of an update")
        int batch,

        @Setting(usually = "1", least = 1, most = 1e6, help = "steps in each environment between updates")
        int collect,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "learning rate of actor and critics")
        double rate,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the targets' own weights that an update keeps")
        double targetDecay,

        @Setting(usually = "2", least = 1, most = 1e6, help = "updates of the critics for each update of the actor")
        int delay,

        @Setting(
                usually = "0.1",
                least = 0,
                most = 10,
                help = "standard deviation of the exploration noise, for actions in -1..1")
        double explorationNoise,

        @Setting(usually = "0.2", least = 0, most = 10, help = "standard deviation of the target actions' noise")
        double targetNoise,

        @Setting(usually = "0.5", least = 0, most = 10, help = "largest absolute value of that noise")
        double targetNoiseLimit,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[400, 300]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden)
        implements EnvironmentDefinition, Td3Copies {

    /** Returns the default settings. */
    public static Td3 usual(String environment) {
        return Td3Copies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        AlgorithmSettings.checkReplay(replay, batch, 1);
        long steps = StepBudgets.learning(totalSteps, learningStarts);
        long stepsOfRound = (long) delay * collect * worlds.count();
        long rounds = StepBudgets.rounds(steps, stepsOfRound);
        TrainingEnvironments all = worlds.open(world, gamma)
                .withNotes(StepBudgets.notes(totalSteps, learningStarts, worlds.count(), rounds * stepsOfRound));
        if (!(all.actionSpace() instanceof Box actions) || !actions.bounded()) {
            throw new IllegalArgumentException(
                    "environment: TD3 needs actions in a box with finite bounds, these are " + all.actionSpace());
        }
        int width = actions.width();
        Mlp mlp = new Mlp(hidden, Mlp.Activation.RELU, Mlp.Initialisation.UNIFORM);
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, mlp);
        Replay memory = new Replay(all.observationSpace(), all.actionSpace(), replay, batch);
        memory.expect(totalSteps);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        Network<Value, Value> actor = graph.module("actor", seen -> tanh(body.outputs(seen, width, 1)));
        Network<TwinCritics.Input, TwinCritics> critic = TwinCritics.network(graph, body);

        Value noise = scale(graph.noise("target_noise", Shape.of(width)), targetNoise);
        Value ahead = DeterministicPolicyGradient.smoothed(
                actor.at("target/actor").apply(step.next()), noise, targetNoiseLimit, -1, 1);
        Value nextQ = critic.at("target/critic")
                .apply(new TwinCritics.Input(step.next(), ahead))
                .minimum();
        TwinCritics now = critic.apply(new TwinCritics.Input(step.observation(), step.action()));
        Value criticLoss = RegressionLoss.SQUARED.loss(
                BellmanTargets.bootstrapped(step.reward(), step.discount(), nextQ), now.first(), now.second());

        Value best = actor.apply(step.observation());
        Value actorLoss = DeterministicPolicyGradient.loss(
                critic.apply(new TwinCritics.Input(step.observation(), best)).first());

        Program critics =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve = Program.compile("actor", Mode.TRAIN, Loss.of(actorLoss));
        Program act = Program.compile("act", Mode.EVAL, best);
        Policy policy = new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);
        ReplayCollector experience = new ReplayCollector(
                all, policy, new Exploration.Gaussian(explorationNoise), memory, learningStarts, collect, 1, gamma);
        UpdateRule rule = adam(rate);
        Plan round = Plan.sequence(
                Plan.sequence(
                                Turn.act("collect", experience),
                                Turn.of("critics", critics).updates("critic/**", rule))
                        .times(delay),
                Turn.of("actor", improve).updates("actor/**", rule),
                Turn.follow("target-critic", "critic/**", "target/critic/**", targetDecay),
                Turn.follow("target-actor", "actor/**", "target/actor/**", targetDecay));
        return worlds.evaluated(
                Setup.of(Networks.of(graph, critics, improve, act), round, Budget.rounds(rounds))
                        .copy("critic/**", "target/critic/**")
                        .copy("actor/**", "target/actor/**")
                        .feed(memory, Resample.EACH_TURN),
                world,
                policy,
                all);
    }
}
