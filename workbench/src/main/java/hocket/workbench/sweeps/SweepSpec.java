package hocket.workbench.sweeps;

import hocket.schedulers.settings.Setting;
import hocket.workbench.processes.SideBySide;
import java.util.Map;

/** What stands in a sweep file. This record reads the file, completes it and makes its JSON schema. */
public record SweepSpec(
        @Setting(usually = "", help = "its name, also that of its folder")
        String name,

        @Setting(usually = "", help = "what it is for, in a line")
        String summary,

        @Setting(help = "what is trained: a built-in experiment, or a file beside this one")
        String experiment,

        @Setting(usually = "{}", help = "settings that all trials have, such as {total_steps: 50000}")
        Map<String, String> set,

        @Setting(help = "settings that trials differ in, by name, each with the values it may take")
        Map<String, RangeSpec> parameters,

        @Setting(help = "which values are tried: grid, random or successive_halving")
        StrategySpec strategy,

        @Setting(help = "what trials are judged by: {maximise: SCORE} or {minimise: SCORE}")
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
                help = "runs that train at a time, in as many processes")
        int atOnce,

        @Setting(usually = "1", help = "of the values that are drawn")
        long seed) {
    /** @throws IllegalArgumentException if nothing differs */
    public SweepSpec {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("parameters: must name one setting at least, was {}");
        }
    }
}
