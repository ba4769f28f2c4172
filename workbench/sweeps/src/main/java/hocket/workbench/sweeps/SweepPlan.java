package hocket.workbench.sweeps;

import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.terminal.TextPage;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what a sweep would do, for people.
 *
 * @param threads threads of each run
 */
record SweepPlan(SweepFile file, List<SweepTrial> trials, int atOnce, int threads) {
    List<String> lines() {
        SweepSpec spec = file.spec();
        TextPage textPage = new TextPage()
                .heading(file.name() + ": " + NumberFormats.counted(trials.size(), "trial") + " of "
                        + file.base().name() + ", " + spec.objective().text());
        textPage.entry(
                "runs",
                9,
                NumberFormats.counted(spec.seeds(), "seed") + " each, from "
                        + file.base().spec().seed() + " on; " + atOnce + " at once, each with "
                        + NumberFormats.counted(threads, "thread"));
        rungs(textPage, Rungs.of(spec.strategy()));
        if (spec.strategy() instanceof StrategySpec.PopulationSpec population) {
            intervals(textPage, population.population());
        }
        textPage.gap();
        List<String> lines = new ArrayList<>(textPage.lines());
        lines.addAll(new SettingsTable(List.of("trial"))
                .lines(
                        trials.stream()
                                .map(sweepTrial -> new SettingsTable.Row(
                                        List.of(Integer.toString(sweepTrial.number())), sweepTrial.settings()))
                                .toList(),
                        Terminal.COLUMNS));
        return lines;
    }

    private static void intervals(TextPage textPage, StrategySpec.MembersSpec population) {
        int count = population.quantileCount();
        textPage.entry(
                "copies",
                9,
                "after each of " + population.intervals() + " intervals the worst "
                        + NumberFormats.counted(count, "trial") + " of " + population.members()
                        + " copy one of the best "
                        + count);
    }

    private void rungs(TextPage textPage, Rungs rungs) {
        int going = trials.size();
        for (int rung = 0; rung < rungs.count() && rungs.count() > 1; rung++) {
            textPage.entry(
                    rung == 0 ? "rungs" : "",
                    9,
                    NumberFormats.counted(going, "trial") + " to " + NumberFormats.percent(rungs.part(rung))
                            + " of the budget");
            going = rungs.survivorCount(going);
        }
    }
}
