package hocket.workbench;

import hocket.schedulers.PresetExperiment;
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
        List<PresetExperiment> all = Choice.all();
        int width = all.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        all.forEach(each ->
                hocket.terminal().say(String.format(Locale.ROOT, "%-" + width + "s  %s", each.name(), each.summary())));
    }
}
