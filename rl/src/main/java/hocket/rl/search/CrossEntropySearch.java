package hocket.rl.search;

import hocket.rl.actors.CandidateEpisodes;
import hocket.rl.random.Pcg64;
import hocket.schedulers.Run;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;

/**
 * A turn of Java that takes a generation of the cross-entropy method: it samples candidates around the weights {@code
 * actor/**}, plays each as {@code candidate/actor/**}, and writes the mean of the best ones. It reports {@code
 * best_candidate}, the highest mean return, and {@code deviation}, the mean of the deviations.
 */
public final class CrossEntropySearch implements Turn.Action, Stateful, AutoCloseable {
    private final CandidateEpisodes episodes;
    private final int population;
    private final int elites;
    private final double initialDeviation;
    private final double smoothing;
    private final double extra;
    private final long extraGenerations;
    private double[] deviation = {};
    private long generation;

    /**
     * Makes a search.
     *
     * @param initialDeviation of each weight in the first generation
     * @param smoothing share of the fit in new means and deviations
     * @param extra added to the deviations after the first generation; it decreases linearly
     * @param extraGenerations generations in which it decreases to 0
     */
    public CrossEntropySearch(
            CandidateEpisodes episodes,
            int population,
            int elites,
            double initialDeviation,
            double smoothing,
            double extra,
            long extraGenerations) {
        this.episodes = episodes;
        this.population = population;
        this.elites = elites;
        this.initialDeviation = initialDeviation;
        this.smoothing = smoothing;
        this.extra = extra;
        this.extraGenerations = extraGenerations;
    }

    @Override
    public void act(Run run) {
        Parameters parameters = run.parameters();
        WeightVector actor = WeightVector.of("actor/**", parameters.declarations());
        WeightVector candidate = WeightVector.of("candidate/**", parameters.declarations());
        if (deviation.length == 0) {
            deviation = new double[actor.size()];
            Arrays.fill(deviation, initialDeviation);
        }
        Diagonal distribution = new Diagonal(actor.read(parameters), deviation);
        Pcg64 random = CandidateEpisodes.noise(parameters, generation);
        Limits.elements("population: candidates and their weights", population, actor.size(), Double.BYTES);
        double[][] samples = new double[population][];
        double[] scores = new double[population];
        for (int i = 0; i < population; i++) {
            samples[i] = distribution.sample(random);
            candidate.write(parameters, samples[i]);
            scores[i] = episodes.play(run, generation);
        }
        double left = Math.max(0, 1 - (double) generation / extraGenerations);
        Diagonal next = distribution.fitted(samples, scores, elites, smoothing, extra * left);
        actor.write(parameters, next.mean());
        deviation = next.deviation();
        generation++;
        episodes.report(run);
        run.report("best_candidate", Arrays.stream(scores).max().orElseThrow());
        run.report("deviation", Arrays.stream(deviation).sum() / deviation.length);
    }

    @Override
    public State save() {
        State state = State.empty().with("generation", generation).with("episodes", episodes.save());
        return deviation.length == 0
                ? state
                : state.with("deviation", Tensor.of(Shape.of(deviation.length), deviation));
    }

    @Override
    public void restore(State state) {
        double[] saved = state.has("deviation") ? state.tensor("deviation").doubles() : new double[0];
        episodes.restore(state.state("episodes"));
        generation = state.whole("generation");
        deviation = saved;
    }

    @Override
    public void close() {
        episodes.close();
    }
}
