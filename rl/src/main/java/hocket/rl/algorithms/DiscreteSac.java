package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.stopGradient;
import static hocket.rl.losses.SoftActorCritic.expectedSoftValue;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.layers.Distributions.Categorical;
import hocket.rl.actors.ActionSelection;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BellmanTargets;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.Critics;
import hocket.rl.networks.NetworkBody;
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
import hocket.rl.spaces.Discrete;
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
 * Soft actor-critic for discrete actions (Christodoulou 2019): critics of all actions at once, and expectations over the
 * policy in place of sampled actions.
 *
 * <p>Rounds are those of {@link Sac}.
 */
public record DiscreteSac(
        @SettingGroup(usually = "total_steps: 20000") TaskSettings task,

        @SettingGroup(usually = "batch: 64") ReplaySettings experience,

        @SettingGroup(usually = {"rate: 3e-4", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @SettingGroup OffPolicySettings learning,

        @SettingGroup TemperatureSettings temperatures,

        @Setting(
                usually = "0.98",
                least = 0,
                most = 1,
                help = "entropy that the temperature is learned for, as a share of the largest, log n of n actions")
        double targetEntropy,

        @Setting(usually = "2", least = 1, most = 100, help = "critics, of whose values the smallest is used")
        int critics,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, DiscreteSacCopies {
    /** Returns the default settings. */
    public static DiscreteSac usual(String environment) {
        return DiscreteSacCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        experience.requireSteps(nSteps(), task);
        long stepsOfRound = experience.collected(task);
        long rounds = StepBudgets.rounds(experience.learning(task), stepsOfRound);
        TrainingEnvironments all = experience.open(task, world, gamma(), rounds * stepsOfRound);
        Discrete actions = AlgorithmSettings.unmaskedActions(all, "discrete SAC");
        NetworkBody body = network.body(all.observationSpace());
        Replay memory = experience.buffer(task, all, sampler());
        Graph graph = new Graph();
        Transition step = Transition.of(graph, memory);
        Network<Value, Value> actor = graph.module("actor", seen -> body.outputs(seen, actions.n(), 0.01));
        Network<Value, Critics> critic = Critics.ofActions(graph, body, actions.n(), critics);
        Temperature alpha = temperatures.of(graph);

        // the critics' target is the soft value of the next observation under the current policy
        Value nextQ = critic.at("target/critic").apply(step.next()).minimum();
        Value nextValue = expectedSoftValue(nextQ, actor.apply(step.next()), alpha.value());
        Value target = BellmanTargets.bootstrapped(step.reward(), step.discount(), nextValue);
        Critics now = critic.apply(step.observation());
        Critics taken = now.of(step.action());
        Value criticLoss = step.loss(RegressionLoss.SQUARED, target, taken.each());

        // the actor maximises the soft value of the observation
        Value logits = actor.apply(step.observation());
        Value q = stopGradient(now.minimum());
        Value actorLoss = negate(mean(expectedSoftValue(q, logits, stopGradient(alpha.value()))));
        Value entropy = new Categorical(logits).entropy();

        Program evaluate =
                Program.compile("critics", Mode.TRAIN, Loss.of(criticLoss).metric("value", mean(now.first())));
        Program improve =
                Program.compile("actor", Mode.TRAIN, Loss.of(actorLoss).metric("entropy", mean(entropy)));
        Program act = Program.compile("act", Mode.EVAL, logits);
        Policy exploring = new Policy(act, ActionSelection.sampled(actions), Policy.ActionTransform.SAME);
        Policy best = new Policy(act, ActionSelection.greedy(actions), Policy.ActionTransform.SAME);

        ReplayCollector collector =
                experience.collector(all, exploring, new Exploration.None(), memory, nSteps(), gamma());
        UpdateRule rule = gradients.adam(rounds);
        Value error = taken.error(target);
        Turn.Descend learn = memory.learning(Turn.of("critics", evaluate).updates("critic/**", rule), error);
        double wanted = targetEntropy * StrictMath.log(actions.n());
        List<Turn> pass = TemperatureSettings.update(
                learn, improve, temperatures.learning(alpha, negate(entropy), wanted, rule), rule, targetDecay());
        Plan round = learning.round(Turn.act("collect", collector), pass);
        Setup setup = Setup.of(OffPolicySettings.networks(graph, pass, act), round, Budget.rounds(rounds))
                .copy("critic/**", "target/critic/**");
        setup = memory.feed(setup, learning.resample(), learn, error);
        return environments().evaluated(setup, world, best, exploring, all);
    }
}
