package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;

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
import hocket.rl.losses.RegressionLoss;
import hocket.rl.losses.SoftActorCritic;
import hocket.rl.networks.Critics;
import hocket.rl.networks.NetworkBody;
import hocket.rl.networks.SquashedGaussian;
import hocket.rl.networks.Temperature;
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
import hocket.rl.settings.TemperatureSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.List;
import java.util.function.Supplier;

/**
 * Soft actor-critic with a learned temperature (Haarnoja et al. 2018b), as SAC of Stable-Baselines3: a squashed
 * Gaussian policy, two critics with target averages, and a temperature that is learned for a target entropy of minus
 * the number of action components. A target of n steps counts rewards of all of them and entropy after the last.
 *
 * <p>A round is {@code sequence(collect, critics, actor, temperature, target)}, whose three losses see the same
 * transitions; with more {@code updates} it is {@code sequence(collect, sequence(critics, …) × updates)}, and each loss sees its own.
 */
public record Sac(
        @SettingGroup(usually = "total_steps: 20000") TaskSettings task,
        @SettingGroup ReplaySettings experience,

        @SettingGroup(usually = {"rate: 3e-4", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @SettingGroup OffPolicySettings learning,

        @SettingGroup TemperatureSettings temperatures,

        @Setting(
                usually = "-1",
                least = -100,
                most = 10,
                help = "entropy that the temperature is learned for, in nats of each component of an action")
        double targetEntropy,

        @Setting(usually = "2", least = 1, most = 100, help = "critics, of whose values the smallest is used")
        int critics,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, SacCopies {

    /** Returns the default settings. */
    public static Sac usual(String environment) {
        return SacCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        experience.requireSteps(nSteps(), task);
        long stepsOfRound = experience.collected(task);
        long rounds = StepBudgets.rounds(experience.learning(task), stepsOfRound);
        TrainingEnvironments all = experience.open(task, world, gamma(), rounds * stepsOfRound);
        int width = AlgorithmSettings.boundedActions(all, "SAC").width();
        NetworkBody body = network.body(all.observationSpace());
        Replay memory = experience.buffer(task, all, sampler());
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        Network<Value, SquashedGaussian> actor = graph.module("actor", seen -> SquashedGaussian.of(body, seen, width));
        Network<Critics.Input, Critics> critic = Critics.network(graph, body, critics);
        Temperature alpha = temperatures.of(graph);

        // The critics' target is the soft value of the next observation under the current policy.
        SquashedGaussian.Drawn ahead = actor.apply(step.next()).draw("next_noise");
        Value nextQ = critic.at("target/critic")
                .apply(new Critics.Input(step.next(), ahead.action()))
                .minimum();
        Value target = BellmanTargets.bootstrapped(
                step.reward(),
                step.discount(),
                SoftActorCritic.softValue(nextQ, ahead.logProbability(), alpha.value()));
        Critics now = critic.apply(new Critics.Input(step.observation(), step.action()));
        Value criticLoss = step.loss(RegressionLoss.HALF_SQUARED, target, now.each());

        // The actor maximises the critics' value plus its entropy, weighted by the temperature.
        SquashedGaussian policy = actor.apply(step.observation());
        SquashedGaussian.Drawn drawn = policy.draw("noise");
        Value q = critic.apply(new Critics.Input(step.observation(), drawn.action()))
                .minimum();
        Value actorLoss = SoftActorCritic.actorLoss(q, drawn.logProbability(), alpha.value());

        Program evaluate =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve = Program.compile(
                "actor", Mode.TRAIN, Loss.of(actorLoss).metric("entropy", negate(mean(drawn.logProbability()))));
        Program explore = Program.compile("explore", Mode.EVAL, drawn.action());
        Program act = Program.compile("act", Mode.EVAL, policy.mode());
        Policy exploring = new Policy(explore, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);
        Policy best = new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);

        ReplayCollector collector =
                experience.collector(all, exploring, new Exploration.None(), memory, nSteps(), gamma());
        UpdateRule rule = gradients.adam(rounds);
        Value error = now.error(target);
        Turn.Descend learn = memory.learning(Turn.of("critics", evaluate).updates("critic/**", rule), error);
        List<Turn> pass = TemperatureSettings.update(
                learn,
                improve,
                temperatures.learning(alpha, drawn.logProbability(), width * targetEntropy, rule),
                rule,
                targetDecay());
        Plan round = learning.round(Turn.act("collect", collector), pass);
        Setup setup = Setup.of(OffPolicySettings.networks(graph, pass, explore, act), round, Budget.rounds(rounds))
                .copy("critic/**", "target/critic/**");
        setup = memory.feed(setup, learning.resample(), learn, error);
        return environments().evaluated(setup, world, best, exploring, all);
    }
}
