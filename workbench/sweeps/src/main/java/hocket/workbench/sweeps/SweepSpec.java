package hocket.workbench.sweeps;

import hocket.schedulers.settings.Setting;
import hocket.workbench.training.processes.SideBySide;
import java.util.Map;

/** The content of a sweep file. This record reads the file, completes it and makes its JSON schema. */
public record SweepSpec(
        @Setting(usually = "", help = "name of the sweep and of its folder")
        String name,

        @Setting(usually = "", help = "purpose, in a line") String summary,

        @Setting(help = "the experiment: a built-in one, or a file in this folder")
        String experiment,

        @Setting(usually = "{}", help = "settings that all trials have, such as {total_steps: 50000}")
        Map<String, String> set,

        @Setting(help = "settings that trials differ in, by name, each with the values it may take")
        Map<String, RangeSpec> parameters,

        @Setting(help = "which values are tried: grid, random, successive_halving or population")
        StrategySpec strategy,

        @Setting(help = "the value that trials are compared by: {maximise: SCORE} or {minimise: SCORE}")
        ObjectiveSpec objective,

        @Setting(
                usually = "1",
                least = 1,
                most = 100,
                help = "seeds of each trial, from the experiment's on; the objective is their mean")
        int seeds,

        @Setting(
                usually = "1",
                least = 1,
                most = SideBySide.MOST,
                help = "number of runs that train in parallel, each in its own process")
        int atOnce,

        @Setting(usually = "1", help = "seed of the random values")
        long seed) {
    /** @throws IllegalArgumentException if no setting varies */
    public SweepSpec {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("parameters: must name at least one setting, was {}");
        }
    }
}
