package hocket.schedulers;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.schedulers.exchange.Division;
import hocket.schedulers.exchange.Exchange;
import hocket.schedulers.inference.InferenceFunction;
import hocket.schedulers.rings.Beside;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Declaration;
import hocket.scopes.Mapping;
import hocket.scopes.Nearest;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Selection;
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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parts of one run, all but the seed: what is computed, who changes what when, from which data, for how long, and what
 * comes of it. Made by {@link #of} and completed by copies. It holds what moves with the run, such as sources with their
 * cursors and worlds, and so can be begun once; a {@link Definition} makes another for every run.
 */
public final class Setup {
    /** A source, and when it is drawn from. */
    public record Feed(Source source, Draw draw) {}

    /** What is done when. */
    public record Watch(Trigger trigger, Deed deed) {}

    private final Networks networks;
    private final List<Phase> phases;
    private final AtomicBoolean begun;
    private Map<String, String> copies = Map.of();
    private List<Feed> feeds = List.of();
    private int batch;
    private Optional<Program> samples = Optional.empty();
    private List<Watch> watches = List.of();
    private List<Ring> own = List.of();
    private List<String> away = List.of();
    private Optional<Validation> validation = Optional.empty();
    private Optional<Evaluation> evaluation = Optional.empty();
    private Optional<Film> film = Optional.empty();
    private Optional<InferenceFunction> inference = Optional.empty();
    private List<Supplier<List<String>>> looks = List.of();
    private List<Runnable> rules = List.of();
    private Optional<Function<String, Plan>> plans = Optional.empty();
    private Division division = Division.NONE;

    private Setup(Networks networks, List<Phase> phases, AtomicBoolean begun) {
        this.networks = networks;
        this.phases = List.copyOf(phases);
        this.begun = begun;
        if (phases.isEmpty()) {
            throw new IllegalArgumentException("a run needs at least one phase");
        }
        Phases.requireNames(phases);
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
        return new Setup(networks, phases, new AtomicBoolean());
    }

    /** Of one phase, whose programs are those of its turns. */
    public static Setup of(Graph graph, Plan plan, Budget budget) {
        return of(Networks.of(graph), plan, budget);
    }

    /** Of several phases, whose programs are those of their turns. Throws likewise. */
    public static Setup of(Graph graph, List<Phase> phases) {
        return of(Networks.of(graph), phases);
    }

    private Setup with(Consumer<Setup> change) {
        Setup changed = new Setup(networks, phases, begun);
        changed.copies = copies;
        changed.feeds = feeds;
        changed.batch = batch;
        changed.samples = samples;
        changed.watches = watches;
        changed.own = own;
        changed.away = away;
        changed.validation = validation;
        changed.evaluation = evaluation;
        changed.film = film;
        changed.inference = inference;
        changed.looks = looks;
        changed.rules = rules;
        changed.plans = plans;
        changed.division = division;
        change.accept(changed);
        return changed;
    }

    private static <T> List<T> and(List<T> all, T more) {
        return Stream.concat(all.stream(), Stream.of(more)).toList();
    }

    /** With parameters that begin as copies: {@code copy("generator/**", "ema/generator/**")}. */
    public Setup copy(String from, String to) {
        Map<String, String> more = new LinkedHashMap<>(copies);
        more.put(to, from);
        return with(setup -> setup.copies = Collections.unmodifiableMap(more));
    }

    /** With one more source. */
    public Setup feed(Source source, Draw draw) {
        return with(setup -> setup.feeds = and(feeds, new Feed(source, draw)));
    }

    /** With a number of rows for turns that read no input; without, as many as the first source's. */
    public Setup batch(int rows) {
        return with(setup -> setup.batch = rows);
    }

    /** With turns whose rows are shared by workers. */
    public Setup divided(Division among) {
        return with(setup -> setup.division = among);
    }

    /** With turns whose rows are shared with other processes, too. */
    public Setup among(Exchange processes) {
        return divided(division.through(processes));
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
        return with(setup -> setup.samples = Optional.of(program));
    }

    /** With something done whenever a trigger fires; checkpoints and samples come at the end in any case. */
    public Setup on(Trigger trigger, Deed deed) {
        return with(setup -> setup.watches = and(watches, new Watch(trigger, deed)));
    }

    /** With one more ring around the run, inside those of the same order that came before. */
    public Setup ring(Ring ring) {
        return with(setup -> setup.own = and(own, ring));
    }

    /**
     * Without the rings of a name, such as {@code samples}, or {@value Learn#NAME}, without which it infers. One that there is
     * not is refused when the run begins.
     */
    public Setup without(String ring) {
        return with(setup -> setup.away = and(away, ring));
    }

    /** With a figure over rows that are not trained on. */
    public Setup validated(Validation by) {
        return with(setup -> setup.validation = Optional.of(by));
    }

    /** With a judgement of the result. */
    public Setup evaluated(Evaluation by) {
        return with(setup -> setup.evaluation = Optional.of(by));
    }

    /** With what the result computes for a caller, where that is not a program alone. */
    public Setup inferred(InferenceFunction by) {
        return with(setup -> setup.inference = Optional.of(by));
    }

    /** With a film of the result. */
    public Setup filmed(Film by) {
        return with(setup -> setup.film = Optional.of(by));
    }

    /**
     * With a look at what it is made of, for what a plan cannot show, such as worlds of a user's own.
     *
     * @param look gives a sentence each of what looks wrong, which names the thing; may take its time
     */
    public Setup warnedBy(Supplier<List<String>> look) {
        return with(setup -> setup.looks = and(looks, look));
    }

    /**
     * With a rule of training. Runs that an earlier version trained without the rule can still be evaluated and filmed.
     *
     * @param rule throws an {@link IllegalArgumentException} that names the setting and both values
     */
    public Setup trainedOnlyIf(Runnable rule) {
        return with(setup -> setup.rules = and(rules, rule));
    }

    /** @throws IllegalArgumentException if a rule of training refuses it */
    public void requireTrainable() {
        rules.forEach(Runnable::run);
    }

    /**
     * With a reader of plans that a person sets while it runs.
     *
     * @param reader gives the plan of a text, or throws an {@link IllegalArgumentException} that says what is wrong with it
     */
    public Setup plansReadBy(Function<String, Plan> reader) {
        return with(setup -> setup.plans = Optional.of(reader));
    }

    /**
     * The plan of a text that a person set while it ran.
     *
     * @throws IllegalArgumentException if it is none, saying what is wrong with it
     */
    public Plan plan(String text) {
        return plans.orElseThrow(() -> new IllegalArgumentException("nobody reads plans of this setup"))
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
        return copies;
    }

    /** Where data comes from. */
    public List<Feed> feeds() {
        return feeds;
    }

    /** Rows of turns that read no input, only noise; 0 takes the first source's. */
    public int batch() {
        return batch;
    }

    /** How rows are shared by workers. */
    public Division division() {
        return division;
    }

    /** What draws samples: its first target; empty where there is nothing to draw. */
    public Optional<Program> samples() {
        return samples;
    }

    /** What is done beside training. */
    public List<Watch> watches() {
        return watches;
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
        for (int i = 0; i < watches.size(); i++) {
            Watch watch = watches.get(i);
            MisfitException.attempt(
                    "watches/" + i + "/deed", () -> all.add(watch.deed().ring(watch.trigger(), this)));
        }
        Samples.of(this).ifPresent(drawn -> all.add(Beside.samples(Trigger.atEnd(), drawn)));
        validation.ifPresent(by -> all.add(Beside.validate(Trigger.atEnd(), by)));
        all.add(Beside.saveAtEnd());
        all.addAll(own);
        all.add(new Learn());
        for (String name : away) {
            if (!all.removeIf(ring -> ring.name().equals(name))) {
                throw new MisfitException(
                        "without",
                        "no ring is called " + name
                                + Nearest.among(
                                        name, all.stream().map(Ring::name).toList()));
            }
        }
        all.sort(Comparator.comparingInt(Ring::order));
        return all;
    }

    /** A figure over rows that are not trained on; empty without. */
    public Optional<Validation> validation() {
        return validation;
    }

    /** How the result is judged; empty where it is not. */
    public Optional<Evaluation> evaluation() {
        return evaluation;
    }

    /** What the result looks like at work; empty where there is nothing to see. */
    public Optional<Film> film() {
        return film;
    }

    /** The function of the trained model for callers, such as an agent's policy; empty where its programs suffice. */
    public Optional<InferenceFunction> inference() {
        return inference;
    }

    /** What looks wrong in what it is made of, looked at now; a run says so at its start, and {@code hocket plan}. */
    public List<String> warnings() {
        return looks.stream().flatMap(look -> look.get().stream()).distinct().toList();
    }

    /**
     * The turns of all phases by name.
     *
     * @throws MisfitException if two turns have one name
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
     * @throws MisfitException if there is nothing to copy
     */
    public Collection<Declaration> declarations() {
        TreeMap<Path, Declaration> all = new TreeMap<>();
        graph().declarations().forEach(declaration -> all.put(declaration.path(), declaration));
        copies.forEach((to, from) -> MisfitException.attempt("copies/" + to, () -> {
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
     * @throws MisfitException if a part is sure to fail, or does not fit the others: two turns write one path, no source
     *     feeds an input
     */
    public Writes check() {
        Writes writes = Writes.of(turnsByName().values(), declarations());
        FeedChecks.check(descending(), feeds.stream().map(Feed::source).toList());
        PlanChecks checks = new PlanChecks(feeds.stream().map(Feed::source).toList(), writes);
        for (int i = 0; i < phases.size(); i++) {
            checks.check(i, phases.get(i));
        }
        Collection<Turn> turns = turnsByName().values();
        checks.checkWatching(turns);
        for (int i = 0; i < watches.size(); i++) {
            Watch watch = watches.get(i);
            checks.check("watches/" + i + "/trigger", watch.trigger(), phases, turns);
            checks.check(i, watch.deed(), timesAtLeast(watch.trigger()), turns);
        }
        for (int i = 0; i < own.size(); i++) {
            String key = "rings/" + i;
            own.get(i).trigger().ifPresent(trigger -> checks.check(key, trigger, phases, turns));
        }
        return writes;
    }

    /**
     * Checks that every worker has a row of each turn, and that workers in several processes, whose clocks differ, do nothing by
     * the clock that changes a run, and read no rows that come to one of them.
     *
     * @throws IllegalArgumentException otherwise, naming turn, source and rows, the watch, or the source
     */
    public void checkDivision() {
        int shares = division.shares();
        for (Watch watch : watches) {
            if (division.exchange().processes() > 1
                    && watch.trigger().seconds() < Double.POSITIVE_INFINITY
                    && watch.deed().changesRun()) {
                throw new IllegalArgumentException("on: what is done every so many seconds changes the run, and the"
                        + " clocks of its processes differ: do it after rounds or epochs");
            }
        }
        for (Feed feed : feeds) {
            if (division.exchange().processes() > 1 && !feed.source().hasEpochs()) {
                throw new IllegalArgumentException("feeds: rows of "
                        + feed.source().name() + " come from outside, to one process: others would not have them");
            }
        }
        for (Turn.Descend turn : descending()) {
            for (Feed feed : feeds) {
                Source source = feed.source();
                boolean isRead = source.columns().stream()
                        .anyMatch(column -> turn.program().input(column.name()).isPresent());
                if (isRead && source.batch() < shares) {
                    throw new IllegalArgumentException("must be at most " + source.batch() + ", as turn " + turn.name()
                            + " reads so many rows of " + source.name() + ", was " + shares);
                }
            }
        }
    }

    /**
     * Checks that what processes do with weights of their own does not lead them to other decisions.
     *
     * @throws IllegalArgumentException if a selection selects nothing that a turn moves, a turn moves what is exchanged in two
     *     ways, or what it does hangs on its process's own rows, naming it
     */
    public void checkConsistency() {
        if (!division.consistency().isEmpty()) {
            new Apartness(this).check();
        }
    }

    /** Whether several processes meet in its rounds: not where servers move all weights. */
    public boolean meets() {
        return new Apartness(this).meets();
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
        return division.exchange().processes() == 1 ? List.of() : new Apartness(this).means();
    }

    /** How often a trigger is sure to fire, as far as that is known: at least once. */
    private long timesAtLeast(Trigger trigger) {
        long rounds = phases.stream()
                .mapToLong(phase -> phase.budget().rounds().orElse(0))
                .sum();
        return Math.max(1, trigger.timesIn(rounds));
    }

    /** The store at the start of a run of this seed. Close it after use. */
    public Parameters initialise(long seed) {
        Parameters parameters = Parameters.initialise(graph().declarations(), Streams.seed(seed));
        try {
            copies.forEach((to, from) -> parameters.copy(from, to));
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
        State turns = saved.state("turns");
        List<Inheriting> heirs = new ArrayList<>();
        List<State> before = new ArrayList<>();
        try {
            for (Turn.Act act : Turn.acting(turnsByName().values())) {
                if (act.action() instanceof Inheriting heir
                        && filled.containsAll(heir.program().parameters().keySet())
                        && turns.has(act.name())
                        && turns.state(act.name()).has(BoundAct.ACTION)) {
                    before.add(heir.save());
                    heirs.add(heir);
                    heir.inherit(turns.state(act.name()).state(BoundAct.ACTION));
                }
            }
        } catch (RuntimeException e) {
            for (int i = 0; i < heirs.size(); i++) {
                heirs.get(i).restore(before.get(i));
            }
            throw e;
        }
    }

    /**
     * A scheduler with these phases, sources and rings over a store: {@link Scheduler#run()} trains. Close it after use.
     *
     * @throws IllegalArgumentException if the plan is refused, or the sources do not fit it
     * @throws IllegalStateException if these parts, or copies of them, were begun before
     */
    public Scheduler schedule(Parameters parameters) {
        return schedule(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** The same with a given number of threads, on which results may depend. */
    public Scheduler schedule(Parameters parameters, int threads) {
        if (begun.getAndSet(true)) {
            throw new IllegalStateException("these parts were begun before, and their sources and worlds are where that"
                    + " run left them: begin every run from a Definition, which makes new ones");
        }
        Scheduler scheduler = Scheduler.over(parameters, threads, division);
        try {
            feeds.forEach(feed -> scheduler.feed(feed.source(), feed.draw()));
            if (batch > 0) {
                scheduler.batch(batch);
            }
            scheduler.phases(phases);
            plans.ifPresent(scheduler::plansReadBy);
            scheduler.without(Learn.NAME); // it is among them, unless it is taken away
            rings().forEach(scheduler::ring);
            return scheduler;
        } catch (RuntimeException | Error e) {
            scheduler.close();
            throw e;
        }
    }
}
