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
 * @param phases rounds and their budgets, one phase after the other
 * @param copies parameters that begin as copies of others: what they are copies of, by their glob
 * @param feeds where data comes from
 * @param batch rows of turns that read no input, only noise; 0 takes the first source's
 * @param samples what draws samples: its first target; empty where there is nothing to draw
 * @param watches what is done beside training
 * @param validation a figure over rows that are not trained on; empty without
 * @param evaluation how the result is judged; empty where it is not
 * @param film what the result looks like at work; empty where there is nothing to see
 */
public record Experiment(
        Graph graph,
        List<Phase> phases,
        Map<String, String> copies,
        List<Feed> feeds,
        int batch,
        Optional<Program> samples,
        List<Watch> watches,
        Optional<Validation> validation,
        Optional<Evaluation> evaluation,
        Optional<Film> film) {
    /** A source, and when it is drawn from. */
    public record Feed(Source source, Draw draw) {}

    /** What is done when. */
    public record Watch(Trigger trigger, Deed deed) {}

    /** @throws IllegalArgumentException if there is no phase, or two have one name */
    public Experiment {
        phases = List.copyOf(phases);
        copies = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(copies));
        feeds = List.copyOf(feeds);
        watches = List.copyOf(watches);
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("an experiment needs at least one phase");
        }
        Phases.requireNames(phases);
    }

    /** An experiment of one phase; it saves and samples at its end. */
    public static Experiment of(Graph graph, Plan plan, Budget budget) {
        return of(graph, List.of(new Phase("train", plan, budget)));
    }

    /** An experiment of several phases; it saves and samples at its end. */
    public static Experiment of(Graph graph, List<Phase> phases) {
        return new Experiment(
                graph,
                phases,
                Map.of(),
                List.of(),
                0,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** With parameters that begin as copies: {@code copy("generator/**", "ema/generator/**")}. */
    public Experiment copy(String from, String to) {
        Map<String, String> more = new LinkedHashMap<>(copies);
        more.put(to, from);
        return new Experiment(graph, phases, more, feeds, batch, samples, watches, validation, evaluation, film);
    }

    /** With one more source. */
    public Experiment feed(Source source, Draw draw) {
        List<Feed> more = new ArrayList<>(feeds);
        more.add(new Feed(source, draw));
        return new Experiment(graph, phases, copies, more, batch, samples, watches, validation, evaluation, film);
    }

    /** With a number of rows for turns that read no input. */
    public Experiment batch(int rows) {
        return new Experiment(graph, phases, copies, feeds, rows, samples, watches, validation, evaluation, film);
    }

    /** With samples, drawn for the eye at the end, and when a watch says so. */
    public Experiment samples(Program program) {
        return new Experiment(
                graph, phases, copies, feeds, batch, Optional.of(program), watches, validation, evaluation, film);
    }

    /** With something done whenever a trigger fires; checkpoints and samples come at the end in any case. */
    public Experiment on(Trigger trigger, Deed deed) {
        List<Watch> more = new ArrayList<>(watches);
        more.add(new Watch(trigger, deed));
        return new Experiment(graph, phases, copies, feeds, batch, samples, more, validation, evaluation, film);
    }

    /** With a figure over rows that are not trained on. */
    public Experiment validated(Validation by) {
        return new Experiment(graph, phases, copies, feeds, batch, samples, watches, Optional.of(by), evaluation, film);
    }

    /** With a judgement of the result. */
    public Experiment evaluated(Evaluation by) {
        return new Experiment(graph, phases, copies, feeds, batch, samples, watches, validation, Optional.of(by), film);
    }

    /** With a film of the result. */
    public Experiment filmed(Film by) {
        return new Experiment(
                graph, phases, copies, feeds, batch, samples, watches, validation, evaluation, Optional.of(by));
    }

    /**
     * The turns of all phases by name.
     *
     * @throws IllegalArgumentException if two turns have one name
     */
    public Map<String, Turn> turnsByName() {
        return Phases.turnsByName(phases);
    }

    /** The turns of all phases that descend a loss. */
    public List<Turn.Descend> descending() {
        return turnsByName().values().stream()
                .filter(Turn.Descend.class::isInstance)
                .map(Turn.Descend.class::cast)
                .toList();
    }

    /** What the store will hold: the graph's parameters and the copies, in path order. */
    public Collection<Declaration> declarations() {
        TreeMap<Path, Declaration> all = new TreeMap<>();
        graph.declarations().forEach(declaration -> all.put(declaration.path(), declaration));
        copies.forEach((to, from) -> {
            Mapping mapping = Mapping.of(from, to);
            Selection.of(from).of(List.copyOf(all.values())).values().forEach(source -> {
                Path target = mapping.map(source.path());
                all.putIfAbsent(target, source.at(target));
            });
        });
        return all.values();
    }

    /**
     * Checks the plan as far as that can be done by going through its turns, and that the sources feed it, without a store
     * and without an engine. A source that feeds nobody passes here; a scheduler refuses it.
     *
     * @return who writes what
     * @throws MisfitException if a part is sure to fail, naming it
     * @throws IllegalArgumentException if parts do not fit each other: two turns write one path, a source lacks an input
     */
    public Writes check() {
        Writes writes = Writes.of(turnsByName().values(), declarations());
        FeedChecks.check(descending(), feeds.stream().map(Feed::source).toList());
        List<String> sources = new ArrayList<>();
        for (Feed feed : feeds) {
            sources.add(feed.source().name());
            feed.source().columns().forEach(column -> sources.add(column.name()));
        }
        PlanChecks checks = new PlanChecks(sources, writes);
        for (int i = 0; i < phases.size(); i++) {
            checks.check(i, phases.get(i));
        }
        Collection<Turn> turns = turnsByName().values();
        checks.checkWatching(turns);
        for (int i = 0; i < watches.size(); i++) {
            Watch watch = watches.get(i);
            checks.check(i, watch.trigger(), phases, turns);
            checks.check(i, watch.deed(), timesAtLeast(watch.trigger()), turns);
        }
        return writes;
    }

    /** How often a trigger is sure to fire, as far as that is known: at least once. */
    private long timesAtLeast(Trigger trigger) {
        long rounds = 0;
        for (Phase phase : phases) {
            rounds += phase.budget() instanceof Budget.Rounds count ? count.count() : 0;
        }
        return trigger instanceof Trigger.EveryRounds every ? Math.max(1, rounds / every.rounds()) : 1;
    }

    /** The store at the start of a run of this seed. Close it after use. */
    public Parameters initialise(long seed) {
        Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(seed));
        try {
            copies.forEach((to, from) -> parameters.copy(from, to));
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /**
     * A scheduler with this experiment's phases and sources over a store: {@link Scheduler#run()} trains. Close it after use.
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
            if (batch > 0) {
                scheduler.batch(batch);
            }
            scheduler.phases(phases);
            return scheduler;
        } catch (RuntimeException | Error e) {
            scheduler.close();
            throw e;
        }
    }
}
