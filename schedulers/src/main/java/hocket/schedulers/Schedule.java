package hocket.schedulers;

/**
 * Whose turn it is: a rule of the user's own. It keeps nothing itself; what it must remember is a value, a record of
 * numbers, texts, enums and records, which is saved, restored and printed.
 *
 * @param <S> that record
 */
public interface Schedule<S extends Record> {
    /** What it remembers at the start. */
    S start();

    /** The next turn. Must depend on nothing but its arguments, or a resumed run differs. */
    Choice<S> next(S state, ScheduleView view);

    /**
     * A decision.
     *
     * @param turn the name of one of the turns to choose from
     * @param state what to remember
     */
    record Choice<S extends Record>(String turn, S state) {}
}
