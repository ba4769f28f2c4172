package hocket.schedulers.runs;

import hocket.schedulers.Budget;
import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.plans.PlanPosition;
import hocket.schedulers.plans.Walk;
import hocket.schedulers.turns.BoundTurns;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs phases, epochs, rounds and turns, each wrapped in its rings. */
public final class Runner {
    private final BoundTurns turns;
    private final TrainingLoop trainingLoop;
    private final PlanPosition plan;
    private final BoundRings boundRings;
    private final ScheduleView view;
    private final Saving checkpoints;
    private boolean stopping;
    private boolean pausing;
    private Walk.@Nullable Instruction unfinished;
    private boolean halfway;
    private boolean running;
    private boolean inLoop;
    private Next commands = () -> {};
    private BooleanSupplier again = () -> false;

    /** Whether the run is in a round of the plan and has completed every turn that it started there. */
    private boolean settled;

    public Runner(
            BoundTurns turns,
            TrainingLoop trainingLoop,
            PlanPosition plan,
            BoundRings boundRings,
            ScheduleView view,
            Saving checkpoints) {
        this.checkpoints = checkpoints;
        this.turns = turns;
        this.trainingLoop = trainingLoop;
        this.plan = plan;
        this.boundRings = boundRings;
        this.view = view;
    }

    /**
     * Sets what answers commands.
     *
     * @param answers called wherever commands are allowed; may ask the run to end
     * @param more whether commands should interrupt a turn that waits for rows; they are answered before it is retried
     */
    public void commandedBy(Next answers, BooleanSupplier more) {
        commands = answers;
        again = more;
    }

    /** Asks the run to end after this round. */
    void stop() {
        stopping = true;
    }

    /** Asks the run to end after this turn. */
    void pause() {
        pausing = true;
    }

    /** Returns whether the run was asked to end. */
    public boolean isAskedToEnd() {
        return stopping || pausing;
    }

    /** Returns whether an error left a turn unfinished whose changes cannot be undone. */
    public boolean isHalfway() {
        return halfway;
    }

    /** Returns whether the failure changed nothing: before a turn of the plan, or in one that had only drawn rows. */
    public boolean canGoOn() {
        return settled;
    }

    /** Clears the unfinished turn: the run was restored, or the round was ended by hand. */
    public void isWhole() {
        unfinished = null;
        halfway = false;
    }

    /** Returns whether turns are being taken. */
    public boolean isInLoop() {
        return inLoop;
    }

    /** Returns the turns that are being taken or that an error left unfinished. */
    public List<Turn> unfinished() {
        return unfinished == null ? List.of() : unfinished.turns();
    }

    /** @throws IllegalStateException if a turn was left unfinished */
    public void requireWhole() {
        if (isHalfway()) {
            throw new IllegalStateException("an error left the last turn half done: call restore(…) first");
        }
    }

    /**
     * Runs the whole run.
     *
     * @param checks all checks before the first turn
     * @param loop returns whether the run ended
     */
    public void whole(Next checks, BooleanSupplier loop) {
        stopping = false;
        pausing = false;
        around(() -> {
            boundRings.aroundInitialise(() -> {
                checks.proceed();
                checkpoints.requireOwn();
                requireWhole();
            });
            finalise(turns(loop) || (stopping && !pausing));
        });
    }

    /** Waits for checkpoints from before a failure to reach the disk before the failure is reported. */
    private boolean turns(BooleanSupplier loop) {
        inLoop = true;
        boolean isEnd;
        try {
            isEnd = loop.getAsBoolean();
        } catch (Throwable e) {
            Next.after(e, checkpoints::settle);
            throw e;
        } finally {
            inLoop = false;
        }
        checkpoints.settle();
        return isEnd;
    }

    /**
     * Runs the actions at the end even if a ring around them fails before, since one may be the checkpoint.
     *
     * @param isEnd whether the run ends, by its budget or a stop; a paused run does not
     */
    private void finalise(boolean isEnd) {
        boolean[] ended = {!isEnd};
        Next end = () -> {
            if (!ended[0]) {
                ended[0] = true;
                boundRings.ended();
            }
        };
        try {
            boundRings.aroundFinalise(end);
        } catch (Throwable e) {
            Next.after(e, end);
            throw e;
        }
    }

    /** Wraps it in the rings, unless they already wrap something around it. */
    public void around(Next part) {
        if (running) {
            part.proceed();
            return;
        }
        running = true;
        try {
            boundRings.around(part);
        } finally {
            running = false;
        }
    }

    /** Runs the rest of the phases and returns whether nothing is left. */
    public boolean phases() {
        boolean complete = rounds(plan.phases().current().budget(), this::planned);
        while (complete
                && !stopping
                && !pausing
                && plan.phases().next(trainingLoop.step(), trainingLoop.round(), trainingLoop.sources())) {
            plan.enter();
            complete = rounds(plan.phases().current().budget(), this::planned);
        }
        return complete && plan.phases().isLast();
    }

    /** Runs rounds of the plan until a budget is reached or the run is asked to end; returns whether it is reached. */
    public boolean rounds(Budget budget) {
        return rounds(budget, this::planned);
    }

    /** Runs user-defined rounds until a budget is reached or the run is asked to end; returns whether it is reached. */
    public boolean rounds(Budget budget, Next round) {
        trainingLoop.emit(new Event.Started(trainingLoop.position(), budget));
        while (continues(budget)) {
            long before = moves();
            boundRings.aroundEpoch(() -> epoch(budget, round));
            boundRings.runDueActions();
            requireMoved(before, "epoch");
        }
        checkpoints.settle();
        boolean complete = !plan.inRound() && reached(budget);
        trainingLoop.emit(new Event.Ended(trainingLoop.position(), complete));
        return complete;
    }

    private boolean continues(Budget budget) {
        return !pausing && (plan.inRound() || !(stopping || reached(budget)));
    }

    /** Runs the actions due after its last round once all rings around it have ended. */
    private void epoch(Budget budget, Next round) {
        long begun = epochs();
        while (continues(budget)) {
            long before = moves();
            round(() -> {
                if (continues(budget)) { // not if a ring asks for one more than there are
                    round.proceed();
                }
            });
            requireMoved(before, "round");
            if (epochs() != begun) {
                return;
            }
            boundRings.runDueActions();
            checkpoints.look();
        }
    }

    private long moves() {
        return trainingLoop.step() + trainingLoop.round();
    }

    /** @throws IllegalStateException if rings skipped all of it, since the run would never end */
    private void requireMoved(long before, String part) {
        if (moves() == before && !isAskedToEnd()) {
            throw new IllegalStateException("no turn was taken in " + place(part) + ": a ring around it skipped it, of "
                    + boundRings.namesAround(part) + "; ask the run to end with run.stop() or run.pause()");
        }
    }

    private String place(String part) {
        return (part.equals("epoch") ? "an epoch" : "what is left of a round") + " from round " + trainingLoop.round()
                + " on";
    }

    private long epochs() {
        return (long) Math.floor(trainingLoop.sources().epoch() + 1e-9); // sums of parts
    }

    /** Runs a round in its rings; a skipped round counts. */
    public void round(Next round) {
        long before = trainingLoop.round();
        boundRings.aroundRound(round);
        if (trainingLoop.round() == before && !plan.inRound() && !pausing) {
            requireWhole();
            endRound();
        }
    }

    /** Runs the rest of the plan's round. */
    private void planned() {
        requireWhole();
        long before = trainingLoop.round();
        settled = true;
        while (!pausing && trainingLoop.round() == before) {
            commands.proceed();
            if (!pausing) {
                advanceOrPause();
            }
        }
        settled = false; // rings around it remember what they will
    }

    /** Takes steps of the plan until a turn was taken or a round has ended; returns whether a round has. */
    public boolean proceed() {
        long before = trainingLoop.round();
        long step = trainingLoop.step();
        boolean ends = isAskedToEnd();
        while (trainingLoop.round() == before && trainingLoop.step() == step && ends == isAskedToEnd()) {
            commands.proceed();
            if (ends == isAskedToEnd()) { // otherwise a command ends it here
                advance();
            }
        }
        settled = false; // later turns are not the plan's
        boundRings.runDueActions();
        return trainingLoop.round() > before;
    }

    /**
     * If a source was interrupted while the run waited for its rows, pauses the run before that turn, or answers the
     * commands that interrupted it.
     */
    private void advanceOrPause() {
        try {
            advance();
        } catch (WaitCancelledException e) {
            if (!settled) {
                throw e; // something has changed already
            }
            isWhole();
            pausing = !again.getAsBoolean();
        }
    }

    private void advance() {
        Walk.Next next = plan.next(view);
        settled = false;
        next.settings().forEach(turns::set);
        take(next);
        plan.at(next.then());
        if (next.instruction().endsRound()) {
            endRound();
        }
        settled = true;
    }

    private void take(Walk.Next next) {
        long before = trainingLoop.step();
        try {
            ringed(next.instruction());
        } catch (RuntimeException | Error e) {
            halfway |= !next.settings().isEmpty(); // whoever asks the schedule again sets again
            settled = !halfway && trainingLoop.step() == before && !boundRings.rememberTurns();
            throw e;
        }
    }

    private void ringed(Walk.Instruction instruction) {
        List<Turn> taken = boundRings.areAroundTurns() ? instruction.turns() : List.of();
        if (taken.isEmpty()) {
            perform(instruction);
        } else {
            boundRings.aroundTurn(taken, () -> perform(instruction));
        }
    }

    private void perform(Walk.Instruction instruction) {
        unfinished = instruction;
        halfway = true;
        try {
            trainingLoop.perform(instruction, boundRings.learning());
        } catch (RuntimeException | Error e) {
            halfway = !trainingLoop.isAsBefore();
            throw e;
        }
        isWhole();
    }

    /** @throws IllegalStateException if the run was asked to end after a turn, and nothing has begun since */
    public void requireNotPaused() {
        if (pausing && !inLoop) {
            throw new IllegalStateException(
                    "the run was asked to end, so no round is taken: ask isAskedToEnd() before each"
                            + " round, or go on with loop(…) or run(…)");
        }
    }

    /** Runs a hand-written round, unless a command ends the run before it. */
    public void byHand(Runnable round) {
        commands.proceed();
        if (!pausing) {
            round.run();
            endRound();
        }
    }

    /** Counts the round and evaluates the triggers. */
    public void endRound() {
        trainingLoop.endRound();
        boundRings.look();
    }

    private boolean reached(Budget budget) {
        return done(budget) >= 1;
    }

    /**
     * Returns the completed share of a budget, from 0 to 1; in a phase, counted from its beginning.
     *
     * @throws IllegalArgumentException if it names no source
     */
    public double done(Budget budget) {
        double done = budget.fold(
                rounds -> (double) (trainingLoop.round() - plan.phases().roundAtStart()),
                turns -> (double) (trainingLoop.step() - plan.phases().stepAtStart()),
                epochs -> epochs(epochs.source()));
        double whole = budget.count();
        return done >= whole - 1e-9 ? 1 : done / whole; // epochs are sums of parts
    }

    private double epochs(String name) {
        Source source = trainingLoop.sources().withEpochs(name);
        return trainingLoop.sources().epoch(name) - plan.phases().epochAtStart(source.name());
    }
}
