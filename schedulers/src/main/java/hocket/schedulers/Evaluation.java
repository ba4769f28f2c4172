package hocket.schedulers;

import hocket.scopes.Parameters;
import java.util.SortedMap;

/** How the result of an experiment is judged: scores by name. */
@FunctionalInterface
public interface Evaluation {
    /** The scores of what the parameters hold; the same for the same parameters and seed. Changes nothing. */
    SortedMap<String, Double> scores(Parameters parameters);

    /**
     * The same judgement over so many episodes.
     *
     * @throws IllegalArgumentException if it is not made of episodes, or there is not at least one
     */
    default Evaluation over(int episodes) {
        throw new IllegalArgumentException("the result is not judged by episodes");
    }
}
