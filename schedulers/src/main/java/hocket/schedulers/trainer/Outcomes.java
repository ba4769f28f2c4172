package hocket.schedulers.trainer;

import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.SortedMap;

/**
 * The results of objectives.
 *
 * @param all one result for each objective, in their order
 */
public record Outcomes(List<Outcome> all) {
    /**
     * The result of an objective.
     *
     * @param objective its name
     * @param cost its loss
     * @param metrics by name
     */
    public record Outcome(String objective, double cost, SortedMap<String, Double> metrics) {
        /** @throws IllegalArgumentException if the name is unknown; the message names similar ones */
        public double metric(String name) {
            return SimilarNames.get(metrics, name, "objective " + objective + " has no metric ");
        }
    }

    public Outcomes {
        all = List.copyOf(all);
    }

    /** Returns the loss of the first objective. */
    public double cost() {
        return all.get(0).cost();
    }

    /** Returns a metric of the first objective. Throws as {@link Outcome#metric}. */
    public double metric(String name) {
        return all.get(0).metric(name);
    }

    /** @throws IllegalArgumentException if there is no objective of that name; the message names similar ones */
    public Outcome of(String objective) {
        return SimilarNames.find(all, Outcome::objective, objective, "there is no objective ");
    }
}
