package hocket.schedulers;

import java.util.Map;
import java.util.TreeMap;

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
     * @param turn the name of one of the turns to choose from; of another part, how it prints
     * @param state what to remember
     * @param settings what is set before that turn is taken: values by the names of settings, such as {@code d/rate}
     */
    record Choice<S extends Record>(String turn, S state, Map<String, Double> settings) {
        public Choice {
            settings = Map.copyOf(settings);
        }

        /** A decision that sets nothing. */
        public Choice(String turn, S state) {
            this(turn, state, Map.of());
        }

        /** The same decision, also setting a value. */
        public Choice<S> set(String setting, double value) {
            Map<String, Double> more = new TreeMap<>(settings);
            more.put(setting, value);
            return new Choice<>(turn, state, more);
        }
    }
}
