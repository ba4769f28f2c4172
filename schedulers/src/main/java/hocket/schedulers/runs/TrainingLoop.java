package hocket.schedulers.runs;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Event;
import hocket.schedulers.Node;
import hocket.schedulers.Run;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.Feeding;
import hocket.schedulers.feeds.Sources;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.feeds.WaitFailedException;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.plans.Walk;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Audit;
import hocket.schedulers.turns.AuditException;
import hocket.schedulers.turns.BoundAct;
import hocket.schedulers.turns.BoundDescend;
import hocket.schedulers.turns.BoundFollow;
import hocket.schedulers.turns.BoundTurn;
import hocket.schedulers.turns.BoundTurns;
import hocket.schedulers.turns.Trials;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The training loop: takes turns, counts them, and emits events. */
public final class TrainingLoop {
    private final BoundTurns turns;
    private final Sources sources;
    private final Run run;
    private final Trials trials;
    private final Audit audit;
    private final List<Consumer<Event>> listeners = new ArrayList<>();
    private final Walk.Performer learner = new Learner();
    private final Walk.Performer evaluator = new Evaluator();
    private boolean mayDiverge;
    private boolean detecting;
    private boolean inTurn;

    /** Whether the current turn has begun to change something other than the cursors of sources. */
    private boolean changing;

    private boolean asBefore;
    private @Nullable BoundAct acting;
    private int batch;
    private int lastRows;
    private long step;
    private long round;

    /** @param run the view that turns of Java receive */
    public TrainingLoop(BoundTurns turns, Parameters parameters, KernelThreads kernelThreads, Run run) {
        this.turns = turns;
        this.sources = new Sources(parameters.streams(), this::epochEnded);
        this.audit = new Audit(parameters, turns);
        this.trials = new Trials(turns, parameters, kernelThreads, sources);
        this.run = run;
    }

    public Sources sources() {
        return sources;
    }

    /** Returns the saved states of look-ahead parts of the plan. */
    public Trials trials() {
        return trials;
    }

    /** Returns the number of turns taken so far. */
    public long step() {
        return step;
    }

    /** Returns the number of rounds completed so far. */
    public long round() {
        return round;
    }

    public Event.Position position() {
        return new Event.Position(step, round, sources.epoch());
    }

    /** Returns whether a turn is being taken now. */
    public boolean inTurn() {
        return inTurn;
    }

    /** Records a metric of the current turn of Java. */
    void report(String name, double value) {
        if (acting == null) {
            throw new IllegalStateException("no turn of Java is being taken that could report " + name);
        }
        acting.report(name, value);
    }

    public void batch(int rows) {
        batch = rows;
    }

    public void allowDivergence() {
        mayDiverge = true;
    }

    public void detectAnomalies() {
        detecting = true;
    }

    public void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    /** Frees memory besides that of turns: of look-ahead parts of the plan, kept batches and audits. */
    public void release() {
        trials.reset();
        sources.release();
        audit.release();
    }

    void endRound() {
        audit.forget(); // what is done between rounds is nobody's business
        round++;
        emit(new Event.RoundEnded(position()));
    }

    /** Takes one turn on given rows. */
    public Event.Descended take(BoundDescend bound, Feeds rows) {
        Event.Position at = position();
        audit.forget();
        inTurn = true;
        try {
            beginAudit();
            bound.feed(rows);
            compute(bound, rows.rows(), at);
            bound.look(at);
            return applied(bound, at);
        } finally {
            audit.forget();
            inTurn = false;
        }
    }

    /**
     * Performs the next step of a plan, except for the end of a round.
     *
     * @param learning whether turns may write
     */
    void perform(Walk.Instruction instruction, boolean learning) {
        asBefore = false;
        if (!learning) {
            sources.begin();
            instruction.by(evaluator);
            return;
        }
        int rows = lastRows;
        changing = false;
        sources.begin();
        try {
            beginAudit();
            instruction.by(learner);
        } catch (RuntimeException | Error e) {
            audit.forget(); // of a turn left unfinished
            boolean isFound = e instanceof AuditException; // something changed that nobody was to
            asBefore = !changing && !isFound && sources.keepDrawn(round);
            lastRows = rows;
            throw e;
        }
    }

    /** Returns whether the last failed turn left everything unchanged; it reads the same rows again. */
    boolean isAsBefore() {
        return asBefore;
    }

    /** Takes turns that write. */
    private final class Learner implements Walk.Performer {
        @Override
        public void play(Turn turn) {
            taken(turns.of(turn), sources.fed(), false);
        }

        @Override
        public void together(List<Turn.Descend> members, boolean back) {
            takeTogether(members, back);
        }

        @Override
        public void remember(int number, Node<?> part, boolean sameSample) {
            changing = true;
            trials.remember(number, part, sameSample);
        }

        @Override
        public void goBack(double share) {
            Collection<BoundTurn> moved = trials.turns();
            changing = true;
            trials.end(share);
            check(moved);
        }
    }

    /** Computes turns that descend a loss, without writing. */
    private final class Evaluator implements Walk.Performer {
        @Override
        public void play(Turn turn) {
            turn.descend().ifPresent(descend -> taken(turns.evaluated(descend), sources.fed(), false));
        }

        @Override
        public void together(List<Turn.Descend> members, boolean back) {
            members.forEach(this::play);
        }
    }

    private void beginAudit() {
        if (audit.covers(round)) {
            audit.begin();
        } else {
            audit.forget();
        }
    }

    private void check(BoundTurn changing) {
        if (audit.covers(round)) {
            check(List.of(changing));
            audit.passed(round);
        }
    }

    /** Audits, if this round is audited: only these turns may have written since the last audit. */
    private void check(Collection<BoundTurn> changing) {
        if (audit.covers(round)) {
            audit.check(changing, "round " + round + " after " + step + " turns");
        }
    }

    public Audit audit() {
        return audit;
    }

    /**
     * Takes one turn outside of a plan.
     *
     * @param own whether the sources were given for this turn alone
     */
    public Event take(BoundTurn bound, List<Feeding> fedBy, boolean own) {
        audit.forget(); // what was done by hand since then
        sources.begin();
        try {
            beginAudit();
            return taken(bound, fedBy, own);
        } finally {
            audit.forget();
        }
    }

    private Event taken(BoundTurn bound, List<Feeding> fedBy, boolean own) {
        inTurn = true;
        try {
            return bound.take(new Taking(position(), fedBy, own));
        } catch (WaitCancelledException | WaitFailedException e) {
            changing &= acting == null; // who waits has changed nothing
            throw e;
        } catch (RuntimeException | Error e) {
            changing &= acting == null || !acting.isAsBefore();
            throw e;
        } finally {
            acting = null;
            inTurn = false;
        }
    }

    /** Takes a turn, fed by these sources. */
    private final class Taking implements BoundTurn.Taking {
        private final Event.Position at;
        private final List<Feeding> fedBy;
        private final boolean own;

        Taking(Event.Position at, List<Feeding> fedBy, boolean own) {
            this.at = at;
            this.fedBy = fedBy;
            this.own = own;
        }

        @Override
        public Event descend(BoundDescend turn) {
            compute(turn, fedBy, own, at);
            turn.look(at);
            return applied(turn, at);
        }

        @Override
        public Event follow(BoundFollow turn) {
            if (!mayDiverge) {
                turn.requireFinite(at);
            }
            changing = true;
            return ended(turn, turn.take(at));
        }

        @Override
        public Event act(BoundAct turn) {
            changing = true;
            acting = turn;
            Event.Acted event = turn.take(run, at);
            if (!mayDiverge) {
                turn.requireFinite(at);
            }
            return ended(turn, event);
        }
    }

    private void takeTogether(List<Turn.Descend> members, boolean back) {
        Event.Position[] at = new Event.Position[members.size()];
        double epoch = sources.epoch();
        inTurn = true;
        try {
            for (int i = 0; i < at.length; i++) {
                at[i] = new Event.Position(step + i, round, epoch);
                compute((BoundDescend) turns.of(members.get(i)), sources.fed(), false, at[i]);
            }
            check(List.of());
            if (back) {
                Collection<BoundTurn> moved = trials.turns();
                changing = true;
                trials.back();
                check(moved);
            }
            for (int i = 0; i < at.length; i++) {
                ((BoundDescend) turns.of(members.get(i))).look(at[i]);
            }
            for (int i = 0; i < at.length; i++) {
                applied((BoundDescend) turns.of(members.get(i)), at[i]);
            }
        } finally {
            inTurn = false;
        }
    }

    private void compute(BoundDescend bound, List<Feeding> fedBy, boolean own, Event.Position at) {
        int rows = bound.feed(fedBy, own, round);
        compute(bound, rows == 0 ? rowsWithoutInput(bound) : rows, at);
    }

    private void compute(BoundDescend bound, int rows, Event.Position at) {
        bound.compute(rows, trials.sample(bound.turn().name(), at.step()), at.round());
        if (detecting) {
            bound.requireNoAnomaly(at);
        } else if (!mayDiverge) {
            bound.requireFinite(at);
        }
        if (bound.batched()) {
            lastRows = rows;
        }
    }

    private Event.Descended applied(BoundDescend bound, Event.Position at) {
        changing = true;
        Event.Descended event = bound.apply(at);
        step++;
        emit(event);
        if (detecting) {
            bound.requireFiniteWrites(at);
        }
        check(bound);
        return event;
    }

    private Event ended(BoundTurn bound, Event event) {
        bound.taken();
        step++;
        emit(event);
        check(bound);
        return event;
    }

    /** Returns the number of rows of a turn that reads no input. */
    public int rowsWithoutInput(BoundDescend bound) {
        if (!bound.batched()) {
            return 1;
        }
        int rows = usualRows();
        if (rows == 0) {
            throw new IllegalStateException("turn " + bound.turn().name()
                    + " draws noise, but nothing says how many rows: call scheduler.batch(n) or feed a source");
        }
        return rows;
    }

    private int usualRows() {
        return batch > 0 ? batch : sources.batch() > 0 ? sources.batch() : lastRows;
    }

    /**
     * Returns batches for a program that computes a part of a turn, the same ones at each call, without changing
     * training's cursors. Empty where the batch size is unknown or rows come only once.
     */
    public Optional<Supplier<Feeds>> batches(BoundDescend turn, Program program) {
        if (program.inputs().isEmpty()) {
            int rows = turn.batched() ? usualRows() : 1;
            return rows == 0 ? Optional.empty() : Optional.of(() -> Feeds.rows(rows));
        }
        return sources.batches(program);
    }

    private void epochEnded(Source source) {
        emit(new Event.EpochEnded(position(), source.name(), (long) Math.floor(source.epoch())));
    }

    public void emit(Event event) {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).accept(event);
        }
    }

    /** This state with the position. */
    public State save(State state) {
        return state.with("step", step).with("round", round).with("rows", lastRows);
    }

    /** Restores the position of a state. */
    public void restore(State state) {
        audit.forget();
        step = state.whole("step");
        round = state.whole("round");
        lastRows = Math.toIntExact(state.whole("rows"));
    }
}
