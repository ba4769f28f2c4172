package hocket.schedulers.turns;

import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Next;
import hocket.schedulers.Plan;
import hocket.schedulers.Turn;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.runs.History;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.AverageStatistics.Batches;
import hocket.scopes.Parameters;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The turns that are bound to a store, each under its name. */
public final class BoundTurns implements AutoCloseable {
    private final Parameters parameters;
    private final int threads;
    private final DataParallelSplit dataParallelSplit;
    private final KernelThreads kernelThreads;
    private final History history;
    private final Map<String, BoundTurn> turns = new LinkedHashMap<>();
    private final Map<Turn.Descend, BoundDescend> evaluated = new IdentityHashMap<>();
    private final Map<Program, BoundProgram> asked = new IdentityHashMap<>();
    private final Session session;
    private State waiting = State.empty();
    private @Nullable Writes writes;
    private final Batches batches;
    private final List<AverageStatistics> averages = new ArrayList<>();
    private int averaged;

    public BoundTurns(
            Parameters parameters,
            int threads,
            DataParallelSplit dataParallelSplit,
            KernelThreads kernelThreads,
            History history,
            Batches batches) {
        this.batches = batches;
        this.parameters = parameters;
        this.threads = threads;
        this.dataParallelSplit = dataParallelSplit;
        this.kernelThreads = kernelThreads;
        this.history = history;
        this.session = Session.over(parameters, threads, this::read);
    }

    /**
     * Binds turns that are not bound yet.
     *
     * @throws IllegalArgumentException if a turn is refused by itself or with the bound ones; none of them is bound
     *     then
     */
    void bind(Collection<Turn> more) {
        bind(more, () -> {});
    }

    /**
     * Binds turns that are not bound yet, with further checks.
     *
     * @param checks checks that need bound turns; if they throw, none of the turns is bound
     */
    public void bind(Collection<Turn> more, Next checks) {
        Map<String, Turn> all = new LinkedHashMap<>();
        turns.values().forEach(bound -> all.put(bound.turn().name(), bound.turn()));
        for (Turn turn : more) {
            Turn other = all.put(turn.name(), turn);
            if (other != null && !other.equals(turn)) {
                throw new IllegalArgumentException("another turn was called " + turn.name() + " before");
            }
        }
        Writes.of(all.values(), parameters.declarations());
        Map<String, BoundTurn> fresh = new LinkedHashMap<>();
        try {
            for (Turn turn : ownersFirst(more)) {
                if (!turns.containsKey(turn.name())) {
                    BoundTurn bound = bind(turn, fresh);
                    fresh.put(turn.name(), bound);
                    if (waiting.has(turn.name())) {
                        bound.restore(waiting.state(turn.name()));
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            fresh.values().forEach(BoundTurn::close);
            throw e;
        }
        State before = waiting;
        writes = null;
        for (BoundTurn bound : fresh.values()) {
            turns.put(bound.turn().name(), bound);
            waiting = waiting.without(bound.turn().name());
        }
        try {
            checks.proceed();
        } catch (RuntimeException | Error e) {
            waiting = before;
            writes = null;
            for (BoundTurn bound : fresh.values()) {
                turns.remove(bound.turn().name());
                bound.close();
            }
            throw e;
        }
    }

    /** Binds the turns of a plan that are not bound yet; binds none if {@link #check} refuses the plan. */
    public void bind(Plan plan) {
        Collection<Turn> planned = plan.turnsByName().values();
        check(plan, planned);
        bind(planned);
    }

    /**
     * Checks that turns which are taken together write nothing twice.
     *
     * @param all the turns of the run
     * @throws IllegalArgumentException otherwise, naming turns and path
     */
    public void check(Plan plan, Collection<Turn> all) {
        Writes.of(all, parameters.declarations()).checkTogether(plan);
    }

    /** Orders turns so that each comes after the turn whose optimizers it steps. */
    private static List<Turn> ownersFirst(Collection<Turn> turns) {
        return turns.stream()
                .sorted(Comparator.comparing(turn ->
                        turn.descend().flatMap(Turn.Descend::optimizerOf).isPresent()))
                .toList();
    }

    /** Returns a turn, and the turn whose optimizers it steps if none of that name is bound yet. */
    private List<Turn> withOwner(Turn turn) {
        return Stream.concat(
                        turn.descend().flatMap(Turn.Descend::optimizerOf).stream()
                                .filter(owner -> !turns.containsKey(owner.name())),
                        Stream.of(turn))
                .toList();
    }

    /** @param fresh the turns that are bound with it, before it */
    private BoundTurn bind(Turn turn, Map<String, BoundTurn> fresh) {
        return turn.fold(
                descend -> bound(
                        descend,
                        descend.optimizerOf()
                                .map(Turn::name)
                                .map(owner -> fresh.containsKey(owner) ? fresh.get(owner) : turns.get(owner))
                                .flatMap(BoundTurn::descending)),
                follow -> new BoundFollow(follow, parameters, kernelThreads),
                act -> new BoundAct(act, parameters, history));
    }

    private BoundDescend bound(Turn.Descend turn, Optional<BoundDescend> owner) {
        return new BoundDescend(
                turn, owner.orElse(null), parameters, threads, dataParallelSplit, kernelThreads, history);
    }

    /** Returns the bound turn, binding it first if needed. Throws as {@link #bind(Collection)}. */
    @SuppressWarnings("ReferenceEquality")
    public // the usual case, without comparing programs
    BoundTurn of(Turn turn) {
        BoundTurn bound = turns.get(turn.name());
        if (bound == null || bound.turn() != turn) {
            bind(withOwner(turn));
            return named(turn.name());
        }
        return bound;
    }

    /** Returns a turn that is computed and updates nothing. */
    public BoundDescend evaluated(Turn.Descend turn) {
        BoundDescend known = evaluated.get(turn);
        if (known == null) {
            BoundDescend bound = bound(turn.evaluated(), Optional.empty());
            bound.countedWith(of(turn));
            of(turn).descending().ifPresent(bound::carriesOn);
            evaluated.put(turn, bound);
            return bound;
        }
        return known;
    }

    /** @throws IllegalArgumentException if the name is unknown; the message lists similar ones */
    public BoundTurn named(String name) {
        return SimilarNames.get(turns, name, "no turn is called ");
    }

    /** Returns the bound turns. */
    public Collection<BoundTurn> all() {
        return turns.values();
    }

    /** Returns the bound turns that descend a loss. */
    public List<BoundDescend> descending() {
        return turns.values().stream()
                .flatMap(bound -> bound.descending().stream())
                .toList();
    }

    /** Returns the number of bound turns. */
    public int count() {
        return turns.size();
    }

    /** Returns a program that turns of Java run. */
    public BoundProgram bind(Program program) {
        BoundProgram bound = asked.get(program);
        if (bound == null) {
            bound = new BoundProgram(program, parameters, Lowering.of(program), threads, new TreeSet<>(), "act/");
            asked.put(program, bound);
        }
        return bound;
    }

    /** Returns the session that reads the store outside of training, at the beginning of its noise. */
    public Session session() {
        session.goOnFrom(0);
        return session;
    }

    private void read(Program program, Runnable run) {
        asSaved(averages().stream().filter(each -> each.isReadBy(program)).toList(), () -> {
            run.run();
            return true;
        });
    }

    /** Reads the store as it is saved: averages have their own batch-norm statistics. */
    public <T> T asSaved(Supplier<T> reading) {
        return asSaved(averages(), reading);
    }

    private <T> T asSaved(List<AverageStatistics> some, Supplier<T> reading) {
        int in = 0;
        try {
            for (AverageStatistics each : some) {
                in++;
                each.in();
            }
            return reading.get();
        } finally {
            some.subList(0, in).forEach(AverageStatistics::out);
        }
    }

    private List<AverageStatistics> averages() {
        if (averaged != turns.size()) {
            closeAverages();
            List<BoundDescend> descending = descending();
            for (Turn.Follow follow : Turn.following(planned())) {
                averages.add(AverageStatistics.of(follow, descending, parameters, threads, batches));
            }
            averaged = turns.size();
        }
        return averages;
    }

    private void closeAverages() {
        averages.forEach(AverageStatistics::close);
        averages.clear();
        averaged = 0;
    }

    private List<Turn> planned() {
        return turns.values().stream().map(BoundTurn::turn).toList();
    }

    /** Returns the paths that they write. */
    public Writes writes() {
        Writes known = writes;
        if (known == null) {
            known = Writes.of(planned(), parameters.declarations());
            writes = known;
        }
        return known;
    }

    /**
     * Returns the current value of a setting: of an optimizer, such as {@code d/rate}, or one that programs read, by its
     * path.
     *
     * @throws IllegalArgumentException if the name is unknown, naming similar ones
     */
    public double setting(String name) {
        return SimilarNames.get(settings(), name, "there is no setting ");
    }

    /**
     * Changes a setting, beginning with the next turn that it concerns.
     *
     * @throws IllegalArgumentException if the name is unknown, naming similar ones, or the value is invalid;
     *     nothing has changed then
     */
    public void set(String name, double value) {
        StoredSettings stored = StoredSettings.of(parameters.declarations());
        if (stored.has(name)) {
            stored.set(parameters, name, value);
            return;
        }
        int end = name.indexOf('/');
        Optional.ofNullable(turns.get(name.substring(0, Math.max(0, end))))
                .flatMap(BoundTurn::descending)
                .orElseThrow(() -> new IllegalArgumentException("there is no setting " + name
                        + SimilarNames.among(name, settings().keySet())))
                .set(name.substring(end + 1), value);
    }

    /** Returns the current values of all settings, by names such as {@code d/rate}. */
    public SortedMap<String, Double> settings() {
        SortedMap<String, Double> all = new TreeMap<>();
        for (BoundDescend bound : descending()) {
            bound.settings().forEach((setting, value) -> all.put(bound.turn().name() + "/" + setting, value));
        }
        for (String path : StoredSettings.of(parameters.declarations()).paths()) {
            all.put(path, parameters.tensor(path).get(0));
        }
        return all;
    }

    public State save() {
        State state = waiting;
        for (BoundTurn bound : turns.values()) {
            state = state.with(bound.turn().name(), bound.save());
        }
        return state;
    }

    /**
     * Restores a saved state. A turn that had not been taken by then is reset; the state of turns that are bound later
     * is kept for them.
     */
    public void restore(State state) {
        State rest = state;
        for (BoundTurn bound : turns.values()) {
            String name = bound.turn().name();
            if (state.has(name)) {
                bound.restore(state.state(name));
                rest = rest.without(name);
            } else {
                bound.reset();
            }
        }
        waiting = rest;
    }

    @Override
    public void close() {
        turns.values().forEach(BoundTurn::close);
        evaluated.values().forEach(BoundDescend::close);
        evaluated.clear();
        asked.values().forEach(BoundProgram::close);
        asked.clear();
        closeAverages();
        session.close();
        closeActions();
    }

    private void closeActions() {
        IllegalStateException failure = null;
        for (BoundTurn turn : turns.values()) {
            try {
                turn.closeAction();
            } catch (Throwable e) {
                UserCodeFailure.rethrowIfFatal(e);
                IllegalStateException named = new IllegalStateException(
                        "turn " + turn.turn().name() + ": its code could not be closed: " + e, e);
                if (failure == null) {
                    failure = named;
                } else {
                    failure.addSuppressed(named);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
