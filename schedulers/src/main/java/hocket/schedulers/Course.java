package hocket.schedulers;

import hocket.programs.Program;
import hocket.programs.Session.Feeds;
import hocket.schedulers.optimizers.Workers;
import hocket.scopes.Parameters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The course of a run: takes turns, counts them, and says what happened. */
final class Course {
    private final BoundTurns turns;
    private final Sources sources;
    private final Run run;
    private final Trials trials;
    private final Audit audit;
    private final List<Consumer<Event>> listeners = new ArrayList<>();
    private boolean mayDiverge;
    private boolean detecting;
    private boolean inTurn;

    /** Whether the turn that is being taken has begun to change something other than the cursors of sources. */
    private boolean changing;

    private boolean asBefore;
    private @Nullable BoundAct acting;
    private int batch;
    private int lastRows;
    private long step;
    private long round;

    /** @param run what turns of Java see */
    Course(BoundTurns turns, Parameters parameters, Workers workers, Run run) {
        this.turns = turns;
        this.sources = new Sources(parameters.streams(), this::epochEnded);
        this.audit = new Audit(parameters, turns);
        this.trials = new Trials(turns, parameters, workers, sources);
        this.run = run;
    }

    Sources sources() {
        return sources;
    }

    /** What parts of the plan that look ahead remember. */
    Trials trials() {
        return trials;
    }

    /** Turns taken so far. */
    long step() {
        return step;
    }

    /** Rounds completed so far. */
    long round() {
        return round;
    }

    Event.Position position() {
        return new Event.Position(step, round, sources.epoch());
    }

    /** Whether a turn is being taken just now. */
    boolean inTurn() {
        return inTurn;
    }

    /** Takes a figure of the turn of Java that is being taken. */
    void report(String name, double value) {
        if (acting == null) {
            throw new IllegalStateException("no turn of Java is being taken that could report " + name);
        }
        acting.report(name, value);
    }

    void batch(int rows) {
        batch = rows;
    }

    void allowDivergence() {
        mayDiverge = true;
    }

    void detectAnomalies() {
        detecting = true;
    }

    void listen(Consumer<Event> listener) {
        listeners.add(listener);
    }

    /** Lets go of the memory beside turns: of parts of the plan that look ahead, of batches that are kept, of audits. */
    void release() {
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
    Event.Descended take(BoundDescend bound, Feeds rows) {
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
     * Does what comes next in a plan, but for the end of a round.
     *
     * @param learning whether turns may write
     */
    void perform(Walk.Instruction instruction, boolean learning) {
        asBefore = false;
        if (!learning) {
            evaluate(instruction);
            return;
        }
        int rows = lastRows;
        changing = false;
        sources.begin();
        try {
            beginAudit();
            follow(instruction);
        } catch (RuntimeException | Error e) {
            audit.forget(); // of a turn left unfinished
            boolean isFound = e instanceof AuditException; // something changed that nobody was to
            asBefore = !changing && !isFound && sources.keepDrawn(round);
            lastRows = rows;
            throw e;
        }
    }

    /** Whether the last turn that failed has left all as it was before: what it drew, it reads again. */
    boolean isAsBefore() {
        return asBefore;
    }

    private void evaluate(Walk.Instruction instruction) {
        sources.begin();
        if (instruction instanceof Walk.Play play && play.turn() instanceof Turn.Descend turn) {
            taken(turns.evaluated(turn), sources.fed(), false);
        } else if (instruction instanceof Walk.Together together) {
            together.turns().forEach(turn -> taken(turns.evaluated(turn), sources.fed(), false));
        }
    }

    private void follow(Walk.Instruction instruction) {
        if (instruction instanceof Walk.Play play) {
            taken(turns.of(play.turn()), sources.fed(), false);
        } else if (instruction instanceof Walk.Together together) {
            takeTogether(together.turns(), together.back());
        } else if (instruction instanceof Walk.Remember remember) {
            changing = true;
            trials.remember(remember.number(), remember.part(), remember.sameSample());
        } else if (instruction instanceof Walk.Return back) {
            Collection<BoundTurn> moved = trials.turns();
            changing = true;
            trials.end(back.share());
            check(moved);
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

    /** Audits, where this round is: only these turns may have written since the last time. */
    private void check(Collection<BoundTurn> changing) {
        if (audit.covers(round)) {
            audit.check(changing, "round " + round + " after " + step + " turns");
        }
    }

    Audit audit() {
        return audit;
    }

    /**
     * Takes one turn that no plan asks for.
     *
     * @param own whether the sources were given for this turn alone
     */
    Event take(BoundTurn bound, List<Feeding> fedBy, boolean own) {
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
        Event.Position at = position();
        inTurn = true;
        try {
            if (bound instanceof BoundDescend descend) {
                compute(descend, fedBy, own, at);
                descend.look(at);
                return applied(descend, at);
            } else if (bound instanceof BoundFollow follow) {
                if (!mayDiverge) {
                    follow.requireFinite(at);
                }
                changing = true;
                return ended(follow, follow.take(at));
            }
            changing = true;
            acting = (BoundAct) bound;
            return ended(bound, acting.take(run, at));
        } catch (EndedWaitingException | WaitFailedException e) {
            changing &= acting == null; // who waits has changed nothing
            throw e;
        } finally {
            acting = null;
            inTurn = false;
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

    /** How many rows a turn has that reads none. */
    int rowsWithoutInput(BoundDescend bound) {
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
     * Batches of a program that computes a part of a turn, the same ones each time that this is called: no cursor that
     * training draws by changes. Empty where nothing says how many rows a batch has, or rows come only once.
     */
    Optional<Supplier<Feeds>> batches(BoundDescend turn, Program program) {
        if (program.inputs().isEmpty()) {
            int rows = turn.batched() ? usualRows() : 1;
            return rows == 0 ? Optional.empty() : Optional.of(() -> Feeds.rows(rows));
        }
        return sources.batches(program);
    }

    private void epochEnded(Source source) {
        emit(new Event.EpochEnded(position(), source.name(), (long) Math.floor(source.epoch())));
    }

    void emit(Event event) {
        for (int i = 0; i < listeners.size(); i++) {
            listeners.get(i).accept(event);
        }
    }

    /** This state with the position. */
    State save(State state) {
        return state.with("step", step).with("round", round).with("rows", lastRows);
    }

    /** Goes back to the position in a state. */
    void restore(State state) {
        audit.forget();
        step = state.whole("step");
        round = state.whole("round");
        lastRows = Math.toIntExact(state.whole("rows"));
    }
}
