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
 * The one reading of a plan: from where it stands to what comes next. Training, dry runs, warnings and resume all go by
 * it. It keeps nothing but the plan: what moves is the {@link Cursor}, a value.
 *
 * <p>Parts are numbered from the root on, each before its own parts; a part that stands in the plan twice, as one object,
 * has one number and one memory.
 */
public final class Walk {
    /**
     * What is to be done.
     *
     * @param turns that are taken; none where none is
     * @param endsRound whether the round ends with it
     * @param what calls the method of a performer
     */
    public record Instruction(List<Turn> turns, boolean endsRound, Consumer<Performer> what) {
        /** Has it done. */
        public void by(Performer performer) {
            what.accept(performer);
        }

        private static Instruction of(Turn turn) {
            return new Instruction(List.of(turn), false, performer -> performer.play(turn));
        }
    }

    /** What does instructions: one method for each kind. */
    public interface Performer {
        /** Takes a turn. */
        void play(Turn turn);

        /** Computes all gradients, then lets all turns write; where it says so, goes back to what was remembered in between. */
        void together(List<Turn.Descend> turns, boolean back);

        /** Remembers all that the turns of a part write. */
        void remember(int number, Node<?> part, boolean sameSample);

        /** Keeps a share of the way since then. */
        void goBack(double share);

        /** Ends the round. */
        void endRound();
    }

    /**
     * What comes next.
     *
     * @param settings what is set before, by names of settings
     * @param then where the walk stands when it is done
     */
    public record Next(Instruction instruction, Map<String, Double> settings, Cursor then) {}

    /** How many moves of parts there may be in a row without a turn. */
    private static final int MOST_MOVES = 100_000;

    private static final Instruction END_ROUND = new Instruction(List.of(), true, Performer::endRound);

    private final Plan plan;
    private final List<Plan> parts = new ArrayList<>();
    private final List<int[]> children = new ArrayList<>();

    /** By number, the instruction for a part that is a turn. */
    private final @Nullable Instruction[] plays;

    /** By number, a part that is a node. */
    private final @Nullable Node<?>[] nodes;

    /** @throws IllegalArgumentException if what a part remembers cannot be saved, naming it */
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

    Plan plan() {
        return plan;
    }

    /** The part of a number that {@link Performer#remember} was given. */
    Node<?> part(int number) {
        Node<?> node = number < 0 || number >= nodes.length ? null : nodes[number];
        if (node == null) {
            throw new IllegalArgumentException("plan " + plan + " has no part of number " + number);
        }
        return node;
    }

    /** Where every walk begins. */
    Cursor start() {
        Record[] states = new Record[parts.size()];
        for (int i = 0; i < states.length; i++) {
            Node<?> node = nodes[i];
            states[i] = node == null ? null : NonNull.by(node, "start()", node.start());
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
        throw new IllegalStateException("plan " + plan + " goes on without ever taking a turn");
    }

    /** A cursor on its way: does what moves say. */
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

        /** Makes one move of a part; gives nothing where it only leads to others. */
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

    /** Where a cursor stands in its round, for people: {@code d 3 of 5}; empty where no part says anything. */
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
