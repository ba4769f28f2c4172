package hocket.workbench.command;

import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.terminal.TextPage;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Names the experiments. */
@Command(
        name = "list",
        header = "Lists the built-in experiments.",
        footer = {"", "For example:", "  hocket list", "  hocket list --json"})
public final class ListCommand extends WorkplaceCommand implements Runnable {
    @Option(names = "--json", description = "print one JSON array of objects with name and summary")
    private boolean json;

    @Override
    public void run() {
        List<ExperimentFile.Title> all = ExperimentFile.builtIn(workplace.surroundings(List.of()));
        if (json) {
            workplace.terminal().say(JsonDocument.of(all));
            return;
        }
        int width = all.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        all.forEach(each -> new TextPage()
                .entry(String.format(Locale.ROOT, "%-" + width + "s", each.name()), width + 2, each.summary())
                .lines()
                .forEach(workplace.terminal()::say));
    }
}
