package hocket.schedulers.evaluation;

import hocket.programs.Session;
import hocket.scopes.Parameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** An evaluation of an experiment's result: scores by name. */
@FunctionalInterface
public interface Evaluation {
    /** Returns the scores of parameters, which are the same for the same parameters and seed. Changes nothing. */
    SortedMap<String, Double> scores(Parameters parameters);

    /**
     * Returns the scores of a session's store, for evaluations that run programs; a run's session keeps its threads and
     * compiled programs.
     */
    default SortedMap<String, Double> scores(Session session) {
        return scores(session.parameters());
    }

    /** Returns the score that says which parameters are best; empty without one. */
    default Optional<Merit> merit() {
        return Optional.empty();
    }

    /** Returns the ranges of scores by name; scores without one may be any number. */
    default Map<String, Range> ranges() {
        return Map.of();
    }

    /**
     * Scores of rows that no model made, which tell what a score is worth.
     *
     * @param name of the rows, such as {@code bootstrap}
     * @param meaning a line for people
     * @param rows how many there are
     * @param scores by the names of the model's scores; some may be missing
     */
    record Reference(String name, String meaning, int rows, SortedMap<String, Double> scores) {}

    /** Returns N, the number of generated rows that are scored; empty for scores of another kind. */
    default OptionalInt rows() {
        return OptionalInt.empty();
    }

    /** Returns this evaluation with scores that take too long to be computed during training; usually there are none. */
    default Evaluation thorough() {
        return this;
    }

    /**
     * Returns the scores of other rows, for comparison; they depend on the data alone. Usually none.
     *
     * @param threads as many as the scores were computed with
     */
    default List<Reference> references(int threads) {
        return List.of();
    }

    /**
     * The range of a score.
     *
     * @param whole whether it is a count, a whole number
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
     * Returns this evaluation over a number of episodes.
     *
     * @throws IllegalArgumentException if it does not run episodes, or the number is below 1
     */
    default Evaluation over(int episodes) {
        throw new IllegalArgumentException("the result is not evaluated by episodes");
    }

    /**
     * Returns this evaluation by actions that are drawn from the policy, in place of its most probable ones.
     *
     * @throws IllegalArgumentException if there is no policy, or it draws no actions
     */
    default Evaluation sampled() {
        throw new IllegalArgumentException("the result takes no actions");
    }

    /**
     * The deciding score.
     *
     * @param score its name
     * @param larger whether larger ones are better; if not, smaller ones are
     */
    record Merit(String score, boolean larger) {
        /**
         * Returns that score.
         *
         * @throws IllegalArgumentException if it is missing
         */
        public double of(Map<String, Double> scores) {
            Double value = scores.get(score);
            if (value == null) {
                throw new IllegalArgumentException(
                        "the score that counts is " + score + ", there is " + scores.keySet());
            }
            return value;
        }

        /** Returns whether one value is better than another; NaN is worse than any number. */
        public boolean isBetter(double value, double than) {
            return !Double.isNaN(value) && (Double.isNaN(than) || (larger ? value > than : value < than));
        }
    }

    /**
     * Returns this evaluation over different episodes than {@link #over}, for choosing between parameters, so that the
     * final score is not biased by the choice.
     *
     * @throws IllegalArgumentException as {@link #over}
     */
    default Evaluation selecting(int episodes) {
        return over(episodes);
    }
}
