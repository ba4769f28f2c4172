package hocket.rl.algorithms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Exploration;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BalancedKl;
import hocket.rl.losses.CategoricalAtoms;
import hocket.rl.models.Imagination;
import hocket.rl.models.ImaginedReturns;
import hocket.rl.models.LatentActions;
import hocket.rl.models.LatentPolicy;
import hocket.rl.models.ReturnScale;
import hocket.rl.models.WorldModel;
import hocket.rl.networks.NetworkBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.ReplayCollector;
import hocket.rl.replay.Sequences;
import hocket.rl.replay.StepSequence;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.BehaviourSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.ReplaySettings;
import hocket.rl.settings.StepBudgets;
import hocket.rl.settings.TaskSettings;
import hocket.rl.settings.WorldModelSettings;
import hocket.rl.spaces.Box;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * A small DreamerV3 (Hafner et al. 2023, "Mastering diverse domains through world models"): a world model
 * learns from recorded steps, and actor and critic from rollouts that are imagined in it.
 *
 * <p>A round is {@code sequence(collect, model, behaviour, scale, target)}; model and behaviour see the same sequences. Unlike
 * there, λ-returns bootstrap from a target network of the critic, and Adam clips gradients by their norm.
 */
public record Dreamer(
        @SettingGroup(usually = "total_steps: 20000") TaskSettings task,

        @SettingGroup(usually = {"batch: 256", "collect: 8", "learning_starts: 1000", "replay: 100000"})
        ReplaySettings experience,

        @SettingGroup WorldModelSettings states,

        @SettingGroup BehaviourSettings behaviour,

        @SettingGroup(usually = {"rate: 1e-3", "clip_gradients: 100"})
        GradientSettings gradients,

        @SettingGroup(usually = {"activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, DreamerCopies {
    private static final BalancedKl BALANCE = new BalancedKl(0.5, 0.1, 1);
    private static final double SCALE_KEPT = 0.99;

    /** Returns the default settings. */
    public static Dreamer usual(String environment) {
        return DreamerCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        long stepsOfRound = experience.collected(task);
        long rounds = StepBudgets.rounds(experience.learning(task), stepsOfRound);
        TrainingEnvironments all = experience.open(task, world, gamma(), rounds * stepsOfRound);
        LatentActions actions = LatentActions.of(all, "Dreamer");
        Box observations = AlgorithmSettings.boxedObservations(all, "Dreamer");
        NetworkBody body = network.body(observations);
        Replay replay = states.buffer(experience, task, all);
        Graph graph = new Graph();
        StepSequence steps = StepSequence.of(graph, replay, states.layout());
        WorldModel model = new WorldModel(graph, body, observations, actions, states);
        CategoricalAtoms atoms = model.atoms();
        Network<Value, Value> actor = graph.module("actor", x -> body.mlp().body(x, actions.outputs(), 0));
        Network<Value, Value> critic = graph.module("critic", x -> model.predicted(body, x));

        // the world model predicts recorded steps
        Program learn =
                Program.compile("model", Mode.TRAIN, model.loss(steps, model.observe(steps, "recorded"), BALANCE));

        // actor and critic learn from rollouts that start from the states of recorded steps
        Imagination imagined = Imagination.of(model, model.observe(steps, "replayed"), actor, horizon());
        ImaginedReturns imaginedReturns = model.returns(imagined, gamma());
        Value weights = stopGradient(imaginedReturns.weights());
        Value values = atoms.expectation(critic.at("target/critic").apply(imagined.features()));
        Value returns = stopGradient(imaginedReturns.lambda(values, lambda()));
        Value valueLogits = critic.apply(imagined.acting());
        Value criticLoss = mean(multiply(weights, atoms.crossEntropy(valueLogits, atoms.twoHot(returns))));
        ReturnScale scale = new ReturnScale(graph, SCALE_KEPT);
        Value advantage = stopGradient(divide(subtract(returns, atoms.expectation(valueLogits)), scale.scale()));
        Value outputs = actor.apply(imagined.acting());
        Value nats = actions.entropy(outputs);
        Value objective =
                add(multiply(advantage, actions.logProbability(outputs, imagined.actions())), scale(nats, entropy()));
        Value actorLoss = negate(mean(multiply(weights, objective)));
        Program behave = Program.compile(
                "behaviour",
                Mode.TRAIN,
                Loss.of(add(actorLoss, criticLoss))
                        .metric("entropy", mean(nats))
                        .metric("return", mean(returns)));

        LatentPolicy policy = LatentPolicy.of(model, actor, steps.state());
        ReplayCollector collector = experience.collector(
                all, policy.acting(), new Exploration.None(), new Sequences(all, replay, states.layout(), gamma()));
        Turn.Descend improve = Turn.of("behaviour", behave)
                .updates("actor/**", gradients.rule(OptimizerRule.ADAM, rounds, 1e-8))
                .updates("critic/**", gradients.rule(OptimizerRule.ADAM, rounds, 1e-8))
                .observes(returns);
        Plan round = Plan.sequence(
                Turn.act("collect", collector),
                Turn.of("model", learn)
                        .updates("model/**", gradients.rate(modelRate()).rule(OptimizerRule.ADAM, rounds, 1e-8)),
                improve,
                Turn.act("scale", scale).writes("returns/**"),
                Turn.follow("target", "critic/**", "target/critic/**", targetDecay()));
        Setup setup = Setup.of(policy.programs(graph, learn, behave), round, Budget.rounds(rounds))
                .copy("critic/**", "target/critic/**")
                .feed(replay, Resample.EACH_ROUND);
        return environments().evaluated(scale.of(setup, improve, returns), world, policy.best(), policy.acting(), all);
    }
}
