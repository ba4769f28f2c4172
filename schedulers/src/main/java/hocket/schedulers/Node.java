package hocket.schedulers;

import hocket.schedulers.plans.Walk;
import hocket.schedulers.state.StateCodec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A part of a plan that is put together from others: a kind of plan is one class, best a record, that implements this. It
 * keeps nothing itself; where it stands and what it remembers is a value, a record as {@link StateCodec} describes it, which
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

    @Override
    default Plan resolved(Function<String, ? extends Plan> turns) {
        return with(parts().stream().map(part -> part.resolved(turns)).toList());
    }

    @Override
    default Optional<Node<?>> node() {
        return Optional.of(this);
    }

    /** The condition that decides over its part; usually none. */
    default Optional<Condition<?>> condition() {
        return Optional.empty();
    }

    /** Whether it takes one of its parts by choice, and ends. */
    default boolean isChoice() {
        return false;
    }

    /** Where it stands, for people, such as {@code d 3 of 5}; empty where there is nothing to say. */
    default String at(S state) {
        return "";
    }
}
