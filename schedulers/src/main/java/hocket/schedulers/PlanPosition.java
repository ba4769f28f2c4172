package hocket.schedulers;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the rounds of a run consist of, and where in its round the run stands. */
final class PlanPosition {
    private final Trials trials;
    private final Phases phases = new Phases();
    private @Nullable Walk walk;
    private @Nullable Cursor cursor;
    private State waitingCursor = State.empty();
    private State waitingTrials = State.empty();
    private String waitingPlan = "";

    PlanPosition(Trials trials) {
        this.trials = trials;
    }

    /** The phases; none where a single plan was set. */
    Phases phases() {
        return phases;
    }

    /**
     * Sets the plan of all rounds.
     *
     * @param bind binds its turns, or refuses it
     * @throws IllegalArgumentException if a state of another plan waits
     */
    void plan(Plan rounds, Rest bind) {
        requireSame(waitingPlan, rounds.toString());
        Walk fresh = new Walk(rounds);
        Cursor at = waitingPlan.isEmpty() ? fresh.start() : Cursor.restore(fresh.start(), waitingCursor);
        bind.go();
        if (!waitingPlan.isEmpty()) {
            trials.restore(waitingTrials, fresh::part);
        }
        walk = fresh;
        cursor = at;
        waitingPlan = "";
        phases.none();
    }

    /** Sets the phases, at the beginning of the first. */
    void phases(List<Phase> all) {
        phases.begin(all);
        enter();
    }

    /** @throws IllegalStateException if a state waits for a plan */
    void requireNothingWaiting() {
        if (!waitingPlan.isEmpty()) {
            throw new IllegalStateException("phases are set before a state is restored, not after");
        }
    }

    /** Goes to the beginning of the phase that the run is in. */
    void enter() {
        Walk fresh = new Walk(phases.current().plan());
        walk = fresh;
        cursor = fresh.start();
        trials.reset();
    }

    /** @throws IllegalStateException if there is none */
    Plan plan() {
        return walk().plan();
    }

    private Walk walk() {
        if (walk == null) {
            throw new IllegalStateException("there is no plan: call plan(…) before run(…), or step(turn) by turn");
        }
        return walk;
    }

    /** What comes next; {@link #at} goes there. */
    Walk.Next next(ScheduleView view) {
        return walk().next(Objects.requireNonNull(cursor, "a plan has its cursor"), view);
    }

    void at(Cursor then) {
        cursor = then;
    }

    /** Whether a round has begun and not ended. */
    boolean inRound() {
        return cursor != null && cursor.begun;
    }

    /** The place in the round, for people; empty at its beginning. */
    String place() {
        return walk == null || cursor == null ? "" : walk.describe(cursor);
    }

    /** What is run, as it is written into states. */
    private String text() {
        return !phases.isEmpty()
                ? phases.toString()
                : walk == null ? waitingPlan : walk.plan().toString();
    }

    /** This state with the place in it. */
    State save(State state) {
        return state.with("plan", text())
                .with("phase", phases.save())
                .with("cursor", cursor == null ? waitingCursor : cursor.save())
                .with("trials", walk == null ? waitingTrials : trials.save());
    }

    /** @throws IllegalArgumentException if a state is of another plan */
    void requireSame(State state) {
        if (walk != null) {
            requireSame(state.text("plan"), text());
        }
    }

    private static void requireSame(String saved, String here) {
        if (!saved.isEmpty() && !saved.equals(here)) {
            throw new IllegalArgumentException("the saved state is of plan " + saved + ", this run has plan " + here);
        }
    }

    /** Goes back to the place in a state; where there is no plan yet, the place waits for it. */
    void restore(State state) {
        if (walk == null) {
            waitingPlan = state.text("plan");
            waitingCursor = state.state("cursor");
            waitingTrials = state.state("trials");
            return;
        }
        if (!phases.isEmpty()) {
            phases.restore(state.state("phase"));
            enter();
        }
        Cursor start = walk.start();
        cursor = state.text("plan").isEmpty() ? start : Cursor.restore(start, state.state("cursor"));
        trials.restore(state.state("trials"), walk::part);
    }
}
