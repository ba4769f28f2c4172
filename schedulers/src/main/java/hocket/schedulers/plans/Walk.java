package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.StateCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The interpreter of a plan, which finds the next step from a position. Training, dry runs, warnings and resume all use
 * it. It holds only the plan; the position is the {@link Cursor}, a value.
 *
 * <p>Parts are numbered from the root on, each before its own parts; an object that appears twice in the plan has one
 * number and one memory.
 */
public final class Walk {
    /**
     * An instruction of the plan.
     *
     * @param turns the turns to take; may be none
     * @param endsRound whether the round ends with it
     * @param what calls the performer's method
     */
    public record Instruction(List<Turn> turns, boolean endsRound, Consumer<Performer> what) {
        /** Performs the instruction. */
        public void by(Performer performer) {
            what.accept(performer);
        }

        private static Instruction of(Turn turn) {
            return new Instruction(List.of(turn), false, performer -> performer.play(turn));
        }
    }

    /** An interpreter of instructions, with one method for each kind. */
    public interface Performer {
        /** Takes a turn. */
        void play(Turn turn);

        /** Computes all gradients, then lets all turns write; restores the saved state in between if asked to. */
        void together(List<Turn.Descend> turns, boolean back);

        /** Saves all that the turns of a part write. */
        default void remember(int number, Node<?> part, boolean sameSample) {}

        /** Keeps a share of the change since then. */
        default void goBack(double share) {}

        /** Ends the round. */
        default void endRound() {}
    }

    /**
     * The next step of a walk.
     *
     * @param settings settings to change before, by name
     * @param then the position when the step is done
     */
    public record Next(Instruction instruction, Map<String, Double> settings, Cursor then) {}

    /** The largest number of consecutive moves without a turn. */
    private static final int MOST_MOVES = 100_000;

    private static final Instruction END_ROUND = new Instruction(List.of(), true, Performer::endRound);

    final Plan plan;
    private final List<Plan> parts = new ArrayList<>();
    private final List<int[]> children = new ArrayList<>();

    /** The instructions of parts that are turns, by number. */
    private final @Nullable Instruction[] plays;

    /** The parts that are nodes, by number. */
    private final @Nullable Node<?>[] nodes;

    /** @throws IllegalArgumentException if the memory of a part cannot be saved; the message names it */
    public Walk(Plan plan) {
        this.plan = plan;
        number(plan, new IdentityHashMap<>());
        this.plays = parts.stream()
                .map(part -> part.turn().map(Instruction::of).orElse(null))
                .toArray(Instruction[]::new);
        this.nodes = parts.stream().map(part -> part.node().orElse(null)).toArray(Node<?>[]::new);
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
        part.node()
                .ifPresent(node -> StateCodec.requireSaved(
                        "what " + part + " remembers", NonNull.by(node, "start()", node.start())));
        children.set(
                number,
                part.parts().stream().mapToInt(inner -> number(inner, known)).toArray());
        return number;
    }

    /** Returns the part of a number that {@link Performer#remember} was given. */
    Node<?> part(int number) {
        Node<?> node = number < 0 || number >= nodes.length ? null : nodes[number];
        if (node == null) {
            throw new IllegalArgumentException("plan " + plan + " has no part of number " + number);
        }
        return node;
    }

    /** Returns the cursor at which every walk begins. */
    Cursor start() {
        Record[] states = new Record[parts.size()];
        for (int i = 0; i < states.length; i++) {
            Node<?> node = nodes[i];
            states[i] = node == null ? null : NonNull.by(node, "start()", node.start());
        }
        return new Cursor(new int[] {0}, states, false);
    }

    /**
     * Returns the next step; a pure function of its arguments.
     *
     * @throws IllegalArgumentException if a part makes an invalid choice; exceptions of user-written parts propagate
     * @throws IllegalStateException if parts keep moving without ever taking a turn
     */
    Next next(Cursor at, ScheduleView view) {
        Steps steps = new Steps(at);
        for (int moves = 0; moves < MOST_MOVES; moves++) {
            if (steps.depth == 0) {
                return new Next(END_ROUND, steps.settings, new Cursor(new int[] {0}, steps.states, false));
            }
            int number = steps.open[steps.depth - 1];
            Instruction play = plays[number];
            if (play != null) {
                steps.depth--;
                return steps.next(play);
            }
            Node<?> node = nodes[number];
            if (node == null) {
                throw new IllegalStateException(parts.get(number) + " was not resolved to turns");
            }
            Optional<Instruction> instruction = steps.ask(number, node, view);
            if (instruction.isPresent()) {
                return steps.next(instruction.get());
            }
        }
        throw new IllegalStateException("plan " + plan + " keeps moving without ever taking a turn");
    }

    /** A moving cursor, which performs moves. */
    private final class Steps implements Move.Reader<Optional<Instruction>> {
        int[] open;
        int depth;
        Record[] states;
        boolean owned;
        Map<String, Double> settings = Map.of();
        int number;

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

        /** Makes one move of a part; returns nothing where it only enters other parts. */
        @SuppressWarnings({"unchecked", "ReferenceEquality"}) // a part is given what it started with or gave back
        <S extends Record> Optional<Instruction> ask(int part, Node<S> node, ScheduleView view) {
            number = part;
            Move<S> move = NonNull.by(node, "next()", node.next((S) states[number], view));
            NonNull.toRemember(node, "next()", move.then());
            if (move.then() != states[number]) {
                states = owned ? states : states.clone();
                owned = true;
                states[number] = move.then();
            }
            return move.by(this);
        }

        @Override
        public Optional<Instruction> take(Move.Take<?> move) {
            if (move.last()) {
                depth--;
            }
            if (!move.settings().isEmpty()) {
                settings = move.settings();
            }
            push(children.get(number)[move.part()]);
            return Optional.empty();
        }

        @Override
        public Optional<Instruction> together(Move.Together<?> move) {
            List<Turn.Descend> turns = descending(part(number), move.parts());
            return Optional.of(
                    new Instruction(List.copyOf(turns), false, performer -> performer.together(turns, move.back())));
        }

        @Override
        public Optional<Instruction> remember(Move.Remember<?> move) {
            int remembered = number;
            return beside(performer -> performer.remember(remembered, part(remembered), move.sameSample()));
        }

        @Override
        public Optional<Instruction> goBack(Move.Return<?> move) {
            return beside(performer -> performer.goBack(move.share()));
        }

        private Optional<Instruction> beside(Consumer<Performer> what) {
            return Optional.of(new Instruction(List.of(), false, what));
        }

        @Override
        public Optional<Instruction> end(Move.End<?> move) {
            depth--;
            return Optional.empty();
        }
    }

    private static List<Turn.Descend> descending(Node<?> node, List<Integer> positions) {
        List<Turn.Descend> turns = new ArrayList<>(positions.size());
        for (int position : positions) {
            Plan part = node.parts().get(position);
            turns.add(part.turn()
                    .flatMap(Turn::descend)
                    .orElseThrow(() -> new IllegalArgumentException(
                            node + " takes " + part + " together with others: only turns that descend a loss can be")));
        }
        return turns;
    }

    /**
     * Returns a cursor's position in its round for people: {@code d 3 of 5}; empty where no part describes its
     * position.
     */
    String describe(Cursor at) {
        List<String> places = new ArrayList<>();
        for (int number : at.open) {
            Node<?> node = nodes[number];
            if (at.begun && node != null) {
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
