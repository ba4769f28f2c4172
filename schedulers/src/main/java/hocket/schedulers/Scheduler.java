package hocket.schedulers;

import hocket.programs.BoundProgram;
import hocket.programs.Lowering;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.json.Records;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.Nearest;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs turns over a store: by a plan and a budget, or one by one. It owns what is bound to the store: executables,
 * optimizer slots (by turn and path), cursors and the position. Used by the thread that owns the store; closing it leaves
 * the store open.
 */
public final class Scheduler implements Stateful, AutoCloseable {
    private static final int FORMAT = 1;

    private record Watch(Trigger trigger, Consumer<Run> action, double[] last) {}

    /** What one schedule of the plan remembers. */
    private static final class Remembered {
        Record state;

        Remembered(Record state) {
            this.state = state;
        }
    }

    private final Parameters parameters;
    private final Lowering lowering = Lowering.best();
    private final int threads;
    private final Workers workers;
    private final History history = new History();
    private final Map<String, BoundTurn> turns = new LinkedHashMap<>();
    private final List<Feeding> feeds = new ArrayList<>();
    private final Map<List<Source>, List<Feeding>> loose = new LinkedHashMap<>();
    private final List<Watch> watches = new ArrayList<>();
    private final List<Consumer<Event>> listeners = new ArrayList<>();
    private final Map<Plan.Choose, Remembered> schedules = new IdentityHashMap<>();
    private final List<Plan.Choose> chooses = new ArrayList<>();
    private final View view = new View();
    private InstantSource clock = InstantSource.system();
    private @Nullable Plan plan;
    private java.nio.file.@Nullable Path folder;
    private State pending = State.empty();
    private boolean mayDiverge;
    private boolean stopping;
    private boolean closed;
    private int batch;
    private int lastRows;
    private long step;
    private long round;

    private Scheduler(Parameters parameters, int threads) {
        parameters.touch();
        this.parameters = parameters;
        this.threads = threads;
        this.workers = Workers.of(threads);
    }

    /** A scheduler over a store, with as many threads as the machine has processors. */
    public static Scheduler over(Parameters parameters) {
        return over(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** A scheduler with a given number of threads; results are repeatable for the same number. */
    public static Scheduler over(Parameters parameters, int threads) {
        return new Scheduler(parameters, threads);
    }

    /**
     * Sets what a round consists of.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if the plan is refused, naming turn and path: see {@link Writes}
     */
    public Scheduler plan(Plan rounds) {
        requireOpen();
        Map<String, Turn> all = new LinkedHashMap<>();
        turns.values().forEach(bound -> all.put(bound.turn().name(), bound.turn()));
        rounds.turnsByName().forEach((name, turn) -> {
            Turn other = all.put(name, turn);
            if (other != null && !other.equals(turn)) {
                throw new IllegalArgumentException("another turn was called " + name + " before");
            }
        });
        Writes.of(all.values(), parameters.declarations());
        rounds.turnsByName().values().forEach(this::bind);
        plan = rounds;
        schedules.clear();
        chooses.clear();
        remember(rounds);
        return this;
    }

    private void remember(Plan part) {
        if (part instanceof Plan.Choose choose && !schedules.containsKey(choose)) {
            schedules.put(choose, new Remembered(choose.schedule().start()));
            chooses.add(choose);
        } else if (part instanceof Plan.Sequence sequence) {
            sequence.parts().forEach(this::remember);
        } else if (part instanceof Plan.Repeat repeat) {
            remember(repeat.part());
        }
    }

    /**
     * Feeds the inputs that are called as the source's columns.
     *
     * @return this scheduler
     */
    public Scheduler feed(Source source, Draw draw) {
        requireOpen();
        if (feeds.stream().anyMatch(feed -> feed.source().name().equals(source.name()))) {
            throw new IllegalArgumentException("two sources are called " + source.name());
        }
        Feeding feeding = new Feeding(source, draw);
        feeds.add(feeding);
        restorePending("sources", source.name(), source);
        return this;
    }

    /** Sets the number of rows of turns that read no input, only noise; without it, the sources' batch is taken. */
    public Scheduler batch(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("batch must be at least 1, was " + rows);
        }
        batch = rows;
        return this;
    }

    /** Does something whenever a trigger fires. */
    public Scheduler on(Trigger trigger, Consumer<Run> action) {
        watches.add(new Watch(trigger, action, new double[] {mark(trigger)}));
        return this;
    }

    /** Hears every event, on the training thread. */
    public Scheduler listen(Consumer<Event> listener) {
        listeners.add(listener);
        return this;
    }

    /** Sets where {@link Run#save} writes checkpoints. */
    public Scheduler saveTo(java.nio.file.Path checkpoints) {
        folder = checkpoints;
        return this;
    }

    /** Lets losses and gradients be infinite or NaN; without it, the run stops there. */
    public Scheduler allowDivergence() {
        mayDiverge = true;
        return this;
    }

    /** Sets what {@link Trigger.EverySeconds} reads; nothing else reads a clock. */
    Scheduler clock(InstantSource source) {
        clock = source;
        return this;
    }

    /**
     * Runs rounds of the plan until the budget, counted from the very start, is reached.
     *
     * @throws IllegalStateException if there is no plan
     * @throws IllegalArgumentException if the sources do not fit the plan, or the budget names no source
     * @throws DivergedException if a loss or gradient is not finite
     */
    public void run(Budget budget) {
        check(budget);
        Plan rounds = plan;
        if (rounds == null) {
            throw new IllegalStateException("there is no plan: call plan(…) before run(…), or step(turn) by turn");
        }
        stopping = false;
        emit(new Event.Started(position(), budget));
        while (!reached(budget) && !stopping) {
            take(rounds);
            round++;
            emit(new Event.RoundEnded(position()));
            for (int i = 0; i < watches.size(); i++) {
                fire(watches.get(i));
            }
        }
        boolean complete = reached(budget);
        for (Watch watch : watches) {
            if (complete && watch.trigger() instanceof Trigger.AtEnd) {
                watch.action().accept(view);
            }
        }
        emit(new Event.Ended(position(), complete));
    }

    /** Checks all that can be checked before the first turn. Throws as {@link #run}. */
    public void check(Budget budget) {
        requireOpen();
        List<Turn.Descend> descending = new ArrayList<>();
        if (plan != null) {
            for (Turn turn : plan.turnsByName().values()) {
                if (turn instanceof Turn.Descend descend) {
                    descending.add(descend);
                }
            }
        }
        Feeding.check(descending, feeds);
        reached(budget);
        watches.forEach(watch -> mark(watch.trigger()));
    }

    private boolean reached(Budget budget) {
        if (budget instanceof Budget.Rounds rounds) {
            return round >= rounds.count();
        } else if (budget instanceof Budget.Turns count) {
            return step >= count.count();
        } else if (budget instanceof Budget.Epochs epochs) {
            return source(epochs.source()).epoch() >= epochs.count();
        }
        throw new IllegalArgumentException("unknown budget " + budget);
    }

    /** How much of a budget is done, from 0 to 1; 1 when it is reached. */
    public double done(Budget budget) {
        double done;
        double whole;
        if (budget instanceof Budget.Rounds rounds) {
            done = round;
            whole = rounds.count();
        } else if (budget instanceof Budget.Turns count) {
            done = step;
            whole = count.count();
        } else {
            Budget.Epochs epochs = (Budget.Epochs) budget;
            done = source(epochs.source()).epoch();
            whole = epochs.count();
        }
        return done >= whole ? 1 : done / whole;
    }

    private Source source(String name) {
        for (int i = 0; i < feeds.size(); i++) {
            if (feeds.get(i).isCalled(name)) {
                return feeds.get(i).source();
            }
        }
        throw new IllegalArgumentException("no source is called " + name + " or has a column that is"
                + Nearest.among(
                        name, feeds.stream().map(feed -> feed.source().name()).toList()));
    }

    private void fire(Watch watch) {
        Trigger trigger = watch.trigger();
        double[] last = watch.last();
        double now = mark(trigger);
        boolean fires;
        if (trigger instanceof Trigger.EveryRounds rounds) {
            fires = round % rounds.count() == 0;
        } else if (trigger instanceof Trigger.EveryEpochs epochs) {
            fires = Math.floor(now / epochs.count()) > Math.floor(last[0] / epochs.count());
        } else if (trigger instanceof Trigger.EverySeconds seconds) {
            fires = now - last[0] >= seconds.seconds();
        } else {
            fires = false;
        }
        if (fires || !(trigger instanceof Trigger.EverySeconds)) {
            last[0] = now;
        }
        if (fires) {
            watch.action().accept(view);
        }
    }

    /** What a trigger compares with its last time. */
    private double mark(Trigger trigger) {
        if (trigger instanceof Trigger.EveryEpochs epochs) {
            return feeds.isEmpty() ? 0 : source(epochs.source()).epoch();
        }
        return trigger instanceof Trigger.EverySeconds ? clock.millis() / 1000.0 : 0;
    }

    /** Takes one turn, fed by these sources alone; without any, by the scheduler's. */
    public Event step(Turn turn, Source... sources) {
        BoundTurn bound = bound(turn);
        if (sources.length == 0) {
            return take(bound, feeds);
        }
        List<Feeding> given = loose.computeIfAbsent(List.of(sources), this::looseFeeds);
        return take(bound, given);
    }

    private List<Feeding> looseFeeds(List<Source> sources) {
        List<Feeding> feedings = new ArrayList<>();
        for (Source source : sources) {
            Feeding known = null;
            for (List<Feeding> other : loose.values()) {
                for (Feeding feeding : other) {
                    known = feeding.source() == source ? feeding : known;
                }
            }
            if (known == null) {
                known = new Feeding(source, Draw.EACH_TURN);
                restorePending("sources", source.name(), source);
            }
            feedings.add(known);
        }
        return feedings;
    }

    /** Takes one descending turn on these rows. */
    public Event.Descended step(Turn.Descend turn, Feeds rows) {
        BoundDescend bound = (BoundDescend) bound(turn);
        Event.Position at = position();
        bound.compute(this, rows, at);
        lastRows = rows.rows();
        bound.counted();
        Event.Descended event = bound.apply(at);
        step++;
        emit(event);
        return event;
    }

    private BoundTurn bound(Turn turn) {
        requireOpen();
        BoundTurn bound = turns.get(turn.name());
        if (bound == null) {
            List<Turn> all =
                    new ArrayList<>(turns.values().stream().map(BoundTurn::turn).toList());
            all.add(turn);
            Writes.of(all, parameters.declarations());
            return bind(turn);
        }
        if (!bound.turn().equals(turn)) {
            throw new IllegalArgumentException("another turn was called " + turn.name() + " before");
        }
        return bound;
    }

    private BoundTurn bind(Turn turn) {
        BoundTurn known = turns.get(turn.name());
        if (known != null) {
            return known;
        }
        BoundTurn bound;
        if (turn instanceof Turn.Descend descend) {
            bound = new BoundDescend(descend, parameters, lowering, threads, workers, history);
        } else if (turn instanceof Turn.Follow follow) {
            bound = new BoundFollow(follow, parameters, workers);
        } else {
            bound = new BoundAct((Turn.Act) turn);
        }
        turns.put(turn.name(), bound);
        restorePending("turns", turn.name(), bound);
        return bound;
    }

    private void take(Plan part) {
        if (part instanceof Turn turn) {
            BoundTurn bound = turns.get(turn.name());
            if (bound != null) {
                take(bound, feeds);
            }
        } else if (part instanceof Plan.Sequence sequence) {
            for (int i = 0; i < sequence.parts().size(); i++) {
                take(sequence.parts().get(i));
            }
        } else if (part instanceof Plan.Repeat repeat) {
            for (int i = 0; i < repeat.times(); i++) {
                take(repeat.part());
            }
        } else if (part instanceof Plan.Simultaneous group) {
            takeTogether(group);
        } else if (part instanceof Plan.Choose choose) {
            take(bound(chosen(choose)), feeds);
        }
    }

    private Event take(BoundTurn bound, List<Feeding> fedBy) {
        Event.Position at = position();
        Event event;
        if (bound instanceof BoundDescend descend) {
            descend.compute(this, fedBy, at);
            bound.counted();
            event = descend.apply(at);
            lastRows = descend.program().rows().orElse(lastRows);
        } else {
            bound.counted();
            event = bound.take(this, fedBy, at);
        }
        step++;
        emit(event);
        return event;
    }

    private void takeTogether(Plan.Simultaneous group) {
        List<Turn.Descend> members = group.turns();
        Event.Position[] at = new Event.Position[members.size()];
        for (int i = 0; i < at.length; i++) {
            at[i] = new Event.Position(step + i, round, epoch());
            ((BoundDescend) bound(members.get(i))).compute(this, feeds, at[i]);
        }
        for (int i = 0; i < at.length; i++) {
            BoundDescend bound = (BoundDescend) bound(members.get(i));
            bound.counted();
            Event event = bound.apply(at[i]);
            step++;
            emit(event);
        }
    }

    private Turn chosen(Plan.Choose choose) {
        Remembered remembered = Optional.ofNullable(schedules.get(choose)).orElseThrow();
        String name = next(choose.schedule(), remembered);
        for (Turn turn : choose.turns()) {
            if (turn.name().equals(name)) {
                return turn;
            }
        }
        throw new IllegalArgumentException(
                "schedule " + choose.schedule() + " chose " + name + "; it may choose from " + choose.turns());
    }

    @SuppressWarnings("unchecked") // what a schedule is given is what it started with or gave back
    private <S extends Record> String next(Schedule<S> schedule, Remembered remembered) {
        Schedule.Choice<S> choice = schedule.next((S) remembered.state, view);
        remembered.state = choice.state();
        return choice.turn();
    }

    /** What a turn observed when it was taken last: a copy. */
    public Tensor observed(Turn.Descend turn, Value value) {
        return ((BoundDescend) bound(turn)).observed(value);
    }

    /**
     * The gradient that a turn moved a weight by when it was taken last, before clipping: a copy of the weight's shape.
     *
     * @throws IllegalArgumentException if the turn does not move that path, listing what is near
     * @throws IllegalStateException if the turn was not taken yet
     */
    public Tensor gradient(Turn.Descend turn, String path) {
        return ((BoundDescend) bound(turn)).gradient(path);
    }

    /** Where the run is. */
    public Event.Position position() {
        return new Event.Position(step, round, epoch());
    }

    private double epoch() {
        return feeds.isEmpty() ? 0 : feeds.get(0).source().epoch();
    }

    public Parameters parameters() {
        return parameters;
    }

    /** What the bound turns write. */
    public Writes writes() {
        return Writes.of(turns.values().stream().map(BoundTurn::turn).toList(), parameters.declarations());
    }

    /** The mean of a series' last values, as schedules see it. */
    public OptionalDouble average(String series, int window) {
        return history.average(series, window);
    }

    Run view() {
        return view;
    }

    boolean mayDiverge() {
        return mayDiverge;
    }

    int rowsFor(BoundDescend turn) {
        BoundProgram program = turn.program();
        if (!program.program().batched()) {
            return 1;
        }
        if (batch > 0) {
            return batch;
        }
        int rows = lastRows;
        if (!feeds.isEmpty()) {
            rows = feeds.get(0).source().batch();
        }
        if (rows == 0) {
            throw new IllegalStateException("turn " + turn.turn().name()
                    + " draws noise, but nothing says how many rows: call scheduler.batch(n) or feed a source");
        }
        return rows;
    }

    void epochEnded(Source source) {
        emit(new Event.EpochEnded(position(), source.name(), (long) Math.floor(source.epoch())));
    }

    private void emit(Event event) {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).accept(event);
        }
    }

    /** Everything that the future of the run depends on; between rounds. */
    @Override
    public State save() {
        requireOpen();
        State values = State.empty();
        for (Map.Entry<Path, Tensor> entry : parameters.snapshot().tensors().entrySet()) {
            values = values.with(entry.getKey().text(), entry.getValue());
        }
        State boundTurns = State.empty();
        for (BoundTurn bound : turns.values()) {
            boundTurns = boundTurns.with(bound.turn().name(), bound.save());
        }
        State remembered = State.empty();
        for (int i = 0; i < chooses.size(); i++) {
            Record state = Optional.ofNullable(schedules.get(chooses.get(i))).orElseThrow().state;
            remembered = remembered.with(Integer.toString(i), Records.text(state));
        }
        State sources = State.empty();
        for (Source source : sources()) {
            sources = sources.with(source.name(), source.save());
        }
        return State.empty()
                .with("format", FORMAT)
                .with("seed", parameters.streams().seed())
                .with("step", step)
                .with("round", round)
                .with("rows", lastRows)
                .with("parameters", values)
                .with("turns", boundTurns)
                .with("schedules", remembered)
                .with("sources", sources)
                .with("history", history.save());
    }

    private List<Source> sources() {
        List<Source> sources = new ArrayList<>();
        feeds.forEach(feed -> sources.add(feed.source()));
        loose.values()
                .forEach(list -> list.forEach(feed -> {
                    if (!sources.contains(feed.source())) {
                        sources.add(feed.source());
                    }
                }));
        return sources;
    }

    /**
     * Goes back to a saved state. Turns and sources that come later take theirs when they come.
     *
     * @throws IllegalArgumentException if the state is of another seed, format or shape of things; then nothing has
     *     changed
     */
    @Override
    public void restore(State state) {
        requireOpen();
        if (state.whole("format") != FORMAT) {
            throw new IllegalArgumentException(
                    "the saved state has format " + state.whole("format") + ", this version reads " + FORMAT);
        }
        if (state.whole("seed") != parameters.streams().seed()) {
            throw new IllegalArgumentException("the saved state is of seed " + state.whole("seed")
                    + ", this run has seed " + parameters.streams().seed());
        }
        State before = save();
        try {
            apply(state);
        } catch (RuntimeException e) {
            apply(before);
            throw e;
        }
    }

    private void apply(State state) {
        SortedMap<Path, Tensor> tensors = new TreeMap<>();
        State values = state.state("parameters");
        values.items().keySet().forEach(path -> tensors.put(Path.of(path), values.tensor(path)));
        parameters.restore(new Snapshot(tensors));
        pending = state;
        turns.forEach((name, bound) -> restorePending("turns", name, bound));
        sources().forEach(source -> restorePending("sources", source.name(), source));
        for (int i = 0; i < chooses.size(); i++) {
            State saved = state.state("schedules");
            Remembered remembered =
                    Optional.ofNullable(schedules.get(chooses.get(i))).orElseThrow();
            if (saved.has(Integer.toString(i))) {
                remembered.state = Records.record(saved.text(Integer.toString(i)), remembered.state.getClass());
            }
        }
        history.restore(state.state("history"));
        step = state.whole("step");
        round = state.whole("round");
        lastRows = (int) state.whole("rows");
        watches.forEach(watch -> watch.last()[0] = mark(watch.trigger()));
    }

    private void restorePending(String kind, String name, Stateful target) {
        if (pending.has(kind) && pending.state(kind).has(name)) {
            target.restore(pending.state(kind).state(name));
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the scheduler is closed");
        }
        parameters.touch();
    }

    /** Frees executables, slots and threads; the store stays open. Closing twice does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            turns.values().forEach(BoundTurn::close);
            workers.close();
        }
    }

    /** The run as actions and schedules see it. */
    private final class View implements Run, ScheduleView {
        @Override
        public Event.Position position() {
            return Scheduler.this.position();
        }

        @Override
        public Parameters parameters() {
            return parameters;
        }

        @Override
        public long count(String turn) {
            BoundTurn bound = turns.get(turn);
            if (bound == null) {
                throw new IllegalArgumentException("no turn is called " + turn + Nearest.among(turn, turns.keySet()));
            }
            return bound.count();
        }

        @Override
        public void save() {
            if (folder == null) {
                throw new IllegalStateException("there is nowhere to save: call scheduler.saveTo(folder) first");
            }
            Checkpoints.write(folder, step, Scheduler.this.save());
        }

        @Override
        public void stop() {
            stopping = true;
        }

        @Override
        public OptionalDouble average(String series, int window) {
            return history.average(series, window);
        }

        @Override
        public long step() {
            return step;
        }

        @Override
        public long round() {
            return round;
        }

        @Override
        public Stream random() {
            return parameters.streams().at("schedule");
        }
    }
}
