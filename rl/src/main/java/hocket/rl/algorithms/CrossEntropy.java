package hocket.rl.algorithms;

import hocket.programs.Graph;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.networks.DeterministicActor;
import hocket.rl.search.CrossEntropySearch;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.SearchSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.function.Supplier;

/**
 * The cross-entropy method (Rubinstein 1999; of policies, Szita and Lörincz 2006): candidates are drawn from a normal
 * distribution of weights, and its mean and deviations become those of the best ones.
 *
 * <p>A round is a generation, {@code search}: a turn of Java, which writes the mean {@code actor/**} and the candidates.
 */
public record CrossEntropy(
        @SettingGroup SearchSettings task,

        @Setting(usually = "0.2", least = 0, most = 1, help = "share of a generation that the next one is fitted to")
        double eliteShare,

        @Setting(usually = "1", least = 1e-9, most = 1e6, help = "deviation of each weight in the first generation")
        double deviation,

        @Setting(usually = "1", least = 1e-9, most = 1, help = "share of the fit in new means and deviations")
        double smoothing,

        @Setting(usually = "0", least = 0, most = 1e6, help = "added to deviations; it decreases linearly to 0")
        double extraDeviation,

        @Setting(
                usually = "0.5",
                least = 1e-9,
                most = 1,
                help = "share of the generations in which the added deviation decreases")
        double extraFraction,

        @SettingGroup(usually = {"hidden: [16]", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, CrossEntropyCopies {
    /** Returns the default settings. */
    public static CrossEntropy usual(String environment) {
        return CrossEntropyCopies.usual(environment);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        int elites = (int) Math.round(eliteShare * population());
        if (elites < 2) { // one has no deviation
            throw new IllegalArgumentException("elite_share of population must be at least two candidates, were "
                    + eliteShare + " and " + population());
        }
        TrainingEnvironments all = task.open(world);
        Graph graph = new Graph();
        Policy policy = DeterministicActor.of(
                graph, network.body(all.observationSpace()), AlgorithmSettings.searchedActions(all), all.isMasked());
        long decreasing = Math.max(1, Math.round(extraFraction * generations()));
        CrossEntropySearch generation = new CrossEntropySearch(
                task.candidates(world, policy), population(), elites, deviation, smoothing, extraDeviation, decreasing);
        Turn turn = Turn.act("search", generation).writes("actor/**", "candidate/**");
        Setup setup = Setup.of(Networks.of(graph, policy.program()), turn, Budget.rounds(generations()))
                .copy("actor/**", "candidate/actor/**");
        return environments().evaluated(setup, world, policy, all);
    }
}
