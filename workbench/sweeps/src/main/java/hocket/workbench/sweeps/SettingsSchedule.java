package hocket.workbench.sweeps;

import hocket.workbench.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the settings with which a member of a population came to its weights, interval by interval.
 *
 * @param ancestry the member of each interval, the first one first
 */
record SettingsSchedule(List<PopulationMember> ancestry) {
    /** Returns a heading, and a line for all intervals in which one member kept its settings. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        PopulationMember last = ancestry.get(ancestry.size() - 1);
        lines.add("settings of trial " + last.number() + " by interval, with the trial that trained:");
        List<SettingsTable.Row> rows = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= ancestry.size(); i++) {
            if (i == ancestry.size() || !isKept(ancestry.get(from), ancestry.get(i))) {
                PopulationMember member = ancestry.get(from);
                String intervals = from + 1 == i ? Integer.toString(i) : (from + 1) + "-" + i;
                rows.add(new SettingsTable.Row(
                        List.of(intervals, Integer.toString(member.number())), member.settings()));
                from = i;
            }
        }
        lines.addAll(new SettingsTable(List.of("interval", "trial")).lines(rows, Terminal.COLUMNS));
        return lines;
    }

    private static boolean isKept(PopulationMember before, PopulationMember after) {
        return before.number() == after.number() && before.since() == after.since();
    }
}
