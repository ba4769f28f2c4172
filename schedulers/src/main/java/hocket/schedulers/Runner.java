package hocket.schedulers;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Takes a run through phases, epochs, rounds and turns, each with its rings around it. */
final class Runner {
    private final BoundTurns turns;
    private final Course course;
    private final PlanPosition plan;
    private final Rings rings;
    private final ScheduleView view;
    private final Saving checkpoints;
    private boolean stopping;
    private boolean pausing;
    private Walk.@Nullable Instruction unfinished;
    private boolean halfway;
    private boolean running;
    private boolean inLoop;
    private Rest commands = () -> {};
    private BooleanSupplier again = () -> false;

    /** Whether the run is in a round of the plan, and all that it has begun there has ended. */
    private boolean settled;

    Runner(BoundTurns turns, Course course, PlanPosition plan, Rings rings, ScheduleView view, Saving checkpoints) {
        this.checkpoints = checkpoints;
        this.turns = turns;
        this.course = course;
        this.plan = plan;
        this.rings = rings;
        this.view = view;
    }

    /**
     * Sets what answers commands.
     *
     * @param answers asked wherever that may be; may ask the run to end
     * @param more whether there are some for which a turn that waits for rows is broken off; they are answered before it is
     *     tried again
     */
    void commandedBy(Rest answers, BooleanSupplier more) {
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
    boolean isAskedToEnd() {
        return stopping || pausing;
    }

    /** Whether an error left a turn unfinished, and what it did cannot be taken back. */
    boolean isHalfway() {
        return halfway;
    }

    /** Whether what failed changed nothing: before a turn of the plan, or in one that had only drawn. */
    boolean canGoOn() {
        return settled;
    }

    /** Nothing is unfinished: the run went back, or the round was ended by hand. */
    void isWhole() {
        unfinished = null;
        halfway = false;
    }

    /** Whether turns are being taken, so that training goes on. */
    boolean isInLoop() {
        return inLoop;
    }

    /** The turns that an error left unfinished, or that are being taken. */
    List<Turn> unfinished() {
        return unfinished == null ? List.of() : unfinished.turns();
    }

    /** @throws IllegalStateException if a turn was left unfinished */
    void requireWhole() {
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
    void whole(Rest checks, BooleanSupplier loop) {
        stopping = false;
        pausing = false;
        around(() -> {
            rings.aroundInitialise(() -> {
                checks.go();
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
        Rest end = () -> {
            if (!ended[0]) {
                ended[0] = true;
                rings.ended();
            }
        };
        try {
            rings.aroundFinalise(end);
        } catch (Throwable e) {
            try {
                end.go();
            } catch (Throwable second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }

    /** With the rings around it, unless they are already around something that this is part of. */
    void around(Rest part) {
        if (running) {
            part.go();
            return;
        }
        running = true;
        try {
            rings.around(part);
        } finally {
            running = false;
        }
    }

    /** What is left of the phases. Gives whether nothing is left then. */
    boolean phases() {
        boolean complete = rounds(plan.phases().current().budget(), this::planned);
        while (complete
                && !stopping
                && !pausing
                && plan.phases().next(course.step(), course.round(), course.sources())) {
            plan.enter();
            complete = rounds(plan.phases().current().budget(), this::planned);
        }
        return complete && plan.phases().isLast();
    }

    /** Rounds of the plan until a budget is reached, or somebody asks to end. Gives whether it is reached. */
    boolean rounds(Budget budget) {
        return rounds(budget, this::planned);
    }

    /** The same with another round than the plan's. */
    boolean rounds(Budget budget, Rest round) {
        course.emit(new Event.Started(course.position(), budget));
        while (goesOn(budget)) {
            long before = moves();
            rings.aroundEpoch(() -> epoch(budget, round));
            rings.doWhatIsDue();
            requireMoved(before, "epoch");
        }
        checkpoints.settle();
        boolean complete = !plan.inRound() && reached(budget);
        course.emit(new Event.Ended(course.position(), complete));
        return complete;
    }

    private boolean goesOn(Budget budget) {
        return !pausing && (plan.inRound() || !(stopping || reached(budget)));
    }

    /** What is due with its last round is done once all that is around it has ended. */
    private void epoch(Budget budget, Rest round) {
        long begun = epochs();
        while (goesOn(budget)) {
            long before = moves();
            round(() -> {
                if (goesOn(budget)) { // not if a ring asks for one more than there are
                    round.go();
                }
            });
            requireMoved(before, "round");
            if (epochs() != begun) {
                return;
            }
            rings.doWhatIsDue();
            checkpoints.look();
        }
    }

    private long moves() {
        return course.step() + course.round();
    }

    /** @throws IllegalStateException if rings left all of it out: nothing would ever end */
    private void requireMoved(long before, String part) {
        if (moves() == before && !isAskedToEnd()) {
            throw new IllegalStateException("nothing moved in " + place(part) + ": a ring around it left it out, of "
                    + rings.namesAround(part) + "; ask the run to end with run.stop() or run.pause()");
        }
    }

    private String place(String part) {
        return (part.equals("epoch") ? "an epoch" : "what is left of a round") + " from round " + course.round()
                + " on";
    }

    private long epochs() {
        return (long) Math.floor(course.sources().epoch() + 1e-9); // sums of parts
    }

    /** A round with what is around it; one that is left out counts. */
    void round(Rest round) {
        long before = course.round();
        rings.aroundRound(round);
        if (course.round() == before && !plan.inRound() && !pausing) {
            requireWhole();
            endRound();
        }
    }

    /** What is left of the plan's round. */
    private void planned() {
        requireWhole();
        long before = course.round();
        settled = true;
        while (!pausing && course.round() == before) {
            commands.go();
            if (!pausing) {
                advanceOrPause();
            }
        }
        settled = false; // rings around it remember what they will
    }

    /** Does what comes next in the plan, until a turn was taken or a round has ended. Gives whether one has. */
    boolean proceed() {
        long before = course.round();
        long step = course.step();
        boolean ends = isAskedToEnd();
        while (course.round() == before && course.step() == step && ends == isAskedToEnd()) {
            commands.go();
            if (ends == isAskedToEnd()) { // otherwise a command ends it here
                advance();
            }
        }
        settled = false; // what comes behind it is not the plan's
        rings.doWhatIsDue();
        return course.round() > before;
    }

    /**
     * Where a source was asked to end while the run waited for its rows, the run pauses before that turn; or answers the
     * commands for which it was.
     */
    private void advanceOrPause() {
        try {
            advance();
        } catch (EndedWaitingException e) {
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
        long before = course.step();
        try {
            ringed(next.instruction());
        } catch (RuntimeException | Error e) {
            halfway |= !next.settings().isEmpty(); // whoever asks the schedule again sets again
            settled = !halfway && course.step() == before && !rings.rememberTurns();
            throw e;
        }
    }

    private void ringed(Walk.Instruction instruction) {
        List<Turn> taken = rings.areAroundTurns() ? instruction.turns() : List.of();
        if (taken.isEmpty()) {
            perform(instruction);
        } else {
            rings.aroundTurn(taken, () -> perform(instruction));
        }
    }

    private void perform(Walk.Instruction instruction) {
        unfinished = instruction;
        halfway = true;
        try {
            course.perform(instruction, rings.learning());
        } catch (RuntimeException | Error e) {
            halfway = !course.isAsBefore();
            throw e;
        }
        isWhole();
    }

    /** A round of one's own, unless a command ends the run before it. */
    void byHand(Runnable round) {
        commands.go();
        if (!pausing) {
            round.run();
            endRound();
        }
    }

    /** Counts the round, and looks who is due. */
    void endRound() {
        course.endRound();
        rings.look();
    }

    private boolean reached(Budget budget) {
        return done(budget) >= 1;
    }

    /**
     * How much of a budget is done, from 0 to 1; 1 when it is reached. In a phase, counted from its beginning.
     *
     * @throws IllegalArgumentException if it names no source
     */
    double done(Budget budget) {
        double done = budget.fold(
                rounds -> (double) (course.round() - plan.phases().roundAtStart()),
                turns -> (double) (course.step() - plan.phases().stepAtStart()),
                epochs -> epochs(epochs.source()));
        double whole = budget.count();
        return done >= whole - 1e-9 ? 1 : done / whole; // epochs are sums of parts
    }

    private double epochs(String name) {
        Source source = course.sources().withEpochs(name);
        return course.sources().epoch(name) - plan.phases().epochAtStart(source.name());
    }
}
