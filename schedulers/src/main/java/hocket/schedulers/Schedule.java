package hocket.schedulers;

import java.util.Map;
import java.util.TreeMap;

/**
 * A user-defined rule that chooses the next turn. A schedule has no mutable fields; its memory is a value, a record of
 * numbers, texts, enums and records, which is saved, restored and printed.
 *
 * <p>For example:
 *
 * <pre>{@code
 * record Alternate() implements Schedule<Alternate.Last> {
 *     record Last(String turn) {}
 *
 *     @Override
 *     public Last start() {
 *         return new Last("g");
 *     }
 *
 *     @Override
 *     public Choice<Last> next(Last last, ScheduleView view) {
 *         String turn = last.turn().equals("g") ? "d" : "g";
 *         return new Choice<>(turn, new Last(turn));
 *     }
 * }
 * Plan plan = choose(new Alternate(), d, g);
 * }</pre>
 *
 * @param <S> that record
 */
public interface Schedule<S extends Record> {
    /** Returns its memory at the start. */
    S start();

    /** Chooses the next turn. The answer must depend on the arguments alone, or a resumed run differs. */
    Choice<S> next(S state, ScheduleView view);

    /**
     * A decision.
     *
     * @param turn the name of the chosen turn; for another part, its printed form
     * @param state the new memory
     * @param settings settings to change before that turn: values by name, such as {@code d/rate}
     */
    record Choice<S extends Record>(String turn, S state, Map<String, Double> settings) {
        public Choice {
            settings = Map.copyOf(settings);
        }

        /** A decision that changes no setting. */
        public Choice(String turn, S state) {
            this(turn, state, Map.of());
        }

        /** Returns this decision with one more change of a setting. */
        public Choice<S> set(String setting, double value) {
            Map<String, Double> more = new TreeMap<>(settings);
            more.put(setting, value);
            return new Choice<>(turn, state, more);
        }
    }
}
