package hocket.schedulers;

import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;

/** How often a part is repeated: asked whenever its turn comes. Must depend on nothing but its argument. */
@Keyed(plain = Count.Times.class)
@FunctionalInterface
public interface Count {
    /** How often, at least once. */
    int at(ScheduleView view);

    /** The same number always. */
    record Times(
            @Setting(least = 1, most = 1e6, help = "how often")
            int times) implements Count {
        /** @throws IllegalArgumentException if the number is below 1 */
        public Times {
            if (times < 1) {
                throw new IllegalArgumentException("times must be a whole number of at least 1, was " + times);
            }
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

    /** One number for the first rounds, another one afterwards: the critic's 25 turns for the first 100 rounds, then 5. */
    record First(
            @Setting(least = 1, most = 1e6, help = "how often at first")
            int first,

            @Setting(least = 1, help = "for how many rounds")
            long rounds,

            @Setting(least = 1, most = 1e6, help = "how often afterwards")
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
