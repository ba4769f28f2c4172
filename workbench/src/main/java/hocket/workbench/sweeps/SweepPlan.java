package hocket.workbench.sweeps;

import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Page;
import hocket.workbench.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sweep would do, for people.
 *
 * @param threads of each run
 */
record SweepPlan(SweepFile file, List<Trial> trials, int atOnce, int threads) {
    List<String> lines() {
        SweepSpec spec = file.spec();
        Page page = new Page()
                .heading(file.name() + ": " + Figures.counted(trials.size(), "trial") + " of "
                        + file.base().name() + ", " + spec.objective().text());
        page.entry(
                "runs",
                9,
                Figures.counted(spec.seeds(), "seed") + " each, from "
                        + file.base().spec().seed() + " on; " + atOnce + " at once, each with "
                        + Figures.counted(threads, "thread"));
        rungs(page, Rungs.of(spec.strategy()));
        page.gap();
        List<String> lines = new ArrayList<>(page.lines());
        lines.addAll(new SettingsTable(List.of("trial"))
                .lines(
                        trials.stream()
                                .map(trial -> new SettingsTable.Row(
                                        List.of(Integer.toString(trial.number())), trial.settings()))
                                .toList(),
                        Terminal.COLUMNS));
        return lines;
    }

    private void rungs(Page page, Rungs rungs) {
        int going = trials.size();
        for (int rung = 0; rung < rungs.count() && rungs.count() > 1; rung++) {
            page.entry(
                    rung == 0 ? "rungs" : "",
                    9,
                    Figures.counted(going, "trial") + " to " + Figures.percent(rungs.part(rung)) + " of the budget");
            going = rungs.going(going);
        }
    }
}
