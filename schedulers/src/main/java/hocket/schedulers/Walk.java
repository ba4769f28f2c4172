package hocket.schedulers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one reading of a plan: from where it stands to what comes next. Training, dry runs, warnings and resume all go by
 * it. It keeps nothing but the plan: what moves is the {@link Cursor}, a value.
 *
 * <p>Parts are numbered from the root on, each before its own parts; a part that stands in the plan twice, as one object,
 * has one number and one memory.
 */
final class Walk {
    /** What is to be done. */
    sealed interface Instruction {}

    /** Take a turn. */
    record Play(Turn turn) implements Instruction {}

    /** Compute all gradients, then let all of them write; where it says so, go back to what was remembered in between. */
    record Together(List<Turn.Descend> turns, boolean back) implements Instruction {}

    /** Remember all that the turns of a part write. */
    record Remember(int number, Node<?> part, boolean sameSample) implements Instruction {}

    /** Keep a share of the way since then. */
    record Return(double share) implements Instruction {}

    /** End the round. */
    record EndRound() implements Instruction {}

    /**
     * What comes next.
     *
     * @param settings what is set before, by names of settings
     * @param then where the walk stands when it is done
     */
    record Next(Instruction instruction, Map<String, Double> settings, Cursor then) {}

    /** How many moves of parts there may be in a row without a turn. */
    private static final int MOST_MOVES = 100_000;

    private static final Instruction END_ROUND = new EndRound();

    private final Plan plan;
    private final List<Plan> parts = new ArrayList<>();
    private final List<int[]> children = new ArrayList<>();
    private final @Nullable Play[] plays;

    /** @throws IllegalArgumentException if what a part remembers cannot be saved, naming it */
    Walk(Plan plan) {
        this.plan = plan;
        number(plan, new IdentityHashMap<>());
        this.plays = new Play[parts.size()];
        for (int i = 0; i < plays.length; i++) {
            plays[i] = parts.get(i) instanceof Turn turn ? new Play(turn) : null;
        }
    }

    private int number(Plan part, IdentityHashMap<Plan, Integer> known) {
        Integer before = known.get(part);
        if (before != null) {
            return before;
        }
        int number = parts.size();
        known.put(part, number);
        parts.add(part);
        children.add(new int[0]);
        if (part instanceof Node<?> node) {
            Memory.requireSaved("what " + part + " remembers", Given.by(node, "start()", node.start()));
        }
        children.set(
                number,
                part.parts().stream().mapToInt(inner -> number(inner, known)).toArray());
        return number;
    }

    Plan plan() {
        return plan;
    }

    /** The part of a number that {@link Remember} gave. */
    Node<?> part(int number) {
        if (number < 0 || number >= parts.size() || !(parts.get(number) instanceof Node<?> node)) {
            throw new IllegalArgumentException("plan " + plan + " has no part of number " + number);
        }
        return node;
    }

    /** Where every walk begins. */
    Cursor start() {
        Record[] states = new Record[parts.size()];
        for (int i = 0; i < states.length; i++) {
            states[i] = parts.get(i) instanceof Node<?> node ? Given.by(node, "start()", node.start()) : null;
        }
        return new Cursor(new int[] {0}, states, false);
    }

    /**
     * What comes next. Changes nothing: asked again with the same arguments, it answers the same.
     *
     * @throws IllegalArgumentException if a part chooses what it may not; likewise whatever a part of the user's throws
     * @throws IllegalStateException if parts go on without ever taking a turn
     */
    Next next(Cursor at, ScheduleView view) {
        Steps steps = new Steps(at);
        for (int moves = 0; moves < MOST_MOVES; moves++) {
            if (steps.depth == 0) {
                return new Next(END_ROUND, steps.settings, new Cursor(new int[] {0}, steps.states, false));
            }
            int number = steps.open[steps.depth - 1];
            Play play = plays[number];
            if (play != null) {
                steps.depth--;
                return steps.next(play);
            }
            if (!(parts.get(number) instanceof Node<?> node)) {
                throw new IllegalStateException(parts.get(number) + " was not resolved to turns");
            }
            Instruction instruction = steps.take(number, node, view);
            if (instruction != null) {
                return steps.next(instruction);
            }
        }
        throw new IllegalStateException("plan " + plan + " goes on without ever taking a turn");
    }

    /** A cursor on its way. */
    private final class Steps {
        int[] open;
        int depth;
        Record[] states;
        boolean owned;
        Map<String, Double> settings = Map.of();

        Steps(Cursor at) {
            open = Arrays.copyOf(at.open, at.open.length + 4);
            depth = at.open.length;
            states = at.states;
        }

        Next next(Instruction instruction) {
            return new Next(instruction, settings, new Cursor(Arrays.copyOf(open, depth), states, true));
        }

        private void push(int number) {
            if (depth == open.length) {
                open = Arrays.copyOf(open, 2 * depth);
            }
            open[depth++] = number;
        }

        /** Makes one move of a part; null where it only leads to others. */
        @SuppressWarnings({"unchecked", "ReferenceEquality"}) // a part is given what it started with or gave back
        <S extends Record> @Nullable Instruction take(int number, Node<S> node, ScheduleView view) {
            Move<S> move = Given.by(node, "next()", node.next((S) states[number], view));
            Given.toRemember(node, "next()", move.then());
            if (move.then() != states[number]) {
                states = owned ? states : states.clone();
                owned = true;
                states[number] = move.then();
            }
            if (move instanceof Move.Take<S> take) {
                if (take.last()) {
                    depth--;
                }
                if (!take.settings().isEmpty()) {
                    settings = take.settings();
                }
                push(children.get(number)[take.part()]);
                return null;
            } else if (move instanceof Move.Together<S> together) {
                return new Together(descending(node, together.parts()), together.back());
            } else if (move instanceof Move.Remember<S> remember) {
                return new Remember(number, node, remember.sameSample());
            } else if (move instanceof Move.Return<S> back) {
                return new Return(back.share());
            }
            depth--;
            return null;
        }
    }

    private static List<Turn.Descend> descending(Node<?> node, List<Integer> positions) {
        List<Turn.Descend> turns = new ArrayList<>(positions.size());
        for (int i = 0; i < positions.size(); i++) {
            if (!(node.parts().get(positions.get(i)) instanceof Turn.Descend turn)) {
                throw new IllegalArgumentException(
                        node + " takes " + node.parts().get(positions.get(i))
                                + " together with others: only turns that descend a loss can be");
            }
            turns.add(turn);
        }
        return turns;
    }

    /** Where a cursor stands in its round, for people: {@code d 3 of 5}; empty where no part says anything. */
    String describe(Cursor at) {
        List<String> places = new ArrayList<>();
        for (int number : at.open) {
            if (at.begun && parts.get(number) instanceof Node<?> node) {
                String place = place(node, at.states[number]);
                if (!place.isEmpty()) {
                    places.add(place);
                }
            }
        }
        return String.join(" · ", places);
    }

    @SuppressWarnings("unchecked") // as above
    private static <S extends Record> String place(Node<S> node, Record state) {
        return node.at((S) state);
    }
}
