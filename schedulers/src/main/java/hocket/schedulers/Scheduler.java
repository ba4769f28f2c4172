package hocket.schedulers;

import hocket.programs.BoundProgram;
import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Snapshot;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private static final int FORMAT = 3;

    private final Parameters parameters;
    private final Workers workers;
    private final History history = new History();
    private final BoundTurns turns;
    private final Course course;
    private final Watches watches;
    private final View view;
    private final Phases phases = new Phases();
    private @Nullable Walk walk;
    private @Nullable Cursor cursor;
    private State waitingCursor = State.empty();
    private State waitingTrials = State.empty();
    private String waitingPlan = "";
    private java.nio.file.@Nullable Path folder;
    private boolean stopping;
    private boolean pausing;
    private boolean halfway;
    private boolean closed;

    private Scheduler(Parameters parameters, int threads) {
        parameters.touch();
        this.parameters = parameters;
        this.workers = Workers.of(threads);
        this.turns = new BoundTurns(parameters, threads, workers, history);
        this.view = new View(parameters.streams().at("schedule"));
        this.course = new Course(turns, parameters, workers, view);
        this.watches = new Watches(course.sources(), history, view);
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
     * @throws IllegalArgumentException if the plan is refused, naming turn and path: see {@link Writes}; or if a state of
     *     another plan was restored. Then nothing has changed
     */
    public Scheduler plan(Plan rounds) {
        requireBetweenTurns();
        requireSamePlan(waitingPlan, rounds.toString());
        requireBetweenRounds("another plan is set");
        Walk fresh = new Walk(rounds);
        Cursor at = waitingPlan.isEmpty() ? fresh.start() : Cursor.restore(fresh.start(), waitingCursor);
        turns.bind(rounds);
        if (!waitingPlan.isEmpty()) {
            course.trials().restore(waitingTrials, fresh::part);
        }
        walk = fresh;
        cursor = at;
        waitingPlan = "";
        phases.none();
        return this;
    }

    /**
     * Sets what the run consists of: plans one after the other, each until its own budget is reached. All turns are bound
     * and checked now, so turns of two phases share what they both write.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if a plan is refused, a source does not fit, or a budget names none, as
     *     {@link #plan} and {@link #run(Budget)} do
     */
    public Scheduler phases(List<Phase> all) {
        requireBetweenTurns();
        if (!waitingPlan.isEmpty()) {
            throw new IllegalStateException("phases are set before a state is restored, not after");
        }
        Map<String, Turn> every = Phases.turnsByName(all);
        Phases.requireNames(all);
        requireBetweenRounds("other phases are set");
        all.forEach(phase -> new Walk(phase.plan())); // refuses what cannot be saved
        all.forEach(phase -> turns.check(phase.plan(), every.values()));
        turns.bind(every.values());
        checkFeeds(every.values());
        all.forEach(phase -> done(phase.budget()));
        phases.begin(all);
        enter(phases.current());
        return this;
    }

    private void enter(Phase phase) {
        Walk fresh = new Walk(phase.plan());
        walk = fresh;
        cursor = fresh.start();
        course.trials().reset();
    }

    /**
     * Feeds the inputs that are called as the source's columns.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if another source has that name
     */
    public Scheduler feed(Source source, Draw draw) {
        requireBetweenTurns();
        watches.begin(course.sources().feed(source, draw, course.step()));
        return this;
    }

    /** Sets the number of rows of turns that read no input, only noise; without it, the sources' batch is taken. */
    public Scheduler batch(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("batch must be at least 1, was " + rows);
        }
        course.batch(rows);
        return this;
    }

    /** Does something whenever a trigger fires, between rounds. */
    public Scheduler on(Trigger trigger, Consumer<Run> action) {
        watches.add(trigger, action);
        return this;
    }

    /** Hears every event, on the training thread. */
    public Scheduler listen(Consumer<Event> listener) {
        course.listen(listener);
        return this;
    }

    /** Sets where {@link Run#save} writes checkpoints. */
    public Scheduler saveTo(java.nio.file.Path checkpoints) {
        folder = checkpoints;
        return this;
    }

    /** Lets losses and gradients be infinite or NaN; without it, the run stops there. */
    public Scheduler allowDivergence() {
        course.allowDivergence();
        return this;
    }

    /**
     * Stops a run at the first turn in which anything that it hands out is not finite (loss, gradients, metrics,
     * observations, running statistics), before it writes, and says which operator made the first such number and from what:
     * the turn is computed again by the reference lowering. Weights and statistics are looked at after each turn, too. Until
     * then it costs a look at these numbers each turn and changes none of them. Comes before {@link #allowDivergence}.
     *
     * @return this scheduler
     */
    public Scheduler detectAnomalies() {
        course.detectAnomalies();
        return this;
    }

    /**
     * Proves, in the first of every so many rounds, that each turn has changed what the plan says and nothing else: digests of
     * every array, of parameters and of what optimizers keep, are compared before and after it. Otherwise the run stops
     * there with an {@link AuditException} that names path, turn and program.
     *
     * @param rounds 1 for every turn of the run
     * @return this scheduler
     * @throws IllegalArgumentException if the number is below 1
     */
    public Scheduler audit(long rounds) {
        course.audit().every(rounds);
        return this;
    }

    /** Sets what {@link Trigger.EverySeconds} reads; nothing else reads a clock. */
    Scheduler clock(InstantSource source) {
        watches.clock(source);
        return this;
    }

    /**
     * Runs rounds of the plan until the budget, counted from the very start, is reached.
     *
     * @throws IllegalStateException if there is no plan
     * @throws IllegalArgumentException if the sources do not fit the plan, or the budget or a trigger names no source
     * @throws DivergedException if a loss or gradient is not finite
     */
    public void run(Budget budget) {
        if (rounds(budget)) {
            watches.ended(view);
        }
    }

    /**
     * Runs what is left of the phases.
     *
     * @throws IllegalStateException if there are none: call {@link #phases} before
     * @throws DivergedException if a loss or gradient is not finite
     */
    public void run() {
        requireBetweenTurns();
        boolean complete = rounds(phases.current().budget());
        while (complete && !stopping && !pausing && phases.next(course.step(), course.round(), course.sources())) {
            enter(phases.current());
            complete = rounds(phases.current().budget());
        }
        if (done()) {
            watches.ended(view);
        }
    }

    /** The phase that a run by {@link #run()} is in. */
    public Phase phase() {
        return phases.current();
    }

    /** Whether {@link #run()} has nothing left to do. */
    public boolean done() {
        return phases.isLast() && done(phases.current().budget()) == 1;
    }

    private boolean rounds(Budget budget) {
        check(budget);
        requireWhole();
        stopping = false;
        pausing = false;
        course.emit(new Event.Started(position(), budget));
        while (!pausing && (inRound() || !(stopping || reached(budget)))) {
            advance();
        }
        boolean complete = !inRound() && reached(budget);
        course.emit(new Event.Ended(position(), complete));
        return complete;
    }

    /**
     * Does what comes next in the plan: takes a turn or several together, or ends the round. For a loop of one's own that
     * goes by the plan; {@link #run} does nothing else.
     *
     * @return whether a round ended
     * @throws IllegalStateException if there is no plan
     * @throws DivergedException if a loss or gradient is not finite
     */
    public boolean proceed() {
        requireBetweenTurns();
        requireWhole();
        long before = course.round();
        long step = course.step();
        while (course.round() == before && course.step() == step) {
            advance();
        }
        return course.round() > before;
    }

    private void advance() {
        Walk.Next next = requirePlan().next(requireCursor(), view);
        next.settings().forEach(turns::set);
        halfway = true;
        course.perform(next.instruction());
        cursor = next.then();
        halfway = false;
        if (next.instruction() instanceof Walk.EndRound) {
            endRound();
        }
    }

    private boolean inRound() {
        return cursor != null && cursor.begun;
    }

    private void requireWhole() {
        if (halfway) {
            throw new IllegalStateException("the last turn ended half-way by an error: go back with restore(…) first");
        }
    }

    private void requireBetweenRounds(String what) {
        if (inRound()) {
            throw new IllegalStateException(
                    "round " + course.round() + " is not finished, and " + what + " between rounds");
        }
    }

    /** Checks all that can be checked before the first turn. Throws as {@link #run}. */
    public void check(Budget budget) {
        requireBetweenTurns();
        checkFeeds(phases.isEmpty() ? requirePlan().plan().turnsByName().values() : phases.turns());
        reached(budget);
        watches.check();
    }

    private void checkFeeds(Collection<Turn> planned) {
        List<Turn.Descend> descending = new ArrayList<>();
        for (Turn turn : planned) {
            if (turn instanceof Turn.Descend descend) {
                descending.add(descend);
            }
        }
        List<Source> sources =
                course.sources().fed().stream().map(Feeding::source).toList();
        FeedChecks.check(descending, sources);
        FeedChecks.requireRead(descending, sources);
        for (Turn.Descend turn : descending) {
            if (turn.program().inputs().isEmpty()) {
                course.rowsWithoutInput((BoundDescend) turns.of(turn));
            }
        }
    }

    private Walk requirePlan() {
        if (walk == null) {
            throw new IllegalStateException("there is no plan: call plan(…) before run(…), or step(turn) by turn");
        }
        return walk;
    }

    private Cursor requireCursor() {
        return Objects.requireNonNull(cursor, "a plan has its cursor");
    }

    private boolean reached(Budget budget) {
        return done(budget) >= 1;
    }

    /**
     * How much of a budget is done, from 0 to 1; 1 when it is reached. In a phase, counted from its beginning.
     *
     * @throws IllegalArgumentException if it names no source
     */
    public double done(Budget budget) {
        double done;
        double whole;
        if (budget instanceof Budget.Rounds rounds) {
            done = course.round() - phases.roundAtStart();
            whole = rounds.count();
        } else if (budget instanceof Budget.Turns count) {
            done = course.step() - phases.stepAtStart();
            whole = count.count();
        } else {
            Budget.Epochs epochs = (Budget.Epochs) budget;
            Source source = course.sources().named(epochs.source());
            done = source.epoch() - phases.epochAtStart(source.name());
            whole = epochs.count();
        }
        return done >= whole - 1e-9 ? 1 : done / whole; // epochs are sums of parts
    }

    /**
     * Ends a round: for a loop of one's own, where {@link #run} does not count them. What is drawn once a round is drawn
     * anew after it, and triggers fire. After an error in the middle of a round of {@link #run}, the next one goes on with
     * the turn that failed.
     */
    public void endRound() {
        requireBetweenTurns();
        halfway = false;
        course.endRound();
        watches.roundEnded(view);
    }

    /**
     * Takes one turn, fed by these sources alone; without any, by the scheduler's. A source that came before is drawn
     * from as was said then, another one each turn.
     *
     * @throws IllegalArgumentException if an input of the turn is not fed by exactly one source with its shape and type,
     *     or a given source feeds nothing; then none was drawn from
     * @throws DivergedException if loss or gradient are not finite
     */
    public Event step(Turn turn, Source... given) {
        BoundTurn bound = bound(turn);
        if (given.length == 0) {
            return course.take(bound, course.sources().fed(), false);
        }
        List<Feeding> fedBy = new ArrayList<>(given.length);
        for (Source source : given) {
            Feeding known = course.sources().find(source);
            fedBy.add(known == null ? course.sources().unknown(source) : known);
        }
        if (!(bound instanceof BoundDescend descend)) {
            throw new IllegalArgumentException("turn " + turn.name() + " reads no source, given " + given[0].name());
        }
        descend.check(fedBy, true); // before a source that is refused becomes known
        for (int i = 0; i < given.length; i++) {
            fedBy.set(i, feeding(given[i]));
        }
        return course.take(bound, fedBy, true);
    }

    private Feeding feeding(Source source) {
        Feeding known = course.sources().find(source);
        if (known == null) {
            known = course.sources().add(source, Draw.EACH_TURN, course.step());
            watches.begin(known);
        }
        return known;
    }

    /**
     * Takes one descending turn on these rows.
     *
     * @throws IllegalArgumentException if an input of the turn is missing, or a tensor is unknown, misshapen or mistyped
     * @throws DivergedException if loss or gradient are not finite
     */
    public Event.Descended step(Turn.Descend turn, Feeds rows) {
        return course.take((BoundDescend) bound(turn), rows);
    }

    private BoundTurn bound(Turn turn) {
        requireBetweenTurns();
        return turns.of(turn);
    }

    /** What a turn observed when it was taken last: a copy. */
    public Tensor observed(Turn.Descend turn, Value value) {
        return ((BoundDescend) turns.of(turn)).observed(value);
    }

    /**
     * The gradient that a turn moved a weight by when it was taken last, before clipping: a copy of the weight's shape.
     *
     * @throws IllegalArgumentException if the turn does not move that path, listing what is near
     * @throws IllegalStateException if the turn was not taken yet
     */
    public Tensor gradient(Turn.Descend turn, String path) {
        return ((BoundDescend) turns.of(turn)).gradient(path);
    }

    /**
     * What a setting of a bound turn's rules is now, such as {@code d/rate} or {@code d/beta1}.
     *
     * @throws IllegalArgumentException if there is none of that name, naming what is near
     */
    public double setting(String name) {
        return turns.setting(name);
    }

    /**
     * Changes a setting from its turn's next time on; it is saved with the run. A rate stays at that value from then on.
     *
     * @throws IllegalArgumentException if there is none of that name, or it does not take the value; then nothing has
     *     changed
     */
    public void set(String setting, double value) {
        requireBetweenTurns();
        turns.set(setting, value);
    }

    /** The run as actions see it. */
    public Run now() {
        return view;
    }

    /** Where the run is. */
    public Event.Position position() {
        return course.position();
    }

    public Parameters parameters() {
        return parameters;
    }

    /** What the bound turns write. */
    public Writes writes() {
        return turns.writes();
    }

    /**
     * How often a turn was taken.
     *
     * @throws IllegalArgumentException if none is called that, listing what is near
     */
    public long count(String turn) {
        return turns.named(turn).count();
    }

    /** The mean of a series' last values, as schedules see it. */
    public OptionalDouble average(String series, int window) {
        return history.average(series, window);
    }

    /**
     * Everything that the future of the run depends on: between any two turns, also inside a round.
     *
     * @throws IllegalStateException inside a turn, also after a failure left it unfinished
     */
    @Override
    public State save() {
        requireBetweenTurns();
        if (halfway) {
            throw new IllegalStateException("a turn of round " + course.round()
                    + " was left unfinished by an error, and a run is saved between turns");
        }
        return everything();
    }

    /** Where the run stands in its round, for people, such as {@code round 41 · d 3 of 5}. */
    public String place() {
        String round = "round " + course.round();
        String place = walk == null || cursor == null ? "" : walk.describe(cursor);
        return place.isEmpty() ? round : round + " · " + place;
    }

    private State everything() {
        State values = State.empty();
        for (Map.Entry<Path, Tensor> entry : parameters.snapshot().tensors().entrySet()) {
            values = values.with(entry.getKey().text(), entry.getValue());
        }
        return course.save(State.empty())
                .with("format", FORMAT)
                .with("seed", parameters.streams().seed())
                .with("plan", planText())
                .with("phase", phases.save())
                .with("parameters", values)
                .with("turns", turns.save())
                .with("cursor", cursor == null ? waitingCursor : cursor.save())
                .with("trials", walk == null ? waitingTrials : course.trials().save())
                .with("triggers", watches.save())
                .with("drawn", course.sources().drawn(course.round()))
                .with("sources", course.sources().save())
                .with("history", history.save());
    }

    /**
     * Goes back to a saved state. Turns, sources and the plan that come later take theirs when they come.
     *
     * @throws IllegalArgumentException if the state is of another seed, format, plan or shape of things; then nothing has
     *     changed
     */
    @Override
    public void restore(State state) {
        requireBetweenTurns();
        if (state.whole("format") != FORMAT) {
            throw new IllegalArgumentException(
                    "the saved state has format " + state.whole("format") + ", this version reads " + FORMAT);
        }
        if (state.whole("seed") != parameters.streams().seed()) {
            throw new IllegalArgumentException("the saved state is of seed " + state.whole("seed")
                    + ", this run has seed " + parameters.streams().seed());
        }
        if (walk != null) {
            requireSamePlan(state.text("plan"), planText());
        }
        State before = everything();
        try {
            apply(state);
        } catch (RuntimeException | Error e) {
            apply(before);
            throw e;
        }
        halfway = false;
    }

    /**
     * Goes back to the newest checkpoint of a folder. Throws as {@link #restore}, too.
     *
     * @throws IOException if there is none, or it is damaged, naming the file; then nothing has changed
     */
    public void resumeFrom(java.nio.file.Path checkpoints) throws IOException {
        State state = Checkpoints.readLatest(checkpoints);
        try {
            restore(state);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(checkpoints + " cannot be resumed here: " + e.getMessage(), e);
        }
    }

    private String planText() {
        return !phases.isEmpty()
                ? phases.toString()
                : walk == null ? waitingPlan : walk.plan().toString();
    }

    private static void requireSamePlan(String saved, String here) {
        if (!saved.isEmpty() && !saved.equals(here)) {
            throw new IllegalArgumentException("the saved state is of plan " + saved + ", this run has plan " + here);
        }
    }

    private void apply(State state) {
        SortedMap<Path, Tensor> tensors = new TreeMap<>();
        State values = state.state("parameters");
        values.items().keySet().forEach(path -> tensors.put(Path.of(path), values.tensor(path)));
        parameters
                .declarations()
                .forEach(declaration -> values.tensor(declaration.path().text()));
        parameters.restore(new Snapshot(tensors));
        course.restore(state);
        history.restore(state.state("history"));
        turns.restore(state.state("turns"));
        if (walk == null) {
            waitingPlan = state.text("plan");
            waitingCursor = state.state("cursor");
            waitingTrials = state.state("trials");
        } else {
            if (!phases.isEmpty()) {
                phases.restore(state.state("phase"));
                enter(phases.current());
            }
            Cursor start = walk.start();
            cursor = state.text("plan").isEmpty() ? start : Cursor.restore(start, state.state("cursor"));
            course.trials().restore(state.state("trials"), walk::part);
        }
        course.sources().restore(state.state("sources"), state.state("drawn"), course.step(), course.round());
        watches.restore(state.state("triggers"));
    }

    private void requireBetweenTurns() {
        if (closed) {
            throw new IllegalStateException("the scheduler is closed");
        }
        requireNoTurn();
        parameters.touch();
    }

    private void requireNoTurn() {
        if (course.inTurn()) {
            throw new IllegalStateException("a turn is being taken: what runs inside it may only look");
        }
    }

    /**
     * Frees executables, slots and threads; the store stays open. Closing twice does nothing.
     *
     * @throws IllegalStateException inside a turn, or if the store belongs to another thread
     */
    @Override
    public void close() {
        if (!closed) {
            requireNoTurn();
            parameters.requireOwner();
            closed = true;
            turns.close();
            workers.close();
        }
    }

    /** The run as actions and schedules see it. */
    private final class View implements Run, ScheduleView {
        private final Stream random;

        View(Stream random) {
            this.random = random;
        }

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
            return Scheduler.this.count(turn);
        }

        @Override
        public BoundProgram bind(Program program) {
            return turns.bind(program);
        }

        @Override
        public void report(String name, double value) {
            course.report(name, value);
        }

        @Override
        public void save() {
            if (folder == null) {
                throw new IllegalStateException("there is nowhere to save: call scheduler.saveTo(folder) first");
            }
            Checkpoints.write(folder, course.step(), Scheduler.this.save());
        }

        @Override
        public void stop() {
            stopping = true;
        }

        @Override
        public void pause() {
            pausing = true;
        }

        @Override
        public String place() {
            return Scheduler.this.place();
        }

        @Override
        public double epoch(String source) {
            return course.sources().named(source).epoch();
        }

        @Override
        public void set(String setting, double value) {
            Scheduler.this.set(setting, value);
        }

        @Override
        public double setting(String name) {
            return turns.setting(name);
        }

        @Override
        public OptionalDouble average(String series, int window) {
            return history.average(series, window);
        }

        @Override
        public long step() {
            return course.step();
        }

        @Override
        public long round() {
            return course.round();
        }

        @Override
        public Stream random() {
            return random;
        }

        @Override
        public Stream random(String name) {
            return parameters.streams().at("plan/" + name);
        }
    }
}
