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
 * The parts of a run, all but the seed: what is computed, who changes what when, from which data, for how long, and what comes
 * of it. Made by {@link #of} and completed by copies. Data is opened when a run begins, so a setup can be begun any number of
 * times; one with a source that is open already, or with a turn of Java that remembers something, once: a {@link Definition}
 * makes another for every run.
 */
public final class Setup {
    /** Data, and when it is drawn from. */
    public record Feed(SourceDescription source, Resample draw) {
        private Feed open() {
            return new Feed(source.open(), draw);
        }
    }

    /** What is done when. */
    public record Watch(Trigger trigger, Action deed) {}

    /** What is trained on, and by how many workers. */
    private record Data(List<Feed> feeds, int batch, Map<String, String> copies, DataParallelSplit division) {
        static final Data NONE = new Data(List.of(), 0, Map.of(), DataParallelSplit.NONE);
    }

    /** What is around training. */
    private record Around(List<Watch> watches, List<Ring> rings, List<String> without) {
        static final Around NOTHING = new Around(List.of(), List.of(), List.of());
    }

    /** What comes of training. */
    private record Results(
            Optional<Program> samples,
            Optional<Validation> validation,
            Optional<Evaluation> evaluation,
            Optional<Film> film,
            Optional<InferenceFunction> inference) {
        static final Results NONE =
                new Results(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What is looked at before training, and how plans are read while it runs. */
    private record Rules(
            List<Supplier<List<String>>> warnings, List<Runnable> training, Optional<Function<String, Plan>> plans) {
        static final Rules NONE = new Rules(List.of(), List.of(), Optional.empty());
    }

    private final Networks networks;
    private final List<Phase> phases;
    private final Data data;
    private final Around around;
    private final Results results;
    private final Rules rules;

    /** Whether parts that move belong to a run. Copies share it, as they share the parts. */
    private final AtomicBoolean begun;

    private Setup(
            Networks networks,
            List<Phase> phases,
            Data data,
            Around around,
            Results results,
            Rules rules,
            AtomicBoolean begun) {
        this.networks = networks;
        this.phases = phases;
        this.data = data;
        this.around = around;
        this.results = results;
        this.rules = rules;
        this.begun = begun;
    }

    /** Of one phase; it saves and samples at its end. */
    public static Setup of(Networks networks, Plan plan, Budget budget) {
        return of(networks, List.of(new Phase("train", plan, budget)));
    }

    /**
     * Of several phases, one after the other; it saves and samples at its end.
     *
     * @throws IllegalArgumentException if there is no phase, or two have one name
     */
    public static Setup of(Networks networks, List<Phase> phases) {
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("a run needs at least one phase");
        }
        Phases.requireNames(phases);
        return new Setup(
                networks,
                List.copyOf(phases),
                Data.NONE,
                Around.NOTHING,
                Results.NONE,
                Rules.NONE,
                new AtomicBoolean());
    }

    /** Of one phase, whose programs are those of its turns. */
    public static Setup of(Graph graph, Plan plan, Budget budget) {
        return of(Networks.of(graph), plan, budget);
    }

    /** Of several phases, whose programs are those of their turns. Throws likewise. */
    public static Setup of(Graph graph, List<Phase> phases) {
        return of(Networks.of(graph), phases);
    }

    private Setup with(Data other) {
        return new Setup(networks, phases, other, around, results, rules, begun);
    }

    private Setup with(Around other) {
        return new Setup(networks, phases, data, other, results, rules, begun);
    }

    private Setup with(Results other) {
        return new Setup(networks, phases, data, around, other, rules, begun);
    }

    private Setup with(Rules other) {
        return new Setup(networks, phases, data, around, results, other, begun);
    }

    private static <T> List<T> and(List<T> all, T more) {
        return Stream.concat(all.stream(), Stream.of(more)).toList();
    }

    /** With parameters that begin as copies: {@code copy("generator/**", "ema/generator/**")}. */
    public Setup copy(String from, String to) {
        Map<String, String> copies = new LinkedHashMap<>(data.copies);
        copies.put(to, from);
        return with(new Data(data.feeds, data.batch, Collections.unmodifiableMap(copies), data.division));
    }

    /** With one more source, or a description of one that is opened when a run begins. */
    public Setup feed(SourceDescription source, Resample resample) {
        return with(new Data(and(data.feeds, new Feed(source, resample)), data.batch, data.copies, data.division));
    }

    /** With a number of rows for turns that read no input; without, as many as the first source's. */
    public Setup batch(int rows) {
        return with(new Data(data.feeds, rows, data.copies, data.division));
    }

    /** With turns whose rows are shared by workers. */
    public Setup divided(DataParallelSplit among) {
        return with(new Data(data.feeds, data.batch, data.copies, among));
    }

    /** With turns whose rows are shared with other processes, too. */
    public Setup among(Exchange processes) {
        return divided(data.division.through(processes));
    }

    /**
     * With samples, drawn for the eye at the end, and when a watch says so: the program's first target.
     *
     * @throws IllegalArgumentException if the program is compiled for TRAIN
     */
    public Setup samples(Program program) {
        if (program.mode() != Mode.EVAL) {
            throw new IllegalArgumentException(
                    "program " + program.name() + " is compiled for TRAIN; samples are drawn by an EVAL program");
        }
        return with(new Results(
                Optional.of(program), results.validation, results.evaluation, results.film, results.inference));
    }

    /** With something done whenever a trigger fires; checkpoints and samples come at the end in any case. */
    public Setup on(Trigger trigger, Action action) {
        return with(new Around(and(around.watches, new Watch(trigger, action)), around.rings, around.without));
    }

    /** With one more ring around the run, inside those of the same order that came before. */
    public Setup ring(Ring ring) {
        return with(new Around(around.watches, and(around.rings, ring), around.without));
    }

    /**
     * Without the rings of a name, such as {@code samples}, or {@value Learn#NAME}, without which it infers. One that there is
     * not is refused when the run begins.
     */
    public Setup without(String ring) {
        return with(new Around(around.watches, around.rings, and(around.without, ring)));
    }

    /** With a figure over rows that are not trained on. */
    public Setup validated(Validation by) {
        return with(new Results(results.samples, Optional.of(by), results.evaluation, results.film, results.inference));
    }

    /** With a judgement of the result. */
    public Setup evaluated(Evaluation by) {
        return with(new Results(results.samples, results.validation, Optional.of(by), results.film, results.inference));
    }

    /** With what the result computes for a caller, where that is not a program alone. */
    public Setup inferred(InferenceFunction by) {
        return with(
                new Results(results.samples, results.validation, results.evaluation, results.film, Optional.of(by)));
    }

    /** With a film of the result. */
    public Setup filmed(Film by) {
        return with(new Results(
                results.samples, results.validation, results.evaluation, Optional.of(by), results.inference));
    }

    /**
     * With a look at what it is made of, for what a plan cannot show, such as worlds of a user's own.
     *
     * @param look gives a sentence each of what looks wrong, which names the thing; may take its time
     */
    public Setup warnedBy(Supplier<List<String>> look) {
        return with(new Rules(and(rules.warnings, look), rules.training, rules.plans));
    }

    /**
     * With a rule of training. Runs that an earlier version trained without the rule can still be evaluated and filmed.
     *
     * @param rule throws an {@link IllegalArgumentException} that names the setting and both values
     */
    public Setup trainedOnlyIf(Runnable rule) {
        return with(new Rules(rules.warnings, and(rules.training, rule), rules.plans));
    }

    /** @throws IllegalArgumentException if a rule of training refuses it */
    public void requireTrainable() {
        rules.training.forEach(Runnable::run);
    }

    /**
     * With a reader of plans that a person sets while it runs.
     *
     * @param reader gives the plan of a text, or throws an {@link IllegalArgumentException} that says what is wrong with it
     */
    public Setup plansReadBy(Function<String, Plan> reader) {
        return with(new Rules(rules.warnings, rules.training, Optional.of(reader)));
    }

    /**
     * The plan of a text that a person set while it ran.
     *
     * @throws IllegalArgumentException if it is none, saying what is wrong with it
     */
    public Plan plan(String text) {
        return rules.plans
                .orElseThrow(() -> new IllegalArgumentException("nobody reads plans of this setup"))
                .apply(text);
    }

    /** What can be computed, and the programs by name. */
    public Networks networks() {
        return networks;
    }

    /** What can be computed. */
    public Graph graph() {
        return networks.graph();
    }

    /** Rounds and their budgets, one phase after the other. */
    public List<Phase> phases() {
        return phases;
    }

    /** Parameters that begin as copies of others: what they are copies of, by their glob. */
    public Map<String, String> copies() {
        return data.copies;
    }

    /** Where data comes from. */
    public List<Feed> feeds() {
        return data.feeds;
    }

    /** Rows of turns that read no input, only noise; 0 takes the first source's. */
    public int batch() {
        return data.batch;
    }

    /** How rows are shared by workers. */
    public DataParallelSplit division() {
        return data.division;
    }

    /** What draws samples: its first target; empty where there is nothing to draw. */
    public Optional<Program> samples() {
        return results.samples;
    }

    /** What is done beside training. */
    public List<Watch> watches() {
        return around.watches;
    }

    /**
     * What is around the run, from the outermost ring on to {@link Learn}: what the watches say, as rings that are called as their deeds, samples and validation at the
     * end, a checkpoint at the end of a run that has a folder, and the rings of {@link #ring}.
     *
     * @throws IllegalArgumentException if something is to be done that the setup does not say how to do, or what is not there
     *     is to be taken away
     */
    public List<Ring> rings() {
        List<Ring> all = new ArrayList<>();
        for (int i = 0; i < around.watches.size(); i++) {
            Watch watch = around.watches.get(i);
            IncompatibleSetupException.attempt(
                    "watches/" + i + "/deed", () -> all.add(watch.deed().ring(watch.trigger(), this)));
        }
        Samples.of(this).ifPresent(drawn -> all.add(TriggeredAction.samples(Trigger.atEnd(), drawn)));
        results.validation.ifPresent(by -> all.add(TriggeredAction.validate(Trigger.atEnd(), by)));
        all.add(TriggeredAction.saveAtEnd());
        all.addAll(around.rings);
        all.add(new Learn());
        for (String name : around.without) {
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

    /** A figure over rows that are not trained on; empty without. */
    public Optional<Validation> validation() {
        return results.validation;
    }

    /** How the result is judged; empty where it is not. */
    public Optional<Evaluation> evaluation() {
        return results.evaluation;
    }

    /** What the result looks like at work; empty where there is nothing to see. */
    public Optional<Film> film() {
        return results.film;
    }

    /** The function of the trained model for callers, such as an agent's policy; empty where its programs suffice. */
    public Optional<InferenceFunction> inference() {
        return results.inference;
    }

    /** What looks wrong in what it is made of, looked at now; a run says so at its start, and {@code hocket plan}. */
    public List<String> warnings() {
        return rules.warnings.stream()
                .flatMap(look -> look.get().stream())
                .distinct()
                .toList();
    }

    /**
     * The turns of all phases by name.
     *
     * @throws IncompatibleSetupException if two turns have one name
     */
    public Map<String, Turn> turnsByName() {
        return Phases.turnsByName(phases);
    }

    /** The turns of all phases that descend a loss. */
    public List<Turn.Descend> descending() {
        return Turn.descending(turnsByName().values());
    }

    /**
     * What the store will hold: the graph's parameters and the copies, in path order.
     *
     * @throws IncompatibleSetupException if there is nothing to copy
     */
    public Collection<Declaration> declarations() {
        TreeMap<Path, Declaration> all = new TreeMap<>();
        graph().declarations().forEach(declaration -> all.put(declaration.path(), declaration));
        data.copies.forEach((to, from) -> IncompatibleSetupException.attempt("copies/" + to, () -> {
            Mapping mapping = Mapping.of(from, to);
            Selection.of(from).of(List.copyOf(all.values())).values().forEach(source -> {
                Path target = mapping.map(source.path());
                all.putIfAbsent(target, source.at(target));
            });
        }));
        return all.values();
    }

    /**
     * Checks the plan as far as that can be done by going through its turns, and that the sources feed it, without a store
     * and without an engine. A source that feeds nobody passes here; a scheduler refuses it.
     *
     * @return who writes what
     * @throws IncompatibleSetupException if a part is sure to fail, or does not fit the others: two turns write one path, no source
     *     feeds an input
     */
    public Writes check() {
        return new SetupChecks(this).check();
    }

    /**
     * Checks that every worker has a row of each turn, and that workers in several processes, whose clocks differ, do nothing by
     * the clock that changes a run, and read no rows that come to one of them.
     *
     * @throws IllegalArgumentException otherwise, naming turn, source and rows, the watch, or the source
     */
    public void checkDivision() {
        new SetupChecks(this).checkDivision();
    }

    /**
     * Checks that what processes do with weights of their own does not lead them to other decisions.
     *
     * @throws IllegalArgumentException if a selection selects nothing that a turn moves, a turn moves what is exchanged in two
     *     ways, or what it does hangs on its process's own rows, naming it
     */
    public void checkConsistency() {
        if (!data.division.consistency().isEmpty()) {
            new DivergenceRules(this).check();
        }
    }

    /** Whether several processes meet in its rounds: not where servers move all weights. */
    public boolean meets() {
        return new DivergenceRules(this).meets();
    }

    /**
     * A mean that processes take of what they moved apart.
     *
     * @param turns that moved it
     * @param rounds in how many once
     * @param numbers that each process sends, and receives as many
     */
    public record Mean(List<String> turns, int rounds, long numbers) {}

    /** The means that processes take, where there are several. */
    public List<Mean> means() {
        return data.division.exchange().processes() == 1 ? List.of() : new DivergenceRules(this).means();
    }

    /** The store at the start of a run of this seed. Close it after use. */
    public Parameters initialise(long seed) {
        Parameters parameters = Parameters.initialise(graph().declarations(), Streams.seed(seed));
        try {
            data.copies.forEach((to, from) -> parameters.copy(from, to));
            return parameters;
        } catch (RuntimeException | Error e) {
            parameters.close();
            throw e;
        }
    }

    /**
     * Takes over what turns of Java of another run had learnt beside its parameters, by their names: those that are {@link
     * Inheriting}. For a run that has not begun, and whose store is filled from the same state.
     *
     * @param saved the whole state of the other run
     * @throws IllegalArgumentException if it does not fit; then nothing has changed
     */
    public void inherit(State saved) {
        inherit(saved, declarations().stream().map(Declaration::path).collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * The same where only some parameters are the other's: what goes with a program of which not all are stays its own.
     *
     * @param filled the paths of this run's store that were filled from the same state
     */
    public void inherit(State saved, Set<Path> filled) {
        ActionStates.inherit(turnsByName().values(), saved, filled);
    }

    /** Whether a turn of Java remembers something beside the parameters, such as how it scales what it observes. */
    public boolean hasActionStates() {
        return ActionStates.areKept(turnsByName().values());
    }

    /**
     * Goes back to what turns of Java remembered in a run of this setup, to look at what was trained.
     *
     * @param saved the whole state of the run
     * @throws IllegalArgumentException if it does not fit
     */
    public void restoreActions(State saved) {
        ActionStates.restore(turnsByName().values(), saved);
    }

    /** The rings of {@link #ring}. */
    public List<Ring> ownRings() {
        return around.rings;
    }

    /** This setup with its data open: the sources are one run's own. */
    public Setup open() {
        List<Feed> feeds = data.feeds.stream().map(Feed::open).toList();
        Setup open = new Setup(
                networks,
                phases,
                new Data(feeds, data.batch, data.copies, data.division),
                around,
                results,
                rules,
                moves() ? begun : new AtomicBoolean());
        return results.validation.map(by -> open.validated(by.open())).orElse(open);
    }

    /** Whether a part moves with a run: a source that is open, or a turn or ring that remembers something. */
    private boolean moves() {
        return hasActionStates()
                || data.feeds.stream().anyMatch(feed -> feed.source() instanceof Source)
                || around.rings.stream().anyMatch(Stateful.class::isInstance);
    }

    /**
     * A scheduler with these phases, sources and rings over a store: {@link Scheduler#run()} trains. Close it after use.
     *
     * @throws IllegalArgumentException if the plan is refused, or the sources do not fit it
     * @throws IllegalStateException if parts that move with a run were begun before, in this setup or a copy
     */
    public Scheduler schedule(Parameters parameters) {
        return schedule(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** The same with a given number of threads, on which results may depend. */
    public Scheduler schedule(Parameters parameters, int threads) {
        if (moves() && begun.getAndSet(true)) {
            throw new IllegalStateException("these parts were begun before, and their sources and worlds are where that"
                    + " run left them: begin every run from a Definition, which makes new ones");
        }
        Setup open = open();
        Scheduler scheduler = Scheduler.over(parameters, threads, data.division);
        try {
            open.data.feeds.forEach(feed -> scheduler.feed(feed.source().open(), feed.draw()));
            if (data.batch > 0) {
                scheduler.batch(data.batch);
            }
            scheduler.phases(phases);
            rules.plans.ifPresent(scheduler::plansReadBy);
            scheduler.without(Learn.NAME); // it is among them, unless it is taken away
            open.rings().forEach(scheduler::ring);
            return scheduler;
        } catch (RuntimeException | Error e) {
            scheduler.close();
            throw e;
        }
    }
}
