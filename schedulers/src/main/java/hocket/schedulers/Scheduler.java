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
import hocket.schedulers.plans.Walk;
import hocket.schedulers.runs.BoundRings;
import hocket.schedulers.runs.History;
import hocket.schedulers.runs.ParameterAveraging;
import hocket.schedulers.runs.RunView;
import hocket.schedulers.runs.Runner;
import hocket.schedulers.runs.Saving;
import hocket.schedulers.runs.TrainingLoop;
import hocket.schedulers.runs.ViewWithoutMetrics;
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
 * Runs turns over a store, by a plan and a budget or one by one. It owns the executables, optimizer slots (by turn and
 * path), cursors and the position. Only the thread that owns the store uses it; closing it leaves the store open.
 *
 * <p>For example:
 *
 * <pre>{@code
 * try (Scheduler training = Scheduler.over(parameters)) {
 *     training.plan(sequence(d, g)).feed(images, EACH_TURN).run(epochs("image", 30));
 *     training.step(d, images); // or the loop is yours
 * }
 * }</pre>
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
        ScheduleView planned = parts ? new ViewWithoutMetrics(this, turns, history) : runView;
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

    /** A scheduler with a number of threads; results are reproducible for the same number. */
    public static Scheduler over(Parameters parameters, int threads) {
        return over(parameters, threads, DataParallelSplit.NONE);
    }

    /** A scheduler whose workers share the rows of turns; results are reproducible for the same number of both. */
    public static Scheduler over(Parameters parameters, int threads, DataParallelSplit dataParallelSplit) {
        return new Scheduler(parameters, threads, dataParallelSplit);
    }

    /**
     * Sets the plan of a round.
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
     * Sets the phases of the run: plans one after the other, each until its own budget is reached. All turns are bound
     * and checked now, so two phases must declare as shared what both write.
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
     * Adds a source, which feeds the inputs with the names of its columns.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if another source has that name
     */
    public Scheduler feed(Source source, Resample resample) {
        requireBetweenTurns();
        boundRings.begin(trainingLoop.sources().feed(source, resample, trainingLoop.step()));
        return this;
    }

    /** Sets the number of rows of turns that read no input, only noise; the default is the sources' batch size. */
    public Scheduler batch(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("batch must be at least 1, was " + rows);
        }
        trainingLoop.batch(rows);
        return this;
    }

    /** Runs an action between rounds whenever a trigger fires: the short form of a {@link Ring}. */
    public Scheduler on(Trigger trigger, Consumer<Run> action) {
        return ring(Ring.on(trigger, action));
    }

    /**
     * Adds a ring around the run.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if the memory of its trigger cannot be saved; the message names it
     */
    public Scheduler ring(Ring ring) {
        requireBetweenTurns();
        boundRings.add(ring);
        return this;
    }

    /**
     * Removes the rings of a name; without {@value Learn#NAME}, the rest runs inference.
     *
     * @return this scheduler
     * @throws IllegalArgumentException if there is none, naming similar ones
     */
    public Scheduler without(String ring) {
        requireBetweenTurns();
        boundRings.remove(ring);
        return this;
    }

    /** Returns the rings, the outermost first. */
    public List<Ring> rings() {
        return boundRings.all();
    }

    /** Adds a listener for every event, called on the training thread. */
    public Scheduler listen(Consumer<Event> listener) {
        trainingLoop.listen(listener);
        return this;
    }

    /** Adds a listener for events of one kind, such as {@code Event.Descended.class}, on the training thread. */
    public <E extends Event> Scheduler listen(Class<E> kind, Consumer<E> listener) {
        return listen(event -> {
            if (kind.isInstance(event)) {
                listener.accept(kind.cast(event));
            }
        });
    }

    /**
     * Sets the folder of {@link Run#save}, which keeps the newest three checkpoints; training waits while it writes.
     */
    public Scheduler saveTo(java.nio.file.Path checkpoints) {
        return saveTo(checkpoints, CheckpointPolicy.USUAL);
    }

    /**
     * Sets where and how {@link Run#save} writes checkpoints. If the folder holds some already, the run must
     * {@linkplain #resumeFrom resume} from one of them; a run that would mix checkpoints of different runs is refused
     * before its first turn.
     */
    public Scheduler saveTo(java.nio.file.Path checkpoints, CheckpointPolicy policy) {
        saving.to(checkpoints, policy);
        return this;
    }

    /**
     * Adds code that the writing thread runs before each checkpoint, such as forcing the metrics that a resumed run
     * needs to the storage device. Its {@link java.io.UncheckedIOException} fails the checkpoint like a failure of the
     * disk.
     */
    public Scheduler savesAfter(Runnable what) {
        saving.after(what);
        return this;
    }

    /** Returns the folder in which {@link Run#save} writes checkpoints; empty where none is set. */
    public Optional<java.nio.file.Path> savesTo() {
        return saving.folder();
    }

    /** Allows infinite or NaN losses and gradients; by default the run stops at them. */
    public Scheduler allowDivergence() {
        trainingLoop.allowDivergence();
        return this;
    }

    /**
     * Stops a run at the first turn with a non-finite result (loss, gradients, metrics, observations, running
     * statistics), before it writes. The turn is computed again by the reference lowering, and the message names the
     * operator that made the first such number, and its inputs. Weights and statistics are checked after each turn,
     * too. Each turn costs one pass over these numbers; results do not change. Takes precedence over {@link
     * #allowDivergence}.
     *
     * @return this scheduler
     */
    public Scheduler detectAnomalies() {
        trainingLoop.detectAnomalies();
        return this;
    }

    /**
     * Proves, in the first of every {@code rounds} rounds, that each turn changed what the plan says and nothing else:
     * digests of all parameters and optimizer slots before and after the turn are compared. If not, the run stops with
     * an {@link AuditException} that names path, turn and program.
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
     * The count of turns that an audit has verified since this scheduler was made.
     *
     * @param rounds number of rounds of these turns
     */
    public record Audited(long rounds, long turns) {}

    /** Returns the counts of the {@link #audit} so far; zero without one. */
    public Audited audited() {
        return trainingLoop.audit().audited();
    }

    /** Sets the clock of {@link Trigger.EverySeconds}; nothing else reads a clock. */
    Scheduler clock(InstantSource source) {
        boundRings.clock(source);
        return this;
    }

    /**
     * Sets the source of commands for runs from now on. Commands are answered between turns; the saved state counts the
     * applied ones.
     *
     * @return this scheduler
     */
    public Scheduler steeredBy(Steering commands) {
        requireBetweenTurns();
        if (steering != null) {
            throw new IllegalStateException("the run already has a command source");
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
     * Sets the reader of plans that are given as text, by {@link Command.Replan} or in a saved state.
     *
     * @param plans returns the plan with turns in the place of their names, or throws an {@link
     *     IllegalArgumentException}
     * @return this scheduler
     */
    public Scheduler plansReadBy(Function<String, Plan> plans) {
        reader = plans;
        return this;
    }

    private Plan read(String plan) {
        if (reader == null) {
            throw new IllegalArgumentException(
                    "plan " + plan + " is a text, and no reader of plans is set: call plansReadBy(…)");
        }
        return NonNull.by(reader, "apply()", reader.apply(plan));
    }

    /**
     * Sets another plan of the phase from the next round on. Returns a description of the change. Throws as {@link
     * #plan(Plan)}.
     */
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

    /** Returns the current plan. */
    public Plan planned() {
        return plan.plan();
    }

    /**
     * Runs rounds of the plan until the budget, counted from the very start, is reached: after {@code run(rounds(5))},
     * another {@code run(rounds(5))} does nothing, and {@code run(rounds(10))} takes five more.
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
     * Runs hand-written rounds until the budget is reached; the Java code of a round calls {@link #step}.
     *
     * @param round takes the turns of one round
     * @return how many rounds were completed now, as by {@link #run(Budget)}
     * @throws IllegalArgumentException if the budget names no known source, or a trigger, when first evaluated, no
     *     source or metric known by then
     * @throws DivergedException if a loss or gradient is not finite
     */
    public long run(Budget budget, Runnable round) {
        return counted(() -> done(budget), () -> runner.rounds(budget, ended(round)));
    }

    /**
     * Runs the rest of the phases.
     *
     * @return how many rounds were completed now
     * @throws IllegalStateException if no phases are set: call {@link #phases} before
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
     * Wraps code that continues the run, such as several calls of {@code run}, in {@link Ring#run} of all rings, so
     * that it counts as one run.
     */
    public void around(Runnable whole) {
        requireBetweenTurns();
        runner.around(whole::run);
    }

    /**
     * Wraps a hand-written loop in the rings; the loop takes turns by {@link #step} and rounds by {@link #round}. It
     * has no budget: the run ends when the loop does.
     */
    public void loop(Runnable loop) {
        requireBetweenTurns();
        whole(() -> {}, () -> {
            loop.run();
            return !runner.isAskedToEnd();
        });
    }

    /**
     * Wraps a round of a hand-written loop in the rings, counts it, and runs the actions that are due. A round that is
     * asked for when {@link #isAskedToEnd} says so is skipped in {@link #loop}.
     *
     * @throws IllegalStateException if it is asked for then outside of {@link #loop}
     */
    public void round(Runnable round) {
        requireBetweenTurns();
        runner.requireNotPaused();
        runner.round(ended(round));
        boundRings.runDueActions();
    }

    private Next ended(Runnable round) {
        return () -> runner.byHand(round);
    }

    /** Returns whether an action, ring or signal has asked the run to end; a hand-written loop should break then. */
    public boolean isAskedToEnd() {
        return runner.isAskedToEnd();
    }

    /** Returns the current phase of a run by {@link #run()}. */
    public Phase phase() {
        return plan.phases().current();
    }

    /** Returns whether {@link #run()} has nothing left to do. */
    public boolean done() {
        return !plan.inRound()
                && plan.phases().isLast()
                && done(plan.phases().current().budget()) == 1;
    }

    /**
     * Takes the next step of the plan: takes a turn or several together, or ends the round. For hand-written loops that
     * follow the plan. Rings wrap its turns, and due actions run; they wrap rounds and the run only inside {@link
     * #loop}.
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

    /** Runs all checks that are possible before the first turn. Throws as {@link #run}. */
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
     * Returns the completed share of a budget, from 0 to 1; in a phase, counted from its beginning.
     *
     * @throws IllegalArgumentException if it names no source
     */
    public double done(Budget budget) {
        return runner.done(budget);
    }

    /**
     * Ends a round of a hand-written loop, where {@link #run} does not count rounds. Sources that are drawn once a
     * round give a new batch afterwards, and triggers fire. After an error in the middle of a round of {@link #run},
     * the next run resumes with the turn that failed.
     */
    public void endRound() {
        requireBetweenTurns();
        runner.isWhole();
        runner.endRound();
        boundRings.runDueActions();
    }

    /**
     * Takes one turn, fed by these sources alone, or by the scheduler's if none are given. A known source is resampled
     * by its own rule, a new one each turn.
     *
     * @throws IllegalArgumentException if an input of the turn is not fed by exactly one source with its shape and
     *     type, or a given source feeds nothing; no source was drawn from then
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
            throw new IllegalStateException("a ring skipped turn " + turn.name()
                    + ", which was taken outside a plan: check the ring, or take the turn in a plan");
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
     * Takes one descending turn on the given rows.
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
            throw new IllegalStateException("turn " + turn.name() + " would write or act, but this run only infers: "
                    + Learn.NAME + " was removed");
        }
        return turns.of(turn);
    }

    /** Returns the turn as it is taken now, learning or not. */
    private BoundDescend active(Turn.Descend turn) {
        return boundRings.learning() ? (BoundDescend) turns.of(turn) : turns.evaluated(turn);
    }

    /** Returns a copy of the values that a turn observed when it was last taken, before its update. */
    public Tensor observed(Turn.Descend turn, Value value) {
        return active(turn).observed(value);
    }

    /**
     * Returns the observed values after its update, on the same rows and noise.
     *
     * @throws IllegalArgumentException if the turn does not measure after its update: {@link
     *     Turn.Descend#measuresAfter}
     */
    public Tensor observedAfter(Turn.Descend turn, Value value) {
        return active(turn).observedAfter(value);
    }

    /**
     * Returns a copy of a weight's gradient when the turn was last taken, before clipping, in the weight's shape.
     *
     * @throws IllegalArgumentException if the turn does not update that path; the message lists similar ones
     * @throws IllegalStateException if the turn was not taken yet
     */
    public Tensor gradient(Turn.Descend turn, String path) {
        return ((BoundDescend) turns.of(turn)).gradient(path);
    }

    /**
     * Returns the current value of an optimizer setting of a bound turn, such as {@code d/rate} or {@code d/beta1}.
     *
     * @throws IllegalArgumentException if the name is unknown, naming similar ones
     */
    public double setting(String name) {
        return turns.setting(name);
    }

    /** Returns the current values of all optimizer settings of bound turns, by their names. */
    public SortedMap<String, Double> settings() {
        return turns.settings();
    }

    /**
     * Changes a setting, beginning with the next time that its turn is taken; the change is saved with the run. A rate
     * keeps that value from then on.
     *
     * @throws IllegalArgumentException if the name is unknown or the value is invalid; nothing has changed then
     */
    public void set(String setting, double value) {
        requireBetweenTurns();
        turns.set(setting, value);
    }

    /** Returns the view of the run that actions receive. */
    public Run now() {
        return runView;
    }

    /**
     * Reads the store as it is saved: averages have {@linkplain Turn.Follow their own batch-norm statistics}, in place
     * of copies of those that they follow. Training is not affected.
     */
    public <T> T asSaved(Supplier<T> reading) {
        parameters.touch();
        return turns.asSaved(reading);
    }

    /** Evaluates the store {@linkplain #asSaved as it is saved}; a checkpoint has the same scores. */
    public SortedMap<String, Double> scores(Evaluation by) {
        return asSaved(() -> NonNull.by(by, "scores()", by.scores(runView.session())));
    }

    private Optional<Supplier<Feeds>> batches(BoundDescend turn, Program program) {
        return trainingLoop.batches(turn, program);
    }

    /** Returns the number of threads. */
    public int threads() {
        return kernelThreads.threads();
    }

    /** Returns the position of the run. */
    public Event.Position position() {
        return trainingLoop.position();
    }

    public Parameters parameters() {
        return parameters;
    }

    /**
     * Returns whether all processes of the run have the same position and weights, except for weights that servers
     * update. It is false between two averagings of weights that processes update separately.
     */
    public boolean isSettled() {
        return parameterAveraging.isSettled();
    }

    /** Returns the paths that the bound turns write. */
    public Writes writes() {
        return turns.writes();
    }

    /**
     * Returns how often a turn was taken.
     *
     * @throws IllegalArgumentException if the name is unknown; the message lists similar ones
     */
    public long count(String turn) {
        return turns.named(turn).count();
    }

    public boolean isFirst(Object what) {
        return boundRings.isFirst(what);
    }

    /** Returns the mean of a metric's last values, as schedules see it. */
    public OptionalDouble average(String series, int window) {
        return history.average(series, window);
    }

    /**
     * Returns all state that the rest of the run depends on, between any two turns, also inside a round.
     *
     * @throws IllegalStateException inside a turn, or after a failure left a turn half written
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

    public TrainingLoop trainingLoop() {
        return trainingLoop;
    }

    /** Returns the position in the round for people, such as {@code round 41 · d 3 of 5}. */
    public String place() {
        String round = "round " + trainingLoop.round();
        String place = plan.place();
        return place.isEmpty() ? round : round + " · " + place;
    }

    /**
     * Returns whether a failed run can be saved and resumed as if it had not failed: it failed before a turn of the
     * plan, or in one that had changed nothing yet, as when a loss is NaN or a source fails. The resumed run reads the
     * same rows again. A turn of Java, a hand-written loop or an action may have changed anything, so after them it is
     * false.
     */
    public boolean canGoOn() {
        return runner.canGoOn();
    }

    /**
     * Returns the turns that are being taken, or were when an error ended the run: one, several that are taken
     * together, or none between turns.
     */
    public List<Turn> unfinished() {
        return runner.unfinished();
    }

    /**
     * Restores a saved state. Turns, sources and a plan that are added later restore theirs then.
     *
     * @throws IllegalArgumentException if the state has another seed, format, plan or shape; nothing has changed then
     */
    @Override
    public void restore(State state) {
        requireBetweenTurns();
        whole.restore(state);
        runner.isWhole();
    }

    /**
     * Restores the newest checkpoint of a folder. Throws as {@link #restore}, too.
     *
     * @throws IOException if there is no intact one, naming the damaged file; nothing has changed then
     */
    public void resumeFrom(java.nio.file.Path checkpoints) throws IOException {
        Checkpoints.Found newest = Checkpoints.newest(checkpoints);
        try {
            resumeFrom(newest);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(checkpoints + " cannot be resumed here: " + e.getMessage(), e);
        }
    }

    /** Restores a checkpoint; the run may then save into the same folder. Throws as {@link #restore}. */
    public void resumeFrom(Checkpoints.Found checkpoint) {
        restore(checkpoint.state());
        saving.owns(checkpoint.folder());
    }

    /**
     * Waits until all checkpoints are on the disk, for readers of the folder.
     *
     * @return why the last one was not written, where the run continues without it; empty if it was
     * @throws UncheckedIOException if writing failed and the run stops on such a failure
     */
    public Optional<String> settle() {
        return saving.settle();
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
            throw new IllegalStateException("a turn is being taken: code inside it may only read");
        }
    }

    /**
     * Frees executables, slots and threads, also while the scheduler itself is still referred to, and waits for a checkpoint
     * that is being written; the store stays open. Closing twice does nothing.
     *
     * @throws IllegalStateException inside a turn, or if the store belongs to another thread, or if the code of a turn cannot be
     *     closed; everything else is closed in the last case
     * @throws UncheckedIOException if the checkpoint cannot be written; everything is closed all the same
     */
    @Override
    public void close() {
        if (!closed) {
            requireNoTurn();
            parameters.requireOwner();
            closed = true;
            try {
                turns.close();
            } finally {
                trainingLoop.release();
                kernelThreads.close();
                saving.close();
            }
        }
    }
}
