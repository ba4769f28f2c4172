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
            String count = samples.get().arePoints() ? "" : " --count 100";
            commands.add(CommandContext.command("sample", folder) + which + count + " --out samples."
                    + extension(samples.get()));
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

    private String extension(Samples samples) {
        if (samples.areImages() || samples.arePoints()) {
            return "png";
        }
        boolean isTable = setup.feeds().stream()
                .flatMap(feed -> feed.source().columns().stream())
                .anyMatch(column -> column.encoding().isPresent());
        return isTable ? "csv" : "npy";
    }
}
