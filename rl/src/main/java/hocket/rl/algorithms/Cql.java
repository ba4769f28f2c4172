package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.stopGradient;

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
import hocket.rl.losses.SoftActorCritic;
import hocket.rl.networks.Critics;
import hocket.rl.networks.NetworkBody;
import hocket.rl.networks.SampledActions;
import hocket.rl.networks.SquashedGaussian;
import hocket.rl.networks.Temperature;
import hocket.rl.offline.OfflineData;
import hocket.rl.replay.Transition;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OffPolicySettings;
import hocket.rl.settings.OfflineSettings;
import hocket.rl.settings.RateSettings;
import hocket.rl.settings.TemperatureSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Conservative Q-learning of actions of a box from recorded steps (Kumar et al. 2020, CQL(H) with importance sampling): soft
 * actor-critic, whose critics are lowered for sampled actions. As in the authors' code, targets have no entropy.
 *
 * <p>A round is {@code sequence(critics, actor, temperature, target)}; its losses see the same steps.
 */
public record Cql(
        @SettingGroup OfflineSettings task,

        @Setting(usually = "5", least = 0, most = 1e6, help = "weight of the conservative term")
        double conservative,

        @Setting(
                usually = "10",
                least = 1,
                most = 100,
                help = "sampled actions: at random, of the policy here, and of the policy after the step, as many each")
        int samples,

        @SettingGroup RateSettings rates,

        @SettingGroup TemperatureSettings temperatures,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the target's own weights that an update keeps")
        double targetDecay,

        @Setting(usually = "2", least = 1, most = 100, help = "critics, of whose values the smallest is used")
        int critics,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, CqlCopies {
    /** Returns the default settings. */
    public static Cql usual(String environment, Path data) {
        return CqlCopies.usual(environment, data);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        TrainingEnvironments all = task.open(world);
        int width = AlgorithmSettings.boundedActions(all, "CQL").width();
        NetworkBody body = network.body(all.observationSpace());
        OfflineData steps = task.steps(all, true);
        Graph graph = new Graph();
        Transition step = Transition.of(graph, steps);
        Network<Value, SquashedGaussian> actor = graph.module("actor", seen -> SquashedGaussian.of(body, seen, width));
        Network<Critics.Input, Critics> critic = Critics.network(graph, body, critics);
        Temperature alpha = temperatures.of(graph);

        SquashedGaussian policy = actor.apply(step.observation());
        SquashedGaussian policyAfter = actor.apply(step.next());
        Value nextQ = critic.at("target/critic")
                .apply(new Critics.Input(
                        step.next(), policyAfter.draw("next_noise").action()))
                .minimum();
        Value target = BellmanTargets.bootstrapped(step.reward(), step.discount(), stopGradient(nextQ));
        Critics now = critic.apply(new Critics.Input(step.observation(), step.action()));
        SampledActions sampled = SampledActions.of(graph, policy, policyAfter, width, samples);
        Value conservativeLoss = sampled.conservative(critic, step.observation(), now);
        Value criticLoss = add(now.loss(RegressionLoss.SQUARED, target), scale(conservativeLoss, conservative));

        SquashedGaussian.Drawn drawn = policy.draw("noise");
        Value q = critic.apply(new Critics.Input(step.observation(), drawn.action()))
                .minimum();
        Value actorLoss = SoftActorCritic.actorLoss(q, drawn.logProbability(), alpha.value());

        Program evaluate = Program.compile(
                "critics",
                Mode.TRAIN,
                Loss.of(criticLoss).metric("value", mean(now.first())).metric("conservative", conservativeLoss));
        Program improve = Program.compile(
                "actor", Mode.TRAIN, Loss.of(actorLoss).metric("entropy", negate(mean(drawn.logProbability()))));
        Program act = Program.compile("act", Mode.EVAL, policy.mode());
        Policy best = new Policy(act, ActionSelection.deterministic(width), Policy.ActionTransform.SCALED);
        UpdateRule rule = rates.adam(updates(), RateUnit.ROUND);
        List<Turn> turns = TemperatureSettings.update(
                Turn.of("critics", evaluate).updates("critic/**", rule),
                improve,
                temperatures.learning(alpha, drawn.logProbability(), -width, rule),
                rule,
                targetDecay);
        Plan round = Plan.sequence(turns.toArray(Plan[]::new));
        Setup setup = Setup.of(OffPolicySettings.networks(graph, turns, act), round, Budget.rounds(updates()))
                .copy("critic/**", "target/critic/**")
                .feed(steps, Resample.EACH_ROUND);
        return task.evaluated(setup, world, best, best, all, steps);
    }
}
