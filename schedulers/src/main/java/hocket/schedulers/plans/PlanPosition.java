package hocket.schedulers.plans;

import hocket.schedulers.Next;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.state.State;
import hocket.schedulers.turns.Trials;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The plan of a run's rounds and the position in the current round. */
public final class PlanPosition {
    private final Trials trials;
    private final Function<String, Plan> reader;
    private final Phases phases = new Phases();
    private @Nullable Plan own;
    private @Nullable Walk walk;
    private @Nullable Cursor cursor;
    private State waitingCursor = State.empty();
    private State waitingTrials = State.empty();
    private String waitingPlan = "";

    /** The plan that replaces that of the phase, as it was written; empty for its own. */
    private String swapped = "";

    /** The plan that replaces it in the next round, as it was written; empty if none does. */
    private String swappedNext = "";

    /** @param reader parses a plan and binds its turns */
    public PlanPosition(Trials trials, Function<String, Plan> reader) {
        this.trials = trials;
        this.reader = reader;
    }

    /** Returns the phases; none where a single plan was set. */
    public Phases phases() {
        return phases;
    }

    /**
     * Sets the plan of all rounds.
     *
     * @param bind binds its turns, or refuses the plan
     * @throws IllegalArgumentException if a restored state of another plan waits
     */
    public void plan(Plan rounds, Next bind) {
        requireSame(waitingPlan, waitingCursor, rounds.toString());
        boolean waits = !waitingPlan.isEmpty();
        Walk fresh = new Walk(waits && !swapped.isEmpty() ? reader.apply(swapped) : rounds);
        Cursor at = waits ? restored(fresh, waitingPlan, waitingCursor) : fresh.start();
        bind.proceed();
        trials.reset();
        if (waits) {
            trials.restore(waitingTrials, fresh::part);
        } else {
            swapped = "";
            swappedNext = "";
        }
        own = rounds;
        walk = fresh;
        cursor = at;
        waitingPlan = "";
        phases.none();
    }

    /** Sets the phases, at the beginning of the first. */
    public void phases(List<Phase> all) {
        phases.begin(all);
        enter();
    }

    /** @throws IllegalStateException if a restored state waits for a plan */
    public void requireNothingWaiting() {
        if (!waitingPlan.isEmpty()) {
            throw new IllegalStateException("phases are set before a state is restored, not after");
        }
    }

    /** Moves to the beginning of the current phase. */
    public void enter() {
        swapped = "";
        swappedNext = "";
        walk(phases.current().plan());
    }

    private void walk(Plan plan) {
        Walk fresh = new Walk(plan);
        walk = fresh;
        cursor = fresh.start();
        trials.reset();
    }

    /** Sets another plan, read and bound before, for the rest of the phase, from the next round on. */
    public void swapNext(String text) {
        swappedNext = text;
        swapWhereDue();
    }

    private void swapWhereDue() {
        if (!swappedNext.isEmpty() && !inRound()) {
            walk(reader.apply(swappedNext));
            swapped = swappedNext;
            swappedNext = "";
        }
    }

    /** @throws IllegalStateException if there is none */
    public Plan plan() {
        return walk().plan;
    }

    private Walk walk() {
        if (walk == null) {
            throw new IllegalStateException("there is no plan: call plan(…) before run(…), or step(turn) by turn");
        }
        return walk;
    }

    /** Returns the next step; {@link #at} moves there. */
    public Walk.Next next(ScheduleView view) {
        swapWhereDue();
        return walk().next(Objects.requireNonNull(cursor, "a plan has its cursor"), view);
    }

    public void at(Cursor then) {
        cursor = then;
    }

    /** Returns whether a round has begun and not ended. */
    public boolean inRound() {
        return cursor != null && cursor.begun;
    }

    /** Returns whether all turns of the ending round were taken, as far as known without asking its parts. */
    public boolean isRoundOver() {
        return cursor != null && cursor.begun && cursor.open.length == 0;
    }

    /** Returns the position in the round for people; empty at its beginning. */
    public String place() {
        return walk == null || cursor == null ? "" : walk.describe(cursor);
    }

    /** Returns the description of the plan in saved states. */
    private String text() {
        return !phases.isEmpty() ? phases.toString() : own == null ? waitingPlan : own.toString();
    }

    /** Returns this state with the position in it. */
    public State save(State state) {
        State known = swapped.isEmpty() ? state : state.with("swapped", swapped);
        return (swappedNext.isEmpty() ? known : known.with("swapped_next", swappedNext))
                .with("plan", text())
                .with("phase", phases.save())
                .with("cursor", cursor == null ? waitingCursor : cursor.save())
                .with("trials", walk == null ? waitingTrials : trials.save());
    }

    /** @throws IllegalArgumentException if a state belongs to another plan */
    public void requireSame(State state) {
        if (walk != null) {
            requireSame(state.text("plan"), state.state("cursor"), text());
        }
    }

    private static void requireSame(String saved, State at, String here) {
        if (!saved.isEmpty()
                && !saved.equals(here)
                && !saved.equals(former(here))
                && !(saved.equals(formerWithoutRepeat(here)) && at.whole("begun") == 0)) {
            throw new IllegalArgumentException("the saved state is of plan " + saved + ", this run has plan " + here);
        }
    }

    /** Returns the plan in its form with one number per count, the first, as in runs of November 2026. */
    private static String former(String plan) {
        return plan.replaceAll("\\((\\d+) or \\d+\\)", "$1");
    }

    /** Returns that form where the first number is 1: no repeat and another order, equal only for whole rounds. */
    private static String formerWithoutRepeat(String plan) {
        return plan.replaceFirst(
                "^sequence\\((\\w+), sequence\\((\\w+), (.+)\\) × \\(1 or 2\\)\\)$", "sequence($2, $1, $3)");
    }

    /** Returns the cursor of a saved state; that of a plan without its repeat begins a round. */
    private static Cursor restored(Walk walk, String plan, State saved) {
        String here = walk.plan.toString();
        return plan.isEmpty() || !plan.equals(here) && plan.equals(formerWithoutRepeat(here))
                ? walk.start()
                : Cursor.restore(walk.start(), saved);
    }

    private static String textIn(State state, String key) {
        return state.has(key) ? state.text(key) : "";
    }

    /** Restores the position of a state; where no plan is set yet, the position waits for it. */
    public void restore(State state) {
        if (walk == null) {
            waitingPlan = state.text("plan");
            swapped = textIn(state, "swapped");
            swappedNext = textIn(state, "swapped_next");
            waitingCursor = state.state("cursor");
            waitingTrials = state.state("trials");
            return;
        }
        if (!phases.isEmpty()) {
            phases.restore(state.state("phase"));
            enter();
        } else if (own != null) {
            walk(own);
        }
        swapped = textIn(state, "swapped");
        if (!swapped.isEmpty()) {
            walk(reader.apply(swapped));
        }
        swappedNext = textIn(state, "swapped_next");
        if (!swappedNext.isEmpty()) {
            new Walk(reader.apply(swappedNext)); // refused now, and not when its round comes
        }
        cursor = restored(walk(), state.text("plan"), state.state("cursor"));
        trials.restore(state.state("trials"), walk()::part);
    }
}
