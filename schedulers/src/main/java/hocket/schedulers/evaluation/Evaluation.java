package hocket.schedulers.evaluation;

import hocket.programs.Session;
import hocket.scopes.Parameters;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** How the result of an experiment is judged: scores by name. */
@FunctionalInterface
public interface Evaluation {
    /** The scores of what the parameters hold; the same for the same parameters and seed. Changes nothing. */
    SortedMap<String, Double> scores(Parameters parameters);

    /**
     * The same for what a session's store holds: for those that compute programs, with the threads of a run, which keeps what
     * it compiled for the next time.
     */
    default SortedMap<String, Double> scores(Session session) {
        return scores(session.parameters());
    }

    /** Which score says what is best; empty where none does. */
    default Optional<Merit> merit() {
        return Optional.empty();
    }

    /** What scores may be, by name; of those that are not named, any number. */
    default Map<String, Range> ranges() {
        return Map.of();
    }

    /**
     * What a score may be.
     *
     * @param whole whether it counts something, and is a whole number
     */
    record Range(double least, double most, boolean whole) {
        /** A number of things. */
        public static final Range COUNT = new Range(0, Double.POSITIVE_INFINITY, true);

        /** A share of a whole, such as an error rate. */
        public static final Range SHARE = new Range(0, 1, false);

        /** Any number from 0 on, such as a distance. */
        public static final Range FROM_ZERO = new Range(0, Double.POSITIVE_INFINITY, false);
    }

    /**
     * The same judgement over so many episodes.
     *
     * @throws IllegalArgumentException if it is not made of episodes, or there is not at least one
     */
    default Evaluation over(int episodes) {
        throw new IllegalArgumentException("the result is not judged by episodes");
    }

    /**
     * The score that counts.
     *
     * @param score its name
     * @param larger whether larger ones are better; if not, smaller ones are
     */
    record Merit(String score, boolean larger) {
        /**
         * That score among all.
         *
         * @throws IllegalArgumentException if it is not there
         */
        public double of(Map<String, Double> scores) {
            Double value = scores.get(score);
            if (value == null) {
                throw new IllegalArgumentException(
                        "the score that counts is " + score + ", there is " + scores.keySet());
            }
            return value;
        }

        /** Whether one value is better than another; what is not a number is never, and any number is better than it. */
        public boolean isBetter(double value, double than) {
            return !Double.isNaN(value) && (Double.isNaN(than) || (larger ? value > than : value < than));
        }
    }

    /**
     * The same judgement over so many episodes, others than those of {@link #over}: for choosing between parameters, so that
     * what was chosen is not flattered by what it was chosen for.
     *
     * @throws IllegalArgumentException as {@link #over}
     */
    default Evaluation selecting(int episodes) {
        return over(episodes);
    }
}
