package hocket.workbench.training.reports;

import hocket.schedulers.Setup;
import hocket.schedulers.rings.Samples;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The commands that a person may type after a run.
 *
 * @param setup the experiment that was run
 * @param folder the run's folder
 * @param best whether the run kept a best checkpoint
 */
public record NextCommands(Setup setup, RunFolder folder, boolean best) {
    private boolean isTable() {
        return setup.feeds().stream()
                .flatMap(feed -> feed.source().columns().stream())
                .anyMatch(column -> column.encoding().isPresent());
    }

    /** A line each. */
    List<String> lines() {
        List<String> commands = new ArrayList<>();
        String which = best ? " --best" : "";
        commands.add(CommandContext.command("plot", folder));
        if (setup.evaluation().isPresent()) {
            commands.add(CommandContext.command("eval", folder) + which);
        }
        Optional<Samples> samples = Samples.of(setup);
        if (samples.isPresent()) {
            commands.add(CommandContext.command("sample", folder)
                    + which
                    + (samples.get().arePoints() ? "" : " --count 100")
                    + (samples.get().areImages() || samples.get().arePoints()
                            ? " --out samples.png"
                            : isTable() ? " --out samples.csv" : " --out samples.npy"));
        }
        if (setup.film().isPresent()) {
            commands.add(CommandContext.command("record", folder) + which + " --out agent.gif");
        }
        List<String> lines = new ArrayList<>();
        for (String command : commands) {
            lines.add((lines.isEmpty() ? "next     " : "         ") + command);
        }
        return lines;
    }
}
