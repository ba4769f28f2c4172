package hocket.schedulers.trainer;

import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.SortedMap;

/**
 * What objectives came to.
 *
 * @param all one for each, in their order
 */
public record Outcomes(List<Outcome> all) {
    /**
     * What an objective came to.
     *
     * @param objective its name
     * @param cost its loss
     * @param metrics by name
     */
    public record Outcome(String objective, double cost, SortedMap<String, Double> metrics) {
        /** @throws IllegalArgumentException if there is none of that name, naming what is near */
        public double metric(String name) {
            Double value = metrics.get(name);
            if (value == null) {
                throw new IllegalArgumentException("objective " + objective + " has no metric " + name
                        + SimilarNames.among(name, metrics.keySet()));
            }
            return value;
        }
    }

    public Outcomes {
        all = List.copyOf(all);
    }

    /** The loss of the first objective. */
    public double cost() {
        return all.get(0).cost();
    }

    /** A metric of the first objective. Throws as {@link Outcome#metric}. */
    public double metric(String name) {
        return all.get(0).metric(name);
    }

    /** @throws IllegalArgumentException if no objective is called that, naming what is near */
    public Outcome of(String objective) {
        return all.stream()
                .filter(outcome -> outcome.objective().equals(objective))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no objective " + objective
                        + SimilarNames.among(
                                objective, all.stream().map(Outcome::objective).toList())));
    }
}
