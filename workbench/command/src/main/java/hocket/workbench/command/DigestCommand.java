package hocket.workbench.command;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.comparison.RunDigest;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints a digest of a run's trained state. */
@Command(
        name = "digest",
        header = "Prints a SHA-256 of a run's trained state: two runs are the same if it is equal.",
        description = {
            "",
            "It covers parameters, running statistics and the optimizers' state, in the order of paths.",
            ""
        },
        footer = {"", "For example:", "  hocket digest runs/digits-gan", "  hocket digest runs/digits-gan --all"})
public final class DigestCommand extends WorkplaceCommand implements Runnable {
    @Parameters(paramLabel = "RUN", description = "a run folder, such as runs/digits-gan")
    private String run = "";

    @Option(
            names = "--checkpoint",
            paramLabel = "N",
            description = "the checkpoint of this number; default: the newest")
    private @Nullable Long checkpoint;

    @Option(names = "--best", description = "the best checkpoint, if the run keeps one")
    private boolean best;

    @Option(names = "--all", description = "print a line for each array")
    private boolean all;

    @Override
    public void run() {
        OptionalLong number = checkpoint == null ? OptionalLong.empty() : OptionalLong.of(checkpoint);
        if (best && checkpoint != null) {
            throw new UserError("--checkpoint and --best: give only one of them");
        }
        RunFolder folder = new RunFolder(workplace.path(run));
        RunDigest digest = new RunDigest((best ? CheckpointedRun.best(folder) : CheckpointedRun.open(folder, number))
                .telling(workplace.terminal())
                .state());
        if (all) {
            digest.byPath().forEach((path, hex) -> workplace.terminal().say(hex + "  " + path));
        } else {
            workplace.terminal().say(digest.whole());
        }
    }
}
