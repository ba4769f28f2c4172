package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.feeds.FeedChecks;
import hocket.schedulers.feeds.Feeding;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.plans.Phases;
import hocket.schedulers.plans.PlanPosition;
import hocket.schedulers.plans.ViewWithoutMetrics;
import hocket.schedulers.plans.Walk;
import hocket.schedulers.runs.BoundRings;
import hocket.schedulers.runs.History;
import hocket.schedulers.runs.ParameterAveraging;
import hocket.schedulers.runs.RunView;
import hocket.schedulers.runs.Runner;
import hocket.schedulers.runs.Saving;
import hocket.schedulers.runs.TrainingLoop;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.RunState;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.schedulers.turns.AuditException;
import hocket.schedulers.turns.BoundDescend;
import hocket.schedulers.turns.BoundTurn;
import hocket.schedulers.turns.BoundTurns;
import hocket.schedulers.turns.DivergedException;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs turns over a store: by a plan and a budget, or one by one. It owns what is bound to the store: executables,
 * optimizer slots (by turn and path), cursors and the position. Used by the thread that owns the store; closing it leaves
 * the store open.
 */
public final class Scheduler implements Stateful, AutoCloseable {
    private final Parameters parameters;
    private final KernelThreads kernelThreads;
    private final History history = new History();
    private final BoundTurns turns;
    private final TrainingLoop trainingLoop;
    private final PlanPosition plan;
    private final BoundRings boundRings;
    private final Runner runner;
    private final RunView runView;
    private final RunState whole;
    private final Saving saving;
    private final ParameterAveraging parameterAveraging;
    private @Nullable Steering steering;
    private @Nullable Function<String, Plan> reader;
    private boolean closed;

    private Scheduler(Parameters parameters, int threads, DataParallelSplit dataParallelSplit) {
        parameters.touch();
        this.parameters = parameters;
        this.kernelThreads = KernelThreads.of(threads);
        this.turns = new BoundTurns(parameters, threads, dataParallelSplit, kernelThreads, history, this::batches);
        this.runView = new RunView(this, turns, history);
        this.trainingLoop = new TrainingLoop(turns, parameters, kernelThreads, runView);
        this.plan = new PlanPosition(trainingLoop.trials(), text -> bound(read(text)));
        this.boundRings = new BoundRings(trainingLoop.sources(), history, runView, runView);
        this.saving = new Saving(trainingLoop::emit);
        boolean parts =
                dataParallelSplit.isStale() && dataParallelSplit.exchange().processes() > 1;
        ScheduleView planned = parts ? new ViewWithoutMetrics(runView) : runView;
        this.runner = new Runner(turns, trainingLoop, plan, boundRings, planned, saving);
        this.whole = new RunState(parameters, turns, trainingLoop, plan, boundRings, history);
        this.parameterAveraging = new ParameterAveraging(turns, dataParallelSplit, parameters);
        if (dataParallelSplit.movesApart() && dataParallelSplit.exchange().processes() > 1) {
            boundRings.add(parameterAveraging);
        }
        trainingLoop.listen(boundRings::heard);
    }

    /** A scheduler over a store, with as many threads as the machine has processors. */
    public static Scheduler over(Parameters parameters) {
        return over(parameters, Runtime.getRuntime().availableProcessors());
    }

    /** A scheduler with a given number of threads; results are repeatable for the same number. */
    public static Scheduler over(Parameters parameters, int threads) {
        return over(parameters, threads, DataParallelSplit.NONE);
    }

    /** The same where workers share the rows of turns: results are repeatable for the same number of them, too. */
    public static Scheduler over(Parameters parameters, int threads, DataParallelSplit dataParallelSplit) {
        return new Scheduler(parameters, threads, dataParallelSplit);
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
        requireBetweenRounds("another plan is set");
        plan.plan(rounds, () -> turns.bind(rounds));
        return this;
    }

    /**
     * Sets what the run consists of: plans one after the other, each until its own budget is reached. All turns are bound
     * and checked now, so turns of two phases share what they both write.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if a plan is refused, a source does not fit, or a budget names none, as
     *     {@link #plan} and {@link #run(Budget)} do. Then nothing has changed
     */
    public Scheduler phases(List<Phase> all) {
        requireBetweenTurns();
        plan.requireNothingWaiting();
        if (all.isEmpty()) {
            throw new IllegalArgumentException("a run needs at least one phase");
        }
        Map<String, Turn> every = Phases.turnsByName(all);
        Phases.requireNames(all);
        requireBetweenRounds("other phases are set");
        all.forEach(phase -> new Walk(phase.plan())); // refuses what cannot be saved
        all.forEach(phase -> turns.check(phase.plan(), every.values()));
        turns.bind(every.values(), () -> {
            checkFeeds(every.values());
            all.forEach(phase -> done(phase.budget()));
        });
        plan.phases(all);
        return this;
    }

    /**
     * Feeds the inputs that are called as the source's columns.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if another source has that name
     */
    public Scheduler feed(Source source, Resample resample) {
        requireBetweenTurns();
        boundRings.begin(trainingLoop.sources().feed(source, resample, trainingLoop.step()));
        return this;
    }

    /** Sets the number of rows of turns that read no input, only noise; without it, the sources' batch is taken. */
    public Scheduler batch(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("batch must be at least 1, was " + rows);
        }
        trainingLoop.batch(rows);
        return this;
    }

    /** Does something whenever a trigger fires, between rounds: the short form of a {@link Ring}. */
    public Scheduler on(Trigger trigger, Consumer<Run> action) {
        return ring(Ring.on(trigger, action));
    }

    /**
     * Puts one more ring around the run.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if what its trigger remembers cannot be saved, naming it
     */
    public Scheduler ring(Ring ring) {
        requireBetweenTurns();
        boundRings.add(ring);
        return this;
    }

    /**
     * Takes the rings of a name away: without {@value Learn#NAME}, the same onion infers.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if there is none, naming what is near
     */
    public Scheduler without(String ring) {
        requireBetweenTurns();
        boundRings.remove(ring);
        return this;
    }

    /** The rings from the outermost on. */
    public List<Ring> rings() {
        return boundRings.all();
    }

    /** Has a listener told of every event, on the training thread. */
    public Scheduler listen(Consumer<Event> listener) {
        trainingLoop.listen(listener);
        return this;
    }

    /** Has a listener told of the events of one kind, such as {@code Event.Descended.class}, on the training thread. */
    public <E extends Event> Scheduler listen(Class<E> kind, Consumer<E> listener) {
        return listen(event -> {
            if (kind.isInstance(event)) {
                listener.accept(kind.cast(event));
            }
        });
    }

    /** Sets where {@link Run#save} writes checkpoints, while training waits; the newest three are kept. */
    public Scheduler saveTo(java.nio.file.Path checkpoints) {
        return saveTo(checkpoints, CheckpointPolicy.USUAL);
    }

    /**
     * Sets where {@link Run#save} writes checkpoints, and how. Where there are some already, the run must {@linkplain
     * #resumeFrom go on} from one of them: those of different runs are not mixed, and a run that would do so is refused before
     * its first turn.
     */
    public Scheduler saveTo(java.nio.file.Path checkpoints, CheckpointPolicy policy) {
        saving.to(checkpoints, policy);
        return this;
    }

    /**
     * Has something done before each checkpoint is written, by the thread that writes it, such as forcing the metrics that a
     * resumed run needs to the device. An {@link java.io.UncheckedIOException} of it refuses the checkpoint, as a disk does.
     */
    public Scheduler savesAfter(Runnable what) {
        saving.after(what);
        return this;
    }

    /** Where {@link Run#save} writes checkpoints; empty where that was not said. */
    public Optional<java.nio.file.Path> savesTo() {
        return saving.folder();
    }

    /** Lets losses and gradients be infinite or NaN; without it, the run stops there. */
    public Scheduler allowDivergence() {
        trainingLoop.allowDivergence();
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
        trainingLoop.detectAnomalies();
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
        trainingLoop.audit().every(rounds);
        return this;
    }

    /**
     * Turns that an audit has verified since this scheduler was made.
     *
     * @param rounds in which they were
     */
    public record Audited(long rounds, long turns) {}

    /** What the {@link #audit} has verified so far; nothing without one. */
    public Audited audited() {
        return trainingLoop.audit().audited();
    }

    /** Sets what {@link Trigger.EverySeconds} reads; nothing else reads a clock. */
    Scheduler clock(InstantSource source) {
        boundRings.clock(source);
        return this;
    }

    /**
     * Sets who gives commands to runs from now on: they are answered between turns, and those that were applied are counted
     * in what is saved.
     *
     * @return this scheduler
     */
    public Scheduler steeredBy(Steering commands) {
        requireBetweenTurns();
        if (steering != null) {
            throw new IllegalStateException("the run is steered already");
        }
        steering = commands;
        whole.steeredBy(commands);
        runner.commandedBy(
                () -> {
                    if (!trainingLoop.trials().isOpen() && !plan.isRoundOver()) {
                        commands.at(this);
                    }
                },
                commands::again);
        return this;
    }

    /**
     * Sets who reads plans that come as text, by {@link Command.Replan} or in a state in which one was set so.
     *
     * @param plans gives the plan with turns in the place of their names, or throws an {@link IllegalArgumentException}
     * @return this scheduler
     */
    public Scheduler plansReadBy(Function<String, Plan> plans) {
        reader = plans;
        return this;
    }

    private Plan read(String plan) {
        if (reader == null) {
            throw new IllegalArgumentException(
                    "plan " + plan + " is a text, and nothing here reads such: see plansReadBy(…)");
        }
        return NonNull.by(reader, "apply()", reader.apply(plan));
    }

    /** Sets another plan of the phase from the next round on. Gives what it leads to, in words. Throws as {@link #plan(Plan)}. */
    public String swapPlan(String text) {
        Plan read = bound(read(text));
        boolean isNow = !plan.inRound();
        plan.swapNext(text);
        return (isNow ? "the plan is " : "the plan from the next round on is ") + read;
    }

    private Plan bound(Plan read) {
        new Walk(read); // refuses what cannot be saved
        checkFeeds(read.turnsByName().values());
        turns.bind(read);
        return read;
    }

    /** What a round consists of now. */
    public Plan planned() {
        return plan.plan();
    }

    /**
     * Runs rounds of the plan until the budget, counted from the very start, is reached: after {@code run(rounds(5))},
     * {@code run(rounds(5))} has nothing left to do and {@code run(rounds(10))} takes five more.
     *
     * @return how many rounds were completed now; 0 where the budget was reached before
     * @throws IllegalStateException if there is no plan
     * @throws IllegalArgumentException if the sources do not fit the plan, or the budget or a trigger names no source
     * @throws DivergedException if a loss or gradient is not finite
     */
    public long run(Budget budget) {
        return counted(() -> check(budget), () -> runner.rounds(budget));
    }

    /**
     * Runs rounds of one's own until the budget is reached: what each does is written as Java, by {@link #step}.
     *
     * @param round takes the turns of one round
     * @return how many rounds were completed now, as by {@link #run(Budget)}
     * @throws IllegalArgumentException if the budget names no source; or, when first looked at, a trigger no source or series
     *     that there has been by then
     * @throws DivergedException if a loss or gradient is not finite
     */
    public long run(Budget budget, Runnable round) {
        return counted(() -> done(budget), () -> runner.rounds(budget, ended(round)));
    }

    /**
     * Runs what is left of the phases.
     *
     * @return how many rounds were completed now
     * @throws IllegalStateException if there are none: call {@link #phases} before
     * @throws DivergedException if a loss or gradient is not finite
     */
    public long run() {
        requireBetweenTurns();
        plan.phases().current();
        return counted(() -> check(plan.phases().current().budget()), runner::phases);
    }

    private long counted(Next checks, BooleanSupplier loop) {
        requireBetweenTurns();
        long before = trainingLoop.round();
        whole(checks, loop);
        return trainingLoop.round() - before;
    }

    private void whole(Next checks, BooleanSupplier loop) {
        if (steering == null) {
            runner.whole(checks, loop);
            return;
        }
        steering.begin(!boundRings.rememberTurns());
        try {
            runner.whole(checks, loop);
        } finally {
            steering.end();
        }
    }

    /**
     * Puts {@link Ring#run} of the rings around something that takes the run further, such as several runs in a row, which
     * then are one whole.
     */
    public void around(Runnable whole) {
        requireBetweenTurns();
        runner.around(whole::run);
    }

    /**
     * Puts the rings around a loop of one's own, which takes turns by {@link #step} and rounds by {@link #round}. A loop has
     * no budget: its end is the end.
     */
    public void loop(Runnable loop) {
        requireBetweenTurns();
        whole(() -> {}, () -> {
            loop.run();
            return !runner.isAskedToEnd();
        });
    }

    /** Puts the rings around a round of one's own, counts it, and does what is due with it: for a loop by hand. */
    public void round(Runnable round) {
        requireBetweenTurns();
        runner.round(ended(round));
        boundRings.doWhatIsDue();
    }

    private Next ended(Runnable round) {
        return () -> runner.byHand(round);
    }

    /** Whether an action, a ring or a signal has asked the run to end: a loop of one's own breaks off then. */
    public boolean isAskedToEnd() {
        return runner.isAskedToEnd();
    }

    /** The phase that a run by {@link #run()} is in. */
    public Phase phase() {
        return plan.phases().current();
    }

    /** Whether {@link #run()} has nothing left to do. */
    public boolean done() {
        return !plan.inRound()
                && plan.phases().isLast()
                && done(plan.phases().current().budget()) == 1;
    }

    /**
     * Does what comes next in the plan: takes a turn or several together, or ends the round. For a loop of one's own that
     * goes by the plan. Rings are around its turns, and what is due is done; around a round and the whole they are where the
     * loop says so, by {@link #loop}.
     *
     * @return whether a round ended
     * @throws IllegalStateException if there is no plan
     * @throws DivergedException if a loss or gradient is not finite
     */
    public boolean proceed() {
        requireBetweenTurns();
        runner.requireWhole();
        return runner.proceed();
    }

    private void requireBetweenRounds(String what) {
        if (plan.inRound()) {
            throw new IllegalStateException(
                    "round " + trainingLoop.round() + " is not finished, and " + what + " between rounds");
        }
    }

    /** Checks all that can be checked before the first turn. Throws as {@link #run}. */
    public void check(Budget budget) {
        requireBetweenTurns();
        checkFeeds(
                plan.phases().isEmpty()
                        ? plan.plan().turnsByName().values()
                        : plan.phases().turns());
        done(budget);
        boundRings.check();
    }

    private void checkFeeds(Collection<Turn> planned) {
        List<Turn.Descend> descending = Turn.descending(planned);
        List<Source> sources =
                trainingLoop.sources().fed().stream().map(Feeding::source).toList();
        FeedChecks.check(descending, sources);
        FeedChecks.requireRead(descending, sources);
        for (Turn.Descend turn : descending) {
            if (turn.program().inputs().isEmpty()) {
                trainingLoop.rowsWithoutInput((BoundDescend) turns.of(turn));
            }
        }
    }

    /**
     * How much of a budget is done, from 0 to 1; 1 when it is reached. In a phase, counted from its beginning.
     *
     * @throws IllegalArgumentException if it names no source
     */
    public double done(Budget budget) {
        return runner.done(budget);
    }

    /**
     * Ends a round: for a loop of one's own, where {@link #run} does not count them. What is drawn once a round is drawn
     * anew after it, and triggers fire. After an error in the middle of a round of {@link #run}, the next one goes on with
     * the turn that failed.
     */
    public void endRound() {
        requireBetweenTurns();
        runner.isWhole();
        runner.endRound();
        boundRings.doWhatIsDue();
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
            return taken(
                    turn, () -> trainingLoop.take(bound, trainingLoop.sources().fed(), false));
        }
        List<Feeding> fedBy = new ArrayList<>(given.length);
        for (Source source : given) {
            Feeding known = trainingLoop.sources().find(source);
            fedBy.add(known == null ? trainingLoop.sources().unknown(source) : known);
        }
        BoundDescend descend = bound.descending()
                .orElseThrow(() -> new IllegalArgumentException(
                        "turn " + turn.name() + " reads no source, given " + given[0].name()));
        descend.check(fedBy, true); // before a source that is refused becomes known
        for (int i = 0; i < given.length; i++) {
            fedBy.set(i, feeding(given[i]));
        }
        return taken(turn, () -> trainingLoop.take(bound, fedBy, true));
    }

    /** @throws IllegalStateException if a ring leaves the turn out, so that there is no outcome */
    private <E extends Event> E taken(Turn turn, Supplier<E> taking) {
        if (!boundRings.areAroundTurns()) {
            return taking.get();
        }
        AtomicReference<E> event = new AtomicReference<>();
        boundRings.aroundTurn(List.of(turn), () -> event.set(taking.get()));
        E outcome = event.get();
        if (outcome == null) {
            throw new IllegalStateException("a ring left turn " + turn.name()
                    + " out, which was taken by hand: take it by a plan, or look into the ring");
        }
        return outcome;
    }

    private Feeding feeding(Source source) {
        Feeding known = trainingLoop.sources().find(source);
        if (known == null) {
            known = trainingLoop.sources().add(source, Resample.EACH_TURN, trainingLoop.step());
            boundRings.begin(known);
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
        BoundDescend bound = (BoundDescend) bound(turn);
        return taken(turn, () -> trainingLoop.take(bound, rows));
    }

    private BoundTurn bound(Turn turn) {
        requireBetweenTurns();
        return turn.fold(this::active, this::writing, this::writing);
    }

    private BoundTurn writing(Turn turn) {
        if (!boundRings.learning()) {
            throw new IllegalStateException("turn " + turn.name() + " would write or act, and this run infers: "
                    + Learn.NAME + " was taken away");
        }
        return turns.of(turn);
    }

    /** The turn as it is taken now: learning or not. */
    private BoundDescend active(Turn.Descend turn) {
        return boundRings.learning() ? (BoundDescend) turns.of(turn) : turns.evaluated(turn);
    }

    /** What a turn observed when it was taken last, before its update: a copy. */
    public Tensor observed(Turn.Descend turn, Value value) {
        return active(turn).observed(value);
    }

    /**
     * The same after its update, on the same rows and noise.
     *
     * @throws IllegalArgumentException if the turn was not told so by {@link Turn.Descend#measuresAfter}
     */
    public Tensor observedAfter(Turn.Descend turn, Value value) {
        return active(turn).observedAfter(value);
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

    /** All settings of bound turns' rules as they are now, by their names. */
    public SortedMap<String, Double> settings() {
        return turns.settings();
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
        return runView;
    }

    /**
     * Reads the store as it is saved: averages have {@linkplain Turn.Follow batch-norm statistics of their own}, where training
     * has copies of those that they follow. Changes nothing.
     */
    public <T> T asSaved(Supplier<T> reading) {
        parameters.touch();
        return turns.asSaved(reading);
    }

    /** How an evaluation scores the store, read {@linkplain #asSaved as it is saved}: a checkpoint of it scores the same. */
    public SortedMap<String, Double> scores(Evaluation by) {
        return asSaved(() -> NonNull.by(by, "scores()", by.scores(runView.session())));
    }

    private Optional<Supplier<Feeds>> batches(BoundDescend turn, Program program) {
        return trainingLoop.batches(turn, program);
    }

    /** How many threads compute. */
    public int threads() {
        return kernelThreads.threads();
    }

    /** Where the run is. */
    public Event.Position position() {
        return trainingLoop.position();
    }

    public Parameters parameters() {
        return parameters;
    }

    /**
     * Whether all processes of the run are at the same place with the same weights, but for those that servers move: not so
     * between two rounds in which the mean is taken of those that they move apart.
     */
    public boolean isSettled() {
        return parameterAveraging.isSettled();
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

    public boolean isFirst(Object what) {
        return boundRings.isFirst(what);
    }

    /** The mean of a series' last values, as schedules see it. */
    public OptionalDouble average(String series, int window) {
        return history.average(series, window);
    }

    /**
     * Everything that the future of the run depends on: between any two turns, also inside a round.
     *
     * @throws IllegalStateException inside a turn, also after a failure left it unfinished that had begun to change something
     */
    @Override
    public State save() {
        requireBetweenTurns();
        if (runner.isHalfway()) {
            throw new IllegalStateException("a turn of round " + trainingLoop.round()
                    + " was left unfinished by an error, and a run is saved between turns");
        }
        return whole.save();
    }

    /** Writes a checkpoint into the folder. */
    public void checkpoint() {
        saving.write(position(), this::save, runner.isInLoop());
    }

    public Runner runner() {
        return runner;
    }

    public TrainingLoop course() {
        return trainingLoop;
    }

    /** Where the run stands in its round, for people, such as {@code round 41 · d 3 of 5}. */
    public String place() {
        String round = "round " + trainingLoop.round();
        String place = plan.place();
        return place.isEmpty() ? round : round + " · " + place;
    }

    /**
     * Whether a run that failed can be saved where it stands, and goes on from there as if it had not failed: it failed before
     * a turn of the plan or in one that had changed nothing yet, as where a loss is NaN or a source fails. What it had drawn,
     * it reads again. A turn of Java may have changed anything, a loop of one's own and what is beside training, too.
     */
    public boolean canGoOn() {
        return runner.canGoOn();
    }

    /**
     * The turns of the plan that are being taken, or were when an error ended the run: one, several that are taken together,
     * or none between turns.
     */
    public List<Turn> unfinished() {
        return runner.unfinished();
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
        whole.restore(state);
        runner.isWhole();
    }

    /**
     * Goes back to the newest checkpoint of a folder. Throws as {@link #restore}, too.
     *
     * @throws IOException if there is none that is whole, naming the file that is wrong; then nothing has changed
     */
    public void resumeFrom(java.nio.file.Path checkpoints) throws IOException {
        Checkpoints.Found newest = Checkpoints.newest(checkpoints);
        try {
            resumeFrom(newest);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(checkpoints + " cannot be resumed here: " + e.getMessage(), e);
        }
    }

    /** Goes back to a checkpoint, and may save beside it then. Throws as {@link #restore}. */
    public void resumeFrom(Checkpoints.Found checkpoint) {
        restore(checkpoint.state());
        saving.owns(checkpoint.folder());
    }

    /**
     * Waits until all that was saved is on the disk, for those who look there.
     *
     * @throws UncheckedIOException if the disk refused, and the run is to stop then
     */
    public void settle() {
        saving.settle();
    }

    private void requireBetweenTurns() {
        if (closed) {
            throw new IllegalStateException("the scheduler is closed");
        }
        requireNoTurn();
        parameters.touch();
    }

    private void requireNoTurn() {
        if (trainingLoop.inTurn()) {
            throw new IllegalStateException("a turn is being taken: what runs inside it may only look");
        }
    }

    /**
     * Frees executables, slots and threads, also while the scheduler itself is still referred to, and waits for a checkpoint
     * that is being written; the store stays open. Closing twice does nothing.
     *
     * @throws IllegalStateException inside a turn, or if the store belongs to another thread
     * @throws UncheckedIOException if the disk refuses the checkpoint; all is closed then
     */
    @Override
    public void close() {
        if (!closed) {
            requireNoTurn();
            parameters.requireOwner();
            closed = true;
            turns.close();
            trainingLoop.release();
            kernelThreads.close();
            saving.close();
        }
    }
}
