package hocket.workbench;

import hocket.workbench.experiment.ExperimentFile;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Names the experiments. */
@Command(
        name = "list",
        header = "Names the experiments there are.",
        usageHelpWidth = Terminal.COLUMNS,
        footer = {"", "For example:", "  hocket list"})
final class ListCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli fills it in
    private Hocket hocket;

    @Override
    public void run() {
        List<ExperimentFile.Title> all = ExperimentFile.builtIn(hocket.surroundings(List.of()));
        int width = all.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        all.forEach(each -> new Page()
                .entry(String.format(Locale.ROOT, "%-" + width + "s", each.name()), width + 2, each.summary())
                .lines()
                .forEach(hocket.terminal()::say));
    }
}
