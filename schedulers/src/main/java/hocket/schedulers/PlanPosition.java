package hocket.schedulers;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the rounds of a run consist of, and where in its round the run stands. */
final class PlanPosition {
    private final Trials trials;
    private final Function<String, Plan> reader;
    private final Phases phases = new Phases();
    private @Nullable Plan own;
    private @Nullable Walk walk;
    private @Nullable Cursor cursor;
    private State waitingCursor = State.empty();
    private State waitingTrials = State.empty();
    private String waitingPlan = "";
    private String waitingSwap = "";

    /** What comes in its place with the next round; null for nothing. */
    private @Nullable Plan next;

    private String nextText = "";

    /** The plan that stands for that of the phase, as it was written; empty for its own. */
    private String swapped = "";

    /** @param reader gives the plan of a text, its turns bound */
    PlanPosition(Trials trials, Function<String, Plan> reader) {
        this.trials = trials;
        this.reader = reader;
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
        Walk fresh = new Walk(waitingSwap.isEmpty() ? rounds : reader.apply(waitingSwap));
        Cursor at = waitingPlan.isEmpty() ? fresh.start() : Cursor.restore(fresh.start(), waitingCursor);
        bind.go();
        if (!waitingPlan.isEmpty()) {
            trials.restore(waitingTrials, fresh::part);
        }
        own = rounds;
        walk = fresh;
        cursor = at;
        swapped = waitingSwap;
        next = nextText.isEmpty() ? null : reader.apply(nextText);
        waitingPlan = "";
        waitingSwap = "";
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
        swapped = "";
        next = null;
        nextText = "";
        walk(phases.current().plan());
    }

    private void walk(Plan plan) {
        Walk fresh = new Walk(plan);
        walk = fresh;
        cursor = fresh.start();
        trials.reset();
    }

    /** Sets another plan for what is left of the phase, from the next round on; its turns are bound. */
    void swapNext(String text, Plan plan) {
        next = plan;
        nextText = text;
        swapWhereDue();
    }

    private void swapWhereDue() {
        Plan due = next;
        if (due != null && !inRound()) {
            walk(due);
            swapped = nextText;
            next = null;
            nextText = "";
        }
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
        swapWhereDue();
        return walk().next(Objects.requireNonNull(cursor, "a plan has its cursor"), view);
    }

    void at(Cursor then) {
        cursor = then;
    }

    /** Whether a round has begun and not ended. */
    boolean inRound() {
        return cursor != null && cursor.begun;
    }

    /** Whether all turns of the round were taken that is to end now, as far as that is known without asking its parts. */
    boolean isRoundOver() {
        return cursor != null && cursor.begun && cursor.open.length == 0;
    }

    /** The place in the round, for people; empty at its beginning. */
    String place() {
        return walk == null || cursor == null ? "" : walk.describe(cursor);
    }

    /** What is run, as it is written into states. */
    private String text() {
        return !phases.isEmpty() ? phases.toString() : own == null ? waitingPlan : own.toString();
    }

    /** This state with the place in it. */
    State save(State state) {
        String other = walk == null ? waitingSwap : swapped;
        State known = other.isEmpty() ? state : state.with("swapped", other);
        return (nextText.isEmpty() ? known : known.with("swapped_next", nextText))
                .with("plan", text())
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

    private static String next(State state) {
        return state.has("swapped_next") ? state.text("swapped_next") : "";
    }

    private static String swap(State state) {
        return state.has("swapped") ? state.text("swapped") : "";
    }

    /** Goes back to the place in a state; where there is no plan yet, the place waits for it. */
    void restore(State state) {
        if (walk == null) {
            waitingPlan = state.text("plan");
            waitingSwap = swap(state);
            nextText = next(state);
            waitingCursor = state.state("cursor");
            waitingTrials = state.state("trials");
            return;
        }
        if (!phases.isEmpty()) {
            phases.restore(state.state("phase"));
            enter();
        } else if (own != null) {
            swapped = "";
            walk(own);
        }
        String other = swap(state);
        if (!other.isEmpty()) {
            walk(reader.apply(other));
            swapped = other;
        }
        nextText = next(state);
        next = nextText.isEmpty() ? null : reader.apply(nextText);
        Cursor start = walk().start();
        cursor = state.text("plan").isEmpty() ? start : Cursor.restore(start, state.state("cursor"));
        trials.restore(state.state("trials"), walk()::part);
    }
}
