package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.state.StateCodec;
import java.util.function.Function;

/**
 * A trigger that may steer training, since it depends on nothing but the run: a kind is one class, best a record, that
 * implements this. It keeps nothing itself; what it remembers is a value, a record as {@link StateCodec} describes it, which is
 * saved and restored with the run. In files a kind is written by the name of its class, or, for one of the user's own, as
 * {@code {class: my.Kind, …}}; its components are its settings.
 *
 * <p>Beside training it is looked at once at every round's end, in a plan whenever its part's turn comes.
 *
 * @param <S> what it remembers
 */
@Keyed
public non-sealed interface Condition<S extends Record> extends Trigger {
    /** What it remembers at the start of a run. */
    S start();

    /** What it remembers where it begins to be looked at in the middle of a run; usually as at its start. */
    default S begin(ScheduleView view) {
        return start();
    }

    /** Whether it fires. Must depend on nothing but its arguments, or a resumed run differs. */
    Look<S> look(S state, ScheduleView view);

    @Override
    default <R> R fold(
            Function<Condition<?>, R> condition, Function<EverySeconds, R> seconds, Function<AtEnd, R> atEnd) {
        return condition.apply(this);
    }

    /** When it fires, for people; of one that says nothing, by its settings. */
    @Override
    default String words() {
        return "when " + this;
    }

    /** Whether it fires again and again at fixed distances, so that a run may be shorter than one of them. */
    default boolean isPeriodic() {
        return false;
    }

    /**
     * An answer.
     *
     * @param fires whether it fires
     * @param then what it remembers from now on
     */
    record Look<S extends Record>(boolean fires, S then) {}

    /** A condition with what it remembers: for those that are made of others. */
    @SuppressWarnings("unchecked") // what it is given is what it started with or gave back
    static <S extends Record> Look<? extends Record> look(Condition<S> condition, Record state, ScheduleView view) {
        Look<S> look = NonNull.by(condition, "look()", condition.look((S) state, view));
        NonNull.toRemember(condition, "look()", look.then());
        return look;
    }

    /** What a condition remembers at first, likewise. */
    static Record start(Condition<?> condition) {
        return NonNull.by(condition, "start()", condition.start());
    }

    /** What a condition remembers where it begins to be looked at, likewise. */
    static Record begin(Condition<?> condition, ScheduleView view) {
        return NonNull.by(condition, "begin()", condition.begin(view));
    }
}
