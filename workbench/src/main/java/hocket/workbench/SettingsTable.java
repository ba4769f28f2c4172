package hocket.workbench;

import hocket.schedulers.Settings;
import hocket.workbench.PlanFacts.SettingFacts;
import java.util.List;

/** The settings of an experiment as a table. */
final class SettingsTable {
    private static final int WIDE_VALUE = 8;

    private SettingsTable() {}

    static List<SettingFacts> facts(Settings settings) {
        return settings.all().entrySet().stream()
                .map(entry -> new SettingFacts(
                        entry.getKey(),
                        shown(entry.getValue().value()),
                        entry.getValue().help()))
                .toList();
    }

    private static String shown(Object value) {
        return value instanceof Double number
                ? Figures.exactly(number)
                : value.toString().isEmpty() ? "(none)" : value.toString();
    }

    static void print(List<SettingFacts> settings, Page page) {
        if (settings.isEmpty()) {
            return;
        }
        page.heading("settings, each changed by --set KEY=VALUE");
        int keys = settings.stream().mapToInt(s -> s.key().length()).max().orElse(0);
        int values = settings.stream().mapToInt(s -> s.value().length()).max().orElse(0);
        for (SettingFacts setting : settings) {
            String label =
                    "  " + setting.key() + " ".repeat(keys - setting.key().length() + 2) + setting.value();
            page.entry(label, 2 + keys + 2 + Math.min(values, WIDE_VALUE) + 2, setting.help());
        }
    }
}
