package hocket.schedulers;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Film;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.inference.InferenceFunction;
import hocket.schedulers.plans.Phases;
import hocket.schedulers.rings.Samples;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.runs.DivergenceRules;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.runs.SetupChecks;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.turns.ActionStates;
import hocket.schedulers.turns.Inheriting;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All parts of a run except the seed: programs, turns, plan, data, budget, and outputs. {@link #of} makes one and its
 * copies complete it. Data is opened when a run starts, so a setup can be started any number of times. A setup with an
 * open source or with a stateful turn of Java can be started once; a {@link Definition} makes a new one for each run.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Setup gan = Setup.of(graph, sequence(d, g, ema), rounds(1000))
 *         .copy("generator/**", "ema/generator/**")
 *         .feed(images, EACH_TURN)
 *         .samples(draw);
 * }</pre>
 */
public final class Setup {
    /** Sources, and when they are drawn from. */
    public record Feed(SourceDescription source, Resample draw) {
        private Feed open() {
            return new Feed(source.open(), draw);
        }
    }

    /** Actions and their triggers. */
    public record Watch(Trigger trigger, Action action) {}

    /**
     * The parts that copies of a setup change: its data, the rings around training, its results, and checks before training.
     *
     * @param batch rows of turns that read no input; 0 for those of the first source
     * @param copies source globs by the globs of the copies
     * @param division how workers share rows
     * @param without names of rings that are left out
     * @param training rules of training
     * @param plans the reader of plans while it runs
     */
    record Parts(
            List<Phase> phases,
            List<Feed> feeds,
            int batch,
            Map<String, String> copies,
            DataParallelSplit division,
            List<Watch> watches,
            List<Ring> rings,
            List<String> without,
            Optional<Program> samples,
            Optional<Validation> validation,
            Optional<Evaluation> evaluation,
            Optional<Film> film,
            Optional<InferenceFunction> inference,
            List<Supplier<List<String>>> warnings,
            List<Runnable> training,
            Optional<Function<String, Plan>> plans)
            implements PartsCopies {
        private Parts(List<Phase> phases) {
            this(
                    phases,
                    List.of(),
                    0,
                    Map.of(),
                    DataParallelSplit.NONE,
                    List.of(),
                    List.of(),
                    List.of(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Optional.empty());
        }
    }

    private final Networks networks;
    private final Parts parts;

    /** Whether stateful parts belong to a run already; copies share this flag as they share the parts. */
    private final AtomicBoolean begun;

    private Setup(Networks networks, Parts parts, AtomicBoolean begun) {
        this.networks = networks;
        this.parts = parts;
        this.begun = begun;
    }

    /** A setup of one phase, which saves and samples at its end. */
    public static Setup of(Networks networks, Plan plan, Budget budget) {
        return of(networks, List.of(new Phase("train", plan, budget)));
    }

    /**
     * A setup of several phases, one after the other, which saves and samples at its end.
     *
     * @throws IllegalArgumentException if there is no phase, or two have one name
     */
    public static Setup of(Networks networks, List<Phase> phases) {
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("a run needs at least one phase");
        }
        Phases.requireNames(phases);
        return new Setup(networks, new Parts(List.copyOf(phases)), new AtomicBoolean());
    }

    /** A setup of one phase, whose programs are those of its turns. */
    public static Setup of(Graph graph, Plan plan, Budget budget) {
        return of(Networks.of(graph), plan, budget);
    }

    /** A setup of several phases, whose programs are those of their turns. */
    public static Setup of(Graph graph, List<Phase> phases) {
        return of(Networks.of(graph), phases);
    }

    private Setup with(Parts other) {
        return new Setup(networks, other, begun);
    }

    private static <T> List<T> and(List<T> all, T more) {
        return Stream.concat(all.stream(), Stream.of(more)).toList();
    }

    /** Adds parameters that start as copies: {@code copy("generator/**", "ema/generator/**")}. */
    public Setup copy(String from, String to) {
        Map<String, String> copies = new LinkedHashMap<>(parts.copies);
        copies.put(to, from);
        return with(parts.copies(Collections.unmodifiableMap(copies)));
    }

    /** Adds a source, or a description of one that is opened when a run starts. */
    public Setup feed(SourceDescription source, Resample resample) {
        return with(parts.feeds(and(parts.feeds, new Feed(source, resample))));
    }

    /** Sets the number of rows of turns that read no input; the default is the first source's batch size. */
    public Setup batch(int rows) {
        return with(parts.batch(rows));
    }

    /** Shares the rows of turns among workers. */
    public Setup divided(DataParallelSplit among) {
        return with(parts.division(among));
    }

    /** Shares the rows of turns among workers in several processes. */
    public Setup among(Exchange processes) {
        return divided(parts.division.through(processes));
    }

    /**
     * Adds samples, the program's first target, drawn at the end and by actions that say so.
     *
     * @throws IllegalArgumentException if the program is compiled for TRAIN
     */
    public Setup samples(Program program) {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException(
                    "program " + program.name() + " is compiled for TRAIN; samples are drawn by an EVAL program");
        }
        return with(parts.samples(Optional.of(program)));
    }

    /** Adds an action that runs whenever a trigger fires; checkpoints and samples are made at the end in any case. */
    public Setup on(Trigger trigger, Action action) {
        return with(parts.watches(and(parts.watches, new Watch(trigger, action))));
    }

    /** Adds a ring around the run, inside earlier rings of the same order. */
    public Setup ring(Ring ring) {
        return with(parts.rings(and(parts.rings, ring)));
    }

    /**
     * Removes the rings of a name, such as {@code samples}, or {@value Learn#NAME}, without which the run infers. An
     * unknown name is refused when the run starts.
     */
    public Setup without(String ring) {
        return with(parts.without(and(parts.without, ring)));
    }

    /** Adds a validation: a metric over rows that are not trained on. */
    public Setup validated(Validation by) {
        return with(parts.validation(Optional.of(by)));
    }

    /** Adds an evaluation of the result. */
    public Setup evaluated(Evaluation by) {
        return with(parts.evaluation(Optional.of(by)));
    }

    /** Adds the function of the result for callers, where it is more than a program. */
    public Setup inferred(InferenceFunction by) {
        return with(parts.inference(Optional.of(by)));
    }

    /** Adds a film of the result. */
    public Setup filmed(Film by) {
        return with(parts.film(Optional.of(by)));
    }

    /**
     * Adds a check of parts that a plan cannot show, such as user-written environments.
     *
     * @param look returns a sentence for each problem, which names the part; may be slow
     */
    public Setup warnedBy(Supplier<List<String>> look) {
        return with(parts.warnings(and(parts.warnings, look)));
    }

    /**
     * Adds a rule of training. Runs that an earlier version trained without the rule can still be evaluated and filmed.
     *
     * @param rule throws an {@link IllegalArgumentException} that names the setting and both values
     */
    public Setup trainedOnlyIf(Runnable rule) {
        return with(parts.training(and(parts.training, rule)));
    }

    /** @throws IllegalArgumentException if a rule of training refuses it */
    public void requireTrainable() {
        parts.training.forEach(Runnable::run);
    }

    /**
     * Sets the reader of plans that a person sets during a run.
     *
     * @param reader parses a plan, or throws an {@link IllegalArgumentException} that says what is wrong
     */
    public Setup plansReadBy(Function<String, Plan> reader) {
        return with(parts.plans(Optional.of(reader)));
    }

    /**
     * Parses a plan that a person set during a run.
     *
     * @throws IllegalArgumentException if it is not a plan, saying why
     */
    public Plan plan(String text) {
        return parts.plans
                .orElseThrow(() -> new IllegalArgumentException("this setup has no reader of plans"))
                .apply(text);
    }

    /** Returns the graph and the programs by name. */
    public Networks networks() {
        return networks;
    }

    /** Returns the graph. */
    public Graph graph() {
        return networks.graph();
    }

    /** Returns the phases in their order. */
    public List<Phase> phases() {
        return parts.phases;
    }

    /** Returns the parameters that start as copies: source globs by the globs of the copies. */
    public Map<String, String> copies() {
        return parts.copies;
    }

    /** Returns the sources. */
    public List<Feed> feeds() {
        return parts.feeds;
    }

    /** Returns the rows of turns that read no input, only noise; 0 means the first source's batch size. */
    public int batch() {
        return parts.batch;
    }

    /** Returns how workers share rows. */
    public DataParallelSplit division() {
        return parts.division;
    }

    /** Returns the program whose first target is the samples; empty where there is none. */
    public Optional<Program> samples() {
        return parts.samples;
    }

    /** Returns the actions and their triggers. */
    public List<Watch> watches() {
        return parts.watches;
    }

    /**
     * Returns the rings of the run, from the outermost to {@link Learn}: the actions as rings named like them, samples
     * and validation at the end, a checkpoint at the end of a run with a folder, and the rings of {@link #ring}.
     *
     * @throws IllegalArgumentException if an action lacks a part of the setup, or a ring to be removed is unknown
     */
    public List<Ring> rings() {
        List<Ring> all = new ArrayList<>();
        for (int i = 0; i < parts.watches.size(); i++) {
            Watch watch = parts.watches.get(i);
            IncompatibleSetupException.attempt(
                    "watches/" + i + "/action", () -> all.add(watch.action().ring(watch.trigger(), this)));
        }
        Samples.of(this).ifPresent(drawn -> all.add(TriggeredAction.samples(Trigger.atEnd(), drawn)));
        parts.validation.ifPresent(by -> all.add(TriggeredAction.validate(Trigger.atEnd(), by)));
        all.add(TriggeredAction.saveAtEnd());
        all.addAll(parts.rings);
        all.add(new Learn());
        for (String name : new LinkedHashSet<>(parts.without)) {
            if (!all.removeIf(ring -> ring.name().equals(name))) {
                throw new IncompatibleSetupException(
                        "without",
                        "no ring is called " + name
                                + SimilarNames.among(
                                        name, all.stream().map(Ring::name).toList()));
            }
        }
        all.sort(Comparator.comparingInt(Ring::order));
        return all;
    }

    /** Returns the validation over rows that are not trained on; empty without one. */
    public Optional<Validation> validation() {
        return parts.validation;
    }

    /** Returns the evaluation of the result; empty without one. */
    public Optional<Evaluation> evaluation() {
        return parts.evaluation;
    }

    /** Returns the film of the result; empty without one. */
    public Optional<Film> film() {
        return parts.film;
    }

    /** Returns the trained model's function for callers, such as a policy; empty where its programs suffice. */
    public Optional<InferenceFunction> inference() {
        return parts.inference;
    }

    /** Runs the checks of its parts and returns what looks wrong; a run and {@code hocket plan} print it. */
    public List<String> warnings() {
        return parts.warnings.stream()
                .flatMap(look -> look.get().stream())
                .distinct()
                .toList();
    }

    /**
     * Returns the turns of all phases by name.
     *
     * @throws IncompatibleSetupException if two turns have one name
     */
    public Map<String, Turn> turnsByName() {
        return Phases.turnsByName(parts.phases);
    }

    /** Returns the turns of all phases that descend a loss. */
    public List<Turn.Descend> descending() {
        return Turn.descending(turnsByName().values());
    }

    /**
     * Returns the declarations of the store: the graph's parameters and the copies, in path order.
     *
     * @throws IncompatibleSetupException if there is nothing to copy
     */
    public Collection<Declaration> declarations() {
        TreeMap<Path, Declaration> all = new TreeMap<>();
        graph().declarations().forEach(declaration -> all.put(declaration.path(), declaration));
        parts.copies.forEach((to, from) -> IncompatibleSetupException.attempt("copies/" + to, () -> {
            Mapping mapping = Mapping.of(from, to);
            Selection.of(from).of(List.copyOf(all.values())).values().forEach(source -> {
                Path target = mapping.map(source.path());
                all.putIfAbsent(target, source.at(target));
            });
        }));
        return all.values();
    }

    /**
     * Checks, without a store or engine, the plan by walking through its turns, and that the sources feed it. An unused
     * source passes here; a scheduler refuses it.
     *
     * @return the paths that each turn writes
     * @throws IncompatibleSetupException if a part is certain to fail or contradicts another: two turns write one path,
     *     no source feeds an input
     */
    public Writes check() {
        return new SetupChecks(this).check();
    }

    /**
     * Checks that every worker has a row of each turn. Of workers in several processes, whose clocks differ, checks
     * that no action that changes a run depends on a clock, and that no source gives rows to one process alone.
     *
     * @throws IllegalArgumentException otherwise, naming turn, source and rows, the action, or the source
     */
    public void checkDivision() {
        new SetupChecks(this).checkDivision();
    }

    /**
     * Checks that processes with different weights make the same decisions.
     *
     * @throws IllegalArgumentException if a selection matches no path that a turn updates, a turn's paths are exchanged
     *     in two ways, or a decision depends on rows of one process, naming it
     */
    public void checkConsistency() {
        if (!parts.division.consistency().isEmpty()) {
            new DivergenceRules(this).check();
        }
    }

    /** Returns whether processes synchronise in its rounds; false where servers update all weights. */
    public boolean meets() {
        return new DivergenceRules(this).meets();
    }

    /**
     * An average across processes of weights that they update separately.
     *
     * @param turns that update these weights
     * @param rounds between two averagings
     * @param numbers that each process sends and receives
     */
    public record Mean(List<String> turns, int rounds, long numbers) {}

    /** Returns the averages across processes, where there are several. */
    public List<Mean> means() {
        return parts.division.exchange().processes() == 1 ? List.of() : new DivergenceRules(this).means();
    }

    /** Returns a new store with the initial values of a run with this seed. The caller closes it. */
    public Parameters initialise(long seed) {
        Parameters parameters = Parameters.initialise(graph().declarations(), Streams.seed(seed));
        try {
            parts.copies.forEach((to, from) -> parameters.copy(from, to));
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /**
     * Copies what {@link Inheriting} turns of Java in another run had learnt besides its parameters, by their names.
     * The run must not have started, and its store is filled from the same state.
     *
     * @param saved the complete state of the other run
     * @throws IllegalArgumentException if it does not fit; nothing has changed then
     */
    public void inherit(State saved) {
        inherit(saved, declarations().stream().map(Declaration::path).collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Copies the states of turns if only some parameters come from the other run: a turn keeps its own state unless all
     * parameters of its program do.
     *
     * @param filled the paths of this run's store that were filled from the same state
     */
    public void inherit(State saved, Set<Path> filled) {
        ActionStates.inherit(turnsByName().values(), saved, filled);
    }

    /** Returns whether a turn of Java has state besides the parameters, such as observation statistics. */
    public boolean hasActionStates() {
        return ActionStates.areKept(turnsByName().values());
    }

    /**
     * Restores the state of turns of Java from a run of this setup, to inspect the trained result.
     *
     * @param saved the complete state of the run
     * @throws IllegalArgumentException if it does not fit
     */
    public void restoreActions(State saved) {
        ActionStates.restore(turnsByName().values(), saved);
    }

    /** Returns the rings of {@link #ring}. */
    public List<Ring> ownRings() {
        return parts.rings;
    }

    /** Returns this setup with open sources, which belong to one run. */
    public Setup open() {
        List<Feed> feeds = parts.feeds.stream().map(Feed::open).toList();
        Setup open = new Setup(networks, parts.feeds(feeds), moves() ? begun : new AtomicBoolean());
        return parts.validation.map(by -> open.validated(by.open())).orElse(open);
    }

    /** Returns whether a part is stateful: an open source, or a turn or ring with state. */
    private boolean moves() {
        return hasActionStates()
                || parts.feeds.stream().anyMatch(feed -> feed.source() instanceof Source)
                || parts.rings.stream().anyMatch(Stateful.class::isInstance);
    }

    /**
     * Makes a scheduler with these phases, sources and rings over a store; {@link Scheduler#run()} trains. Close it
     * after use.
     *
     * @throws IllegalArgumentException if the plan is refused, or the sources do not fit it
     * @throws IllegalStateException if stateful parts were started before, in this setup or a copy
     */
    public Scheduler schedule(Parameters parameters) {
        return schedule(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** Makes a scheduler with a number of threads; results may depend on it. */
    public Scheduler schedule(Parameters parameters, int threads) {
        if (moves() && begun.getAndSet(true)) {
            throw new IllegalStateException(
                    "these parts were started before, and their sources and environments are where that"
                            + " run left them: start each run from a Definition, which makes new ones");
        }
        Setup open = open();
        Scheduler scheduler = Scheduler.over(parameters, threads, parts.division);
        try {
            open.parts.feeds.forEach(feed -> scheduler.feed(feed.source().open(), feed.draw()));
            if (parts.batch > 0) {
                scheduler.batch(parts.batch);
            }
            scheduler.phases(parts.phases);
            parts.plans.ifPresent(scheduler::plansReadBy);
            scheduler.without(Learn.NAME); // it is among them, unless it was removed
            open.rings().forEach(scheduler::ring);
            return scheduler;
        } catch (RuntimeException | Error e) {
            scheduler.close();
            throw e;
        }
    }
}
