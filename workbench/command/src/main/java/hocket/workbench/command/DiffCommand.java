package hocket.workbench.command;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.comparison.RunDifference;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the differences of two runs. */
@Command(
        name = "diff",
        header = "Prints the differences of two runs, and the turn at which their metrics diverge.",
        description = {
            "",
            "Compares settings, data, software, machine and metrics, left | right. The exit status is 0 if the runs"
                    + " are equal, 1 if they differ, and 2 if they cannot be compared.",
            ""
        },
        footer = {"", "For example:", "  hocket diff runs/digits-gan runs/digits-gan-2"})
public final class DiffCommand extends WorkplaceCommand implements Callable<Integer> {
    private static final int DIFFERENT = 1;

    @Parameters(index = "0", paramLabel = "LEFT", description = "a run folder, such as runs/digits-gan")
    private String left = "";

    @Parameters(index = "1", paramLabel = "RIGHT", description = "another one")
    private String right = "";

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public Integer call() {
        RunDifference difference =
                RunDifference.of(new RunFolder(workplace.path(left)), new RunFolder(workplace.path(right)));
        if (json) {
            workplace.terminal().say(JsonDocument.of(difference));
        } else {
            difference.lines().forEach(workplace.terminal()::say);
        }
        return difference.equal() ? 0 : DIFFERENT;
    }
}
