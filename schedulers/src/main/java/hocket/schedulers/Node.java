package hocket.schedulers;

import java.util.List;

/**
 * A part of a plan that is put together from others: a kind of plan is one class, best a record, that implements this. It
 * keeps nothing itself; where it stands and what it remembers is a value, a record as {@link Memory} describes it, which
 * is saved, restored and printed with the run.
 *
 * <p>A {@link Walk} asks for the next move whenever the last one is done, until the move is to end; when the node's turn
 * comes again, it is asked with what it remembered at its end. In files a kind is written by the name of its class, or, for
 * one of the user's own, as {@code {class: my.Kind, …}}; its components are its settings, those that are plans its parts.
 *
 * @param <S> what it remembers
 */
public non-sealed interface Node<S extends Record> extends Plan {
    /**
     * The same with other parts in their order, as many of them.
     *
     * @throws IllegalArgumentException if these parts will not do
     */
    Plan with(List<Plan> parts);

    /** What it remembers at the start of a run. */
    S start();

    /** What comes next. Must depend on nothing but its arguments, or a resumed run differs. */
    Move<S> next(S state, ScheduleView view);

    /** The parts that it may take together, each group a list of positions in {@link #parts}; usually none. */
    default List<List<Integer>> together() {
        return List.of();
    }

    /** Where it stands, for people, such as {@code d 3 of 5}; empty where there is nothing to say. */
    default String at(S state) {
        return "";
    }
}
