package hocket.rl.algorithms;

import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.networks.DeterministicActor;
import hocket.rl.replay.Minibatches;
import hocket.rl.search.MirroredSearch;
import hocket.rl.search.ReturnShaping;
import hocket.rl.search.WeightVector;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.GradientSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OptimizerRule;
import hocket.rl.settings.SearchSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.scopes.Shape;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Evolution strategies (Salimans et al. 2017): the gradient of the expected return is estimated from the returns of mirrored
 * candidates, and an optimizer follows it.
 *
 * <p>A round is a generation, {@code sequence(search, update)}. {@code search} is a turn of Java, which writes the candidates;
 * {@code update} descends {@code -⟨actor, estimate⟩}, whose gradient is the estimate, so that it has any optimizer.
 */
public record EvolutionStrategies(
        @SettingGroup SearchSettings task,

        @Setting(usually = "0.05", least = 1e-9, most = 1e6, help = "deviation of the candidates' weights")
        double deviation,

        @Setting(usually = "ranks", help = "the weights of returns in the estimate")
        ReturnShaping shaping,

        @Setting(usually = "adam", help = "the optimizer") OptimizerRule optimizer,

        @SettingGroup(usually = {"rate: 1e-2", "clip_gradients: 1e9"})
        GradientSettings gradients,

        @Setting(usually = "5e-3", least = 0, most = 1e3, help = "factor of half the squared weights in the loss")
        double weightDecay,

        @SettingGroup(usually = {"hidden: [16]", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, EvolutionStrategiesCopies {
    /** Returns the default settings. */
    public static EvolutionStrategies usual(String environment) {
        return EvolutionStrategiesCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        if (population() % 2 != 0) {
            throw new IllegalArgumentException(
                    "population must be even, since candidates are pairs, was " + population());
        }
        TrainingEnvironments all = task.open(world);
        Graph graph = new Graph();
        Policy policy = DeterministicActor.of(
                graph, network.body(all.observationSpace()), AlgorithmSettings.searchedActions(all), all.isMasked());
        MirroredSearch generation = new MirroredSearch(
                task.candidates(world, policy), graph.declarations(), population() / 2, deviation, shaping);
        Program update = Program.compile("update", Mode.TRAIN, Loss.of(loss(graph, policy.program(), weightDecay)));
        Plan round = Plan.sequence(
                Turn.act("search", generation).writes("candidate/**"),
                Turn.of("update", update).updates("actor/**", gradients.rule(optimizer, generations(), 1e-8)));
        Setup setup = Setup.of(Networks.of(graph, policy.program(), update), round, Budget.rounds(generations()))
                .copy("actor/**", "candidate/actor/**")
                .feed(new Minibatches("search", generation.table(), 1), Resample.EACH_TURN);
        return environments().evaluated(setup, world, policy, all);
    }

    /** Returns {@code weightDecay/2·|w|² - ⟨w, ascent⟩} of a program's weights w, whose gradient is that of the estimate. */
    static Value loss(Graph graph, Program policy, double weightDecay) {
        WeightVector order = WeightVector.of("actor/**", graph.declarations());
        Value[] flat = order.declarations().stream()
                .map(each -> reshape(
                        Objects.requireNonNull(policy.parameters().get(each.path())),
                        each.shape().size()))
                .toArray(Value[]::new);
        Value weights = concat(0, flat);
        Value ascent = graph.input(MirroredSearch.ASCENT, Shape.of(order.size()));
        Value decayed = scale(square(weights), weightDecay / 2);
        return mean(sum(subtract(decayed, multiply(weights, ascent)), 0));
    }
}
