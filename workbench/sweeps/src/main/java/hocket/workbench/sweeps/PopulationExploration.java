package hocket.workbench.sweeps;

import hocket.scopes.Streams;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The random choices of a population: whom a member copies, and the settings that it then tries. A choice depends only
 * on the sweep's seed, the parameter's name, the member's number and the interval.
 */
record PopulationExploration(SweepSpec spec, StrategySpec.MembersSpec population) {
    private static final String COPY = "population/copy";
    private static final String EXPLORE = "population/explore/";

    /**
     * Returns which of the best members another one copies.
     *
     * @param member number of the member that copies
     * @param interval that begins
     * @param count number of the best members
     * @return uniform in 0..count - 1
     */
    int source(int member, int interval, int count) {
        return (int) (uniform(COPY, member, interval)[0] * count);
    }

    /**
     * Returns the settings that a copy tries: each value is resampled, or else perturbed by a factor; where a limit
     * of the range allows no change, by another factor.
     *
     * @param settings those of the copied member
     */
    Map<String, String> explored(Map<String, String> settings, int member, int interval) {
        Map<String, String> explored = new LinkedHashMap<>();
        settings.forEach((name, value) -> {
            RangeSpec range = Objects.requireNonNull(spec.parameters().get(name));
            double[] u = uniform(EXPLORE + name, member, interval);
            explored.put(name, u[0] < population.resample() ? range.drawn(u[1]) : perturbed(range, value, u[2]));
        });
        return explored;
    }

    private String perturbed(RangeSpec range, String value, double u) {
        int count = population.factors().size();
        int first = (int) (u * count);
        for (int i = 0; i < count; i++) {
            String changed = range.perturbed(value, population.factors().get((first + i) % count));
            if (!changed.equals(value)) {
                return changed;
            }
        }
        return value;
    }

    private double[] uniform(String path, int member, int interval) {
        double[] u = new double[3];
        long counter = (long) interval * (StrategySpec.MOST_TRIALS + 1) + member;
        Streams.seed(spec.seed()).at(path).uniform(counter, u);
        return u;
    }
}
