package hocket.schedulers;

import hocket.schedulers.plans.Walk;
import hocket.schedulers.state.StateCodec;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A part of a plan that is composed of other parts. Each kind is a class, preferably a record, that implements this
 * interface. A node has no mutable fields; its position and memory are a value, a record as {@link StateCodec}
 * describes it, which is saved, restored and printed with the run.
 *
 * <p>A {@link Walk} asks for the next move whenever the last one is done, until the node ends; when the node runs
 * again, it gets the memory of its end. Files give the name of the class, or, for a user's class, {@code {class:
 * my.Kind, …}}; its components are its settings, those that are plans its parts.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record WarmUp(Plan part, long rounds) implements Node<WarmUp.Taken> {
 *     record Taken(boolean yes) {}
 *
 *     @Override
 *     public List<Plan> parts() {
 *         return List.of(part);
 *     }
 *
 *     @Override
 *     public Plan with(List<Plan> parts) {
 *         return new WarmUp(parts.get(0), rounds);
 *     }
 *
 *     @Override
 *     public Taken start() {
 *         return new Taken(false);
 *     }
 *
 *     @Override
 *     public Move<Taken> next(Taken state, ScheduleView view) {
 *         return state.yes() || view.round() >= rounds ? Move.end(start()) : Move.take(0, new Taken(true));
 *     }
 * }
 * Plan plan = sequence(new WarmUp(d, 100), d, g); // twice d in each of the first 100 rounds
 * }</pre>
 *
 * @param <S> type of its memory
 */
public non-sealed interface Node<S extends Record> extends Plan {
    /**
     * Returns this node with other parts, in their order and of the same number.
     *
     * @throws IllegalArgumentException if these parts are not allowed here
     */
    Plan with(List<Plan> parts);

    /** Returns its memory at the start of a run. */
    S start();

    /** Returns the next move. The answer must depend on the arguments alone, or a resumed run differs. */
    Move<S> next(S state, ScheduleView view);

    @Override
    default Plan resolved(Function<String, ? extends Plan> turns) {
        return with(parts().stream().map(part -> part.resolved(turns)).toList());
    }

    @Override
    default Optional<Node<?>> node() {
        return Optional.of(this);
    }

    /** Returns the condition that decides about its part; usually none. */
    default Optional<Condition<?>> condition() {
        return Optional.empty();
    }

    /** Returns whether it chooses one of its parts and then ends. */
    default boolean isChoice() {
        return false;
    }

    /** Returns its position for people, such as {@code d 3 of 5}; empty where it has none. */
    default String at(S state) {
        return "";
    }
}
