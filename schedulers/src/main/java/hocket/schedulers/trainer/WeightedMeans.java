package hocket.schedulers.trainer;

import hocket.schedulers.trainer.Outcomes.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Weighted means of the results of objectives. */
final class WeightedMeans {
    private static final class Sum {
        double cost;
        final SortedMap<String, Double> metrics = new TreeMap<>();
        double weight;
    }

    private final Map<String, Sum> sums = new LinkedHashMap<>();

    void add(Outcome outcome, double weight) {
        Sum sum = sums.computeIfAbsent(outcome.objective(), name -> new Sum());
        sum.cost += weight * outcome.cost();
        outcome.metrics().forEach((name, value) -> sum.metrics.merge(name, weight * value, Double::sum));
        sum.weight += weight;
    }

    boolean isEmpty() {
        return sums.isEmpty();
    }

    Outcomes mean() {
        List<Outcome> means = new ArrayList<>();
        sums.forEach((objective, sum) -> {
            SortedMap<String, Double> metrics = new TreeMap<>();
            sum.metrics.forEach((name, value) -> metrics.put(name, value / sum.weight));
            means.add(new Outcome(objective, sum.cost / sum.weight, metrics));
        });
        return new Outcomes(means);
    }
}
