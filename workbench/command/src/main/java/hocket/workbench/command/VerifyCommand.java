package hocket.workbench.command;

import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.verification.Verification;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies a run folder. */
@Command(
        name = "verify",
        header = "Verifies the files of a run folder and says what is lost if some are damaged.",
        description = {
            "",
            "Reads every file of the run, compares all checksums and changes nothing. The exit status is 0 if all are"
                    + " intact, 1 if one is damaged, and 2 if there is no run.",
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
