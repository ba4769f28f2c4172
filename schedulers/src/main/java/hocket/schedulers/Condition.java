package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.StateCodec;
import java.util.List;
import java.util.Optional;

/**
 * A trigger that may steer training because it depends on the run alone. Each kind is a class, preferably a record,
 * that implements this interface. A condition has no mutable fields; its memory is a value, a record as {@link
 * StateCodec} describes it, which is saved and restored with the run. Files give the name of the class, or, for a
 * user's class, {@code {class: my.Kind, …}}; its components are its settings.
 *
 * <p>An action's condition is evaluated once at the end of each round; a plan's condition is evaluated whenever its
 * part comes up.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record BelowTenth(int rounds) implements Condition.Stateless {
 *     @Override
 *     public boolean holds(ScheduleView view) {
 *         return view.round() % rounds == 0 && view.average("d/loss", 50).orElse(Double.POSITIVE_INFINITY) < 0.1;
 *     }
 * }
 * Plan plan = sequence(d, Plan.when(new BelowTenth(5), g));
 * }</pre>
 *
 * @param <S> type of its memory
 */
@Keyed
public non-sealed interface Condition<S extends Record> extends Trigger {
    /** Returns its memory at the start of a run. */
    S start();

    /** Returns its memory when it is first evaluated in the middle of a run; usually the same as at the start. */
    default S begin(ScheduleView view) {
        return start();
    }

    /** Evaluates the condition. The answer must depend on the arguments alone, or a resumed run differs. */
    Look<S> look(S state, ScheduleView view);

    @Override
    default Optional<Condition<?>> condition() {
        return Optional.of(this);
    }

    /** Returns a description of when it fires, for people; the default lists the settings. */
    @Override
    default String words() {
        return "when " + this;
    }

    /** Returns whether it fires at fixed intervals, so that a run may be shorter than one interval. */
    default boolean isPeriodic() {
        return false;
    }

    /** Returns the conditions that it combines; usually none. */
    default List<Condition<?>> conditions() {
        return List.of();
    }

    @Override
    default List<String> sourcesRead() {
        return conditions().stream()
                .flatMap(each -> each.sourcesRead().stream())
                .toList();
    }

    @Override
    default List<String> seriesRead() {
        return conditions().stream().flatMap(each -> each.seriesRead().stream()).toList();
    }

    /** A condition without memory. */
    interface Stateless extends Condition<Stateless.Nothing> {
        /** The memory of this condition, which is empty. */
        record Nothing() {
            private static final Nothing NOTHING = new Nothing();
        }

        /** Returns whether it fires. */
        boolean holds(ScheduleView view);

        @Override
        default Nothing start() {
            return Nothing.NOTHING;
        }

        @Override
        default Look<Nothing> look(Nothing state, ScheduleView view) {
            return new Look<>(holds(view), state);
        }
    }

    /**
     * The answer of a condition.
     *
     * @param fires whether it fires
     * @param then its new memory
     */
    record Look<S extends Record>(boolean fires, S then) {}

    /** Evaluates a condition with its memory; for conditions that combine others. */
    @SuppressWarnings("unchecked") // what it is given is what it started with or gave back
    static <S extends Record> Look<? extends Record> look(Condition<S> condition, Record state, ScheduleView view) {
        Look<S> look = NonNull.by(condition, "look()", condition.look((S) state, view));
        NonNull.toRemember(condition, "look()", look.then());
        return look;
    }

    /** Returns the first memory of a condition; for conditions that combine others. */
    static Record start(Condition<?> condition) {
        return NonNull.by(condition, "start()", condition.start());
    }

    /** Returns the memory of a condition that is first evaluated mid-run; for conditions that combine others. */
    static Record begin(Condition<?> condition, ScheduleView view) {
        return NonNull.by(condition, "begin()", condition.begin(view));
    }
}
