package hocket.schedulers;

import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything a run needs but the seed: what is computed, who changes what when, from which data, for how long, and what
 * comes of it. Immutable data; made by {@link #of} and completed by copies.
 *
 * @param graph what can be computed
 * @param plan a round
 * @param budget how long
 * @param copies parameters that begin as copies of others, from glob to glob
 * @param feeds where data comes from
 * @param samples what draws samples from noise alone: its first target; empty where there is nothing to draw
 * @param sampleEvery when samples are drawn for the eye
 * @param saveEvery when a checkpoint is written
 * @param evaluation how the result is judged; empty where it is not
 */
public record Experiment(
        Graph graph,
        Plan plan,
        Budget budget,
        Map<String, String> copies,
        List<Feed> feeds,
        Optional<Program> samples,
        Trigger sampleEvery,
        Trigger saveEvery,
        Optional<Evaluation> evaluation) {
    /** A source, and when it is drawn from. */
    public record Feed(Source source, Draw draw) {}

    public Experiment {
        copies = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(copies));
        feeds = List.copyOf(feeds);
    }

    /** An experiment that saves and samples at its end. */
    public static Experiment of(Graph graph, Plan plan, Budget budget) {
        return new Experiment(
                graph,
                plan,
                budget,
                Map.of(),
                List.of(),
                Optional.empty(),
                Trigger.atEnd(),
                Trigger.atEnd(),
                Optional.empty());
    }

    /** With parameters that begin as copies: {@code copy("generator/**", "ema/generator/**")}. */
    public Experiment copy(String from, String to) {
        Map<String, String> more = new LinkedHashMap<>(copies);
        more.put(from, to);
        return new Experiment(graph, plan, budget, more, feeds, samples, sampleEvery, saveEvery, evaluation);
    }

    /** With one more source. */
    public Experiment feed(Source source, Draw draw) {
        List<Feed> more = new ArrayList<>(feeds);
        more.add(new Feed(source, draw));
        return new Experiment(graph, plan, budget, copies, more, samples, sampleEvery, saveEvery, evaluation);
    }

    /** With samples, drawn for the eye when the trigger fires and at the end. */
    public Experiment samples(Program program, Trigger every) {
        return new Experiment(graph, plan, budget, copies, feeds, Optional.of(program), every, saveEvery, evaluation);
    }

    /** With checkpoints when the trigger fires and at the end. */
    public Experiment saves(Trigger every) {
        return new Experiment(graph, plan, budget, copies, feeds, samples, sampleEvery, every, evaluation);
    }

    /** With a judgement of the result. */
    public Experiment evaluated(Evaluation by) {
        return new Experiment(graph, plan, budget, copies, feeds, samples, sampleEvery, saveEvery, Optional.of(by));
    }

    /** What the store will hold: the graph's parameters and the copies, in path order. */
    public Collection<Declaration> declarations() {
        TreeMap<Path, Declaration> all = new TreeMap<>();
        graph.declarations().forEach(declaration -> all.put(declaration.path(), declaration));
        copies.forEach((from, to) -> {
            Mapping mapping = Mapping.of(from, to);
            Selection.of(from).of(List.copyOf(all.values())).values().forEach(source -> {
                Path target = mapping.map(source.path());
                all.putIfAbsent(target, source.at(target));
            });
        });
        return all.values();
    }

    /**
     * Checks the plan, and that the sources feed it, without a store and without an engine.
     *
     * @return who writes what
     * @throws IllegalArgumentException if the plan is refused, or the sources do not fit it
     */
    public Writes check() {
        Collection<Turn> turns = plan.turnsByName().values();
        Writes writes = Writes.of(turns, declarations());
        FeedChecks.check(
                turns.stream()
                        .filter(Turn.Descend.class::isInstance)
                        .map(Turn.Descend.class::cast)
                        .toList(),
                feeds.stream().map(Feed::source).toList());
        return writes;
    }

    /** The store at the start of a run of this seed. Close it after use. */
    public Parameters initialise(long seed) {
        Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(seed));
        try {
            copies.forEach(parameters::copy);
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /**
     * A scheduler with this experiment's plan and sources over a store. Close it after use.
     *
     * @throws IllegalArgumentException if the plan is refused, or the sources do not fit it
     */
    public Scheduler schedule(Parameters parameters) {
        return schedule(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** The same with a given number of threads, on which results may depend. */
    public Scheduler schedule(Parameters parameters, int threads) {
        Scheduler scheduler = Scheduler.over(parameters, threads);
        try {
            feeds.forEach(feed -> scheduler.feed(feed.source(), feed.draw()));
            scheduler.plan(plan).check(budget);
            return scheduler;
        } catch (RuntimeException | Error e) {
            scheduler.close();
            throw e;
        }
    }
}
