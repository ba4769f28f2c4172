package hocket.workbench.commands;

import hocket.workbench.json.JsonDocument;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.verification.Verification;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says whether a run is whole. */
@Command(
        name = "verify",
        header = "Says whether a run folder is whole, and what is lost where it is not.",
        description = {
            "",
            "Reads every file of the run, compares all sums and changes nothing. The exit status is 0 where all is"
                    + " whole, 1 where something is damaged, and 2 where there is no run.",
            ""
        },
        footer = {"", "For example:", "  hocket verify runs/digits-gan"})
public final class VerifyCommand extends WorkplaceCommand implements Callable<Integer> {
    private static final int DAMAGED = 1;

    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(names = "--json", description = "print all of it as one JSON document")
    private boolean json;

    @Override
    public Integer call() {
        Verification verification = Verification.of(new RunFolder(workplace.path(run)));
        if (json) {
            workplace.terminal().say(JsonDocument.of(verification));
        } else {
            verification.lines().forEach(workplace.terminal()::say);
        }
        return verification.whole() ? 0 : DAMAGED;
    }
}
