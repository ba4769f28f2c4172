package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;

/**
 * The number of repetitions of a part, asked whenever the part comes up; must depend on its argument alone.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Plan plan = sequence(new Repeat(new Count.First(25, 100, 5), d), g); // 25 times in each of the first 100 rounds, then 5
 * }</pre>
 */
@Keyed(plain = Count.Times.class)
@FunctionalInterface
public interface Count {
    /** Returns the number of repetitions, at least 1. */
    int at(ScheduleView view);

    /** A constant number. */
    record Times(
            @Setting(least = 1, most = 1e6, help = "number of repetitions")
            int times) implements Count, TimesCopies {
        /** @throws IllegalArgumentException if the number is not 1 to 1,000,000 */
        public Times {
            TimesCopies.check(times);
        }

        @Override
        public int at(ScheduleView view) {
            return times;
        }

        @Override
        public String toString() {
            return Integer.toString(times);
        }
    }

    /** One number for the first rounds and another one afterwards, such as 25 critic turns for 100 rounds, then 5. */
    record First(
            @Setting(least = 1, most = 1e6, help = "number of repetitions at first")
            int first,

            @Setting(least = 1, help = "number of rounds with this number")
            long rounds,

            @Setting(least = 1, most = 1e6, help = "number of repetitions afterwards")
            int then)
            implements Count, FirstCopies {
        /** @throws IllegalArgumentException if a number is below 1 */
        public First {
            FirstCopies.check(first, rounds, then);
        }

        @Override
        public int at(ScheduleView view) {
            return view.round() < rounds ? first : then;
        }

        @Override
        public String toString() {
            return "(" + first + " for " + rounds + " rounds, then " + then + ")";
        }
    }
}
