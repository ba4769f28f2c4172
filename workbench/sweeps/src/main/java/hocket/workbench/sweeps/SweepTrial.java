package hocket.workbench.sweeps;

import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A choice of settings.
 *
 * @param number from 1 on
 * @param settings the value of each parameter, in their order
 */
public record SweepTrial(int number, Map<String, String> settings) {
    private static final String STREAM = "sweep/";

    /** Returns its settings in the form of {@code --set}. */
    List<String> changes() {
        List<String> changes = new ArrayList<>();
        settings.forEach((name, value) -> changes.add(name + "=" + value));
        return changes;
    }

    /**
     * Returns all trials of a sweep. The same sweep has the same trials; a sweep with more trials has these and further
     * ones.
     */
    static List<SweepTrial> of(SweepSpec spec) {
        StrategySpec strategy = spec.strategy();
        if (strategy instanceof StrategySpec.RandomSpec random) {
            return drawn(spec, random.random().trials());
        } else if (strategy instanceof StrategySpec.HalvingSpec halving) {
            return drawn(spec, halving.successiveHalving().trials());
        } else if (strategy instanceof StrategySpec.PopulationSpec population) {
            return drawn(spec, population.population().members());
        }
        return grid(spec);
    }

    /** A value depends only on the sweep's seed, the parameter's name and the trial's number. */
    private static List<SweepTrial> drawn(SweepSpec spec, int count) {
        Streams streams = Streams.seed(spec.seed());
        List<SweepTrial> sweepTrials = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int counter = i;
            Map<String, String> settings = new LinkedHashMap<>();
            spec.parameters().forEach((name, range) -> {
                double[] u = new double[1];
                streams.at(STREAM + name).uniform(counter, u);
                settings.put(name, range.drawn(u[0]));
            });
            sweepTrials.add(new SweepTrial(i + 1, settings));
        }
        return sweepTrials;
    }

    /** The last parameter changes fastest. */
    private static List<SweepTrial> grid(SweepSpec spec) {
        List<Map<String, String>> all = List.of(Map.of());
        for (Map.Entry<String, RangeSpec> parameter : spec.parameters().entrySet()) {
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> settings : all) {
                for (String value : parameter.getValue().points()) {
                    Map<String, String> extended = new LinkedHashMap<>(settings);
                    extended.put(parameter.getKey(), value);
                    more.add(extended);
                }
            }
            all = more;
        }
        List<SweepTrial> sweepTrials = new ArrayList<>();
        all.forEach(settings -> sweepTrials.add(new SweepTrial(sweepTrials.size() + 1, settings)));
        return sweepTrials;
    }
}
