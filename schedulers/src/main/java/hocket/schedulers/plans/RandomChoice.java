package hocket.schedulers.plans;

import hocket.schedulers.Move;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.ScheduleView;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part that takes one of its parts at random, by the run's random stream: the same seed makes the same choices. The
 * number is that of the turn it chooses for, so that parts that choose alike choose for themselves.
 *
 * @param random the weight of each turn by its name; they need not sum to 1
 * @param of the parts; parts without a weight have weight 1
 */
@Keyed.Name("random")
public record RandomChoice(
        @Setting(least = 0, help = "weight of each turn, by its name")
        Map<String, Double> random,

        @Setting(help = "the parts it chooses from") List<Plan> of)
        implements Node<RandomChoice.At> {
    /** The number of draws so far. */
    public record At(long drawn) {}

    /** @throws IllegalArgumentException if there is no part, or a weight names none or is negative, or all are 0 */
    public RandomChoice {
        of = List.copyOf(of);
        random = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(random));
        if (of.isEmpty()) {
            throw new IllegalArgumentException("a random choice needs at least one turn to choose from");
        }
        List<String> names = of.stream().map(Choose::name).toList();
        double sum = 0;
        for (Map.Entry<String, Double> weight : random.entrySet()) {
            if (!names.contains(weight.getKey())) {
                throw new IllegalArgumentException("random: " + weight.getKey() + " is not one of " + names
                        + hocket.scopes.SimilarNames.among(weight.getKey(), names));
            }
            if (!(weight.getValue() >= 0 && weight.getValue() < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("random: the weight of " + weight.getKey()
                        + " must be finite and at least 0, was " + weight.getValue());
            }
        }
        for (String name : names) {
            sum += random.getOrDefault(name, 1.0);
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("random: at least one weight must be above 0, were " + random);
        }
    }

    @Override
    public List<Plan> parts() {
        return of;
    }

    @Override
    public boolean isChoice() {
        return true;
    }

    @Override
    public Plan with(List<Plan> parts) {
        return new RandomChoice(random, parts);
    }

    @Override
    public At start() {
        return new At(0);
    }

    @Override
    public Move<At> next(At at, ScheduleView view) {
        double sum = 0;
        List<Double> weights = new ArrayList<>();
        for (Plan part : of) {
            weights.add(random.getOrDefault(Choose.name(part), 1.0));
            sum += weights.get(weights.size() - 1);
        }
        double[] drawn = new double[1];
        view.random(this + " " + at.drawn()).uniform(view.step(), drawn); // a part may take no turn
        double left = drawn[0] * sum;
        int chosen = 0;
        for (int i = 0; i < weights.size(); i++) {
            if (weights.get(i) > 0) {
                chosen = i;
                left -= weights.get(i);
                if (left < 0) {
                    break;
                }
            }
        }
        return Move.last(chosen, new At(at.drawn() + 1));
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (Plan part : of) {
            parts.add(part + " " + random.getOrDefault(Choose.name(part), 1.0));
        }
        return "random(" + String.join(", ", parts) + ")";
    }
}
