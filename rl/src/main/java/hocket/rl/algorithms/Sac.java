package hocket.rl.algorithms;

import static hocket.programs.Operators.clip;
import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.tanh;
import static hocket.schedulers.optimizers.Optimizers.adam;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.DiagonalGaussian;
import hocket.programs.layers.Distributions.TanhGaussian;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.losses.SoftActorCritic;
import hocket.rl.losses.SoftActorCritic.TemperatureLoss;
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
import hocket.scopes.Declaration;
import hocket.scopes.Shape;
import java.util.List;
import java.util.function.Supplier;

/**
 * Soft actor-critic with a learned temperature (Haarnoja et al. 2018b), as SAC of Stable-Baselines3: a squashed
 * Gaussian policy, two critics with target averages, and a temperature that is learned for a target entropy of minus
 * the number of action components.
 *
 * <p>A round is {@code sequence(collect, critics, actor, temperature, target)}; the three losses of a round see the
 * same transitions.
 */
public record Sac(
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

        @Setting(usually = "3e-4", least = 0, most = 1e3, help = "learning rate of actor, critics and temperature")
        double rate,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the target's own weights that an update keeps")
        double targetDecay,

        @Setting(usually = "of-logarithm", help = "the loss of the temperature")
        TemperatureLoss temperatureLoss,

        @Setting(
                usually = "flat",
                help = "layers from an observation to the features that the hidden layers read: flat, convolutional, …")
        Encoder encoder,

        @Setting(usually = "[256, 256]", least = 1, most = 1e5, help = "units of the hidden layers")
        List<Integer> hidden)
        implements EnvironmentDefinition, SacCopies {
    private static final double LEAST_LOG_DEVIATION = -20;
    private static final double LARGEST_LOG_DEVIATION = 2;

    /** A sampled action and its log-density. */
    private record Drawn(Value action, Value logProbability) {}

    /** Returns the default settings. */
    public static Sac usual(String environment) {
        return SacCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        AlgorithmSettings.checkReplay(replay, batch, 1);
        long steps = StepBudgets.learning(totalSteps, learningStarts);
        long stepsOfRound = (long) collect * worlds.count();
        long rounds = StepBudgets.rounds(steps, stepsOfRound);
        TrainingEnvironments all = worlds.open(world, gamma)
                .withNotes(StepBudgets.notes(totalSteps, learningStarts, worlds.count(), rounds * stepsOfRound));
        if (!(all.actionSpace() instanceof Box actions) || !actions.bounded()) {
            throw new IllegalArgumentException(
                    "environment: SAC needs actions in a box with finite bounds, these are " + all.actionSpace());
        }
        int width = actions.width();
        Mlp mlp = new Mlp(hidden, Mlp.Activation.RELU, Mlp.Initialisation.UNIFORM);
        NetworkBody body = new NetworkBody(all.observationSpace(), encoder, mlp);
        Replay memory = new Replay(all.observationSpace(), all.actionSpace(), replay, batch);
        memory.expect(totalSteps);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        Network<Value, TanhGaussian> actor = graph.module("actor", seen -> policy(body, seen, width));
        Network<TwinCritics.Input, TwinCritics> critic = TwinCritics.network(graph, body);
        Value logTemperature = logTemperature(graph);
        Value temperature = exp(logTemperature);

        // The critics' target is the soft value of the next observation under the current policy.
        Drawn ahead = draw(actor.apply(step.next()), "next_noise");
        Value nextQ = critic.at("target/critic")
                .apply(new TwinCritics.Input(step.next(), ahead.action()))
                .minimum();
        Value target = BellmanTargets.bootstrapped(
                step.reward(), step.discount(), SoftActorCritic.softValue(nextQ, ahead.logProbability(), temperature));
        TwinCritics now = critic.apply(new TwinCritics.Input(step.observation(), step.action()));
        Value criticLoss = RegressionLoss.HALF_SQUARED.loss(target, now.first(), now.second());

        // The actor maximises the critics' value plus its entropy, weighted by the temperature.
        TanhGaussian policy = actor.apply(step.observation());
        Drawn drawn = draw(policy, "noise");
        Value q = critic.apply(new TwinCritics.Input(step.observation(), drawn.action()))
                .minimum();
        Value actorLoss = SoftActorCritic.actorLoss(q, drawn.logProbability(), temperature);
        Value ofTemperature = temperatureLoss.loss(logTemperature, drawn.logProbability(), -width);

        Program critics =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve = Program.compile(
                "actor", Mode.TRAIN, Loss.of(actorLoss).metric("entropy", negate(mean(drawn.logProbability()))));
        Program warm = Program.compile(
                "temperature", Mode.TRAIN, Loss.of(ofTemperature).metric("temperature", temperature));
        Program explore = Program.compile("explore", Mode.EVAL, drawn.action());
        Program act = Program.compile("act", Mode.EVAL, policy.mode());
        Policy exploring = new Policy(explore, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);
        Policy best = new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);

        ReplayCollector experience =
                new ReplayCollector(all, exploring, new Exploration.None(), memory, learningStarts, collect, 1, gamma);
        UpdateRule rule = adam(rate);
        Plan round = Plan.sequence(
                Turn.act("collect", experience),
                Turn.of("critics", critics).updates("critic/**", rule),
                Turn.of("actor", improve).updates("actor/**", rule),
                Turn.of("temperature", warm).updates("temperature/**", rule),
                Turn.follow("target", "critic/**", "target/critic/**", targetDecay));
        return worlds.evaluated(
                Setup.of(Networks.of(graph, critics, improve, warm, explore, act), round, Budget.rounds(rounds))
                        .copy("critic/**", "target/critic/**")
                        .feed(memory, Resample.EACH_ROUND),
                world,
                best,
                exploring,
                all);
    }

    private static TanhGaussian policy(NetworkBody body, Value seen, int width) {
        Value both = body.outputs(seen, 2 * width, 1);
        Value logStd = clip(slice(both, 0, width, 2 * width), LEAST_LOG_DEVIATION, LARGEST_LOG_DEVIATION);
        return new TanhGaussian(new DiagonalGaussian(slice(both, 0, 0, width), logStd), 1e-6);
    }

    private static Drawn draw(TanhGaussian policy, String noise) {
        Value before = policy.normal().sample(policy.noise(noise));
        return new Drawn(tanh(before), policy.logProbabilityBefore(before));
    }

    private static Value logTemperature(Graph graph) {
        try (var temperature = graph.module("temperature")) {
            return graph.parameter("log_alpha", (path, type) -> Declaration.zeros(path, Shape.of(), type));
        }
    }
}
