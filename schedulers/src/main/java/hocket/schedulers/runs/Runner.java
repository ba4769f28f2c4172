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

/** Takes a run through phases, epochs, rounds and turns, each with its rings around it. */
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

    /** Whether the run is in a round of the plan, and all that it has begun there has ended. */
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
     * @param answers asked wherever that may be; may ask the run to end
     * @param more whether there are some for which a turn that waits for rows is broken off; they are answered before it is
     *     tried again
     */
    public void commandedBy(Next answers, BooleanSupplier more) {
        commands = answers;
        again = more;
    }

    /** Asks to end with this round. */
    void stop() {
        stopping = true;
    }

    /** Asks to end with this turn. */
    void pause() {
        pausing = true;
    }

    /** Whether somebody asked to end. */
    public boolean isAskedToEnd() {
        return stopping || pausing;
    }

    /** Whether an error left a turn unfinished, and what it did cannot be taken back. */
    public boolean isHalfway() {
        return halfway;
    }

    /** Whether what failed changed nothing: before a turn of the plan, or in one that had only drawn. */
    public boolean canGoOn() {
        return settled;
    }

    /** Nothing is unfinished: the run went back, or the round was ended by hand. */
    public void isWhole() {
        unfinished = null;
        halfway = false;
    }

    /** Whether turns are being taken, so that training goes on. */
    public boolean isInLoop() {
        return inLoop;
    }

    /** The turns that an error left unfinished, or that are being taken. */
    public List<Turn> unfinished() {
        return unfinished == null ? List.of() : unfinished.turns();
    }

    /** @throws IllegalStateException if a turn was left unfinished */
    public void requireWhole() {
        if (isHalfway()) {
            throw new IllegalStateException("the last turn ended half-way by an error: go back with restore(…) first");
        }
    }

    /**
     * The whole of a run.
     *
     * @param checks all that can be checked before the first turn
     * @param loop gives whether the run came to its end
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

    /** What was saved before something failed reaches the disk all the same, before anybody else hears of the failure. */
    private boolean turns(BooleanSupplier loop) {
        inLoop = true;
        boolean isEnd;
        try {
            isEnd = loop.getAsBoolean();
        } catch (Throwable e) {
            try {
                checkpoints.settle();
            } catch (RuntimeException | Error second) {
                e.addSuppressed(second);
            }
            throw e;
        } finally {
            inLoop = false;
        }
        checkpoints.settle();
        return isEnd;
    }

    /**
     * What is due at the end is done also where a ring around it fails before: it may be the checkpoint.
     *
     * @param isEnd whether this is the end, by its budget or since the run was to stop; one that pauses goes on
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
            try {
                end.proceed();
            } catch (Throwable second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /** With the rings around it, unless they are already around something that this is part of. */
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

    /** What is left of the phases. Gives whether nothing is left then. */
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

    /** Rounds of the plan until a budget is reached, or somebody asks to end. Gives whether it is reached. */
    public boolean rounds(Budget budget) {
        return rounds(budget, this::planned);
    }

    /** The same with another round than the plan's. */
    public boolean rounds(Budget budget, Next round) {
        trainingLoop.emit(new Event.Started(trainingLoop.position(), budget));
        while (continues(budget)) {
            long before = moves();
            boundRings.aroundEpoch(() -> epoch(budget, round));
            boundRings.doWhatIsDue();
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

    /** What is due with its last round is done once all that is around it has ended. */
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
            boundRings.doWhatIsDue();
            checkpoints.look();
        }
    }

    private long moves() {
        return trainingLoop.step() + trainingLoop.round();
    }

    /** @throws IllegalStateException if rings left all of it out: nothing would ever end */
    private void requireMoved(long before, String part) {
        if (moves() == before && !isAskedToEnd()) {
            throw new IllegalStateException("nothing moved in " + place(part) + ": a ring around it left it out, of "
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

    /** A round with what is around it; one that is left out counts. */
    public void round(Next round) {
        long before = trainingLoop.round();
        boundRings.aroundRound(round);
        if (trainingLoop.round() == before && !plan.inRound() && !pausing) {
            requireWhole();
            endRound();
        }
    }

    /** What is left of the plan's round. */
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

    /** Does what comes next in the plan, until a turn was taken or a round has ended. Gives whether one has. */
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
        settled = false; // what comes behind it is not the plan's
        boundRings.doWhatIsDue();
        return trainingLoop.round() > before;
    }

    /**
     * Where a source was asked to end while the run waited for its rows, the run pauses before that turn; or answers the
     * commands for which it was.
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

    /** A round of one's own, unless a command ends the run before it. */
    public void byHand(Runnable round) {
        commands.proceed();
        if (!pausing) {
            round.run();
            endRound();
        }
    }

    /** Counts the round, and looks who is due. */
    public void endRound() {
        trainingLoop.endRound();
        boundRings.look();
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
