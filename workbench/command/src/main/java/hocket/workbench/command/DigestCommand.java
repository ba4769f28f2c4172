package hocket.workbench.command;

import hocket.workbench.command.options.CheckpointOptions;
import hocket.workbench.runs.comparison.RunDigest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final CheckpointOptions checkpoint = new CheckpointOptions();

    @Option(names = "--all", description = "print a line for each array")
    private boolean all;

    @Override
    public void run() {
        RunDigest digest = new RunDigest(checkpoint.open(workplace, run).state());
        if (all) {
            digest.byPath().forEach((path, hex) -> workplace.terminal().say(hex + "  " + path));
        } else {
            workplace.terminal().say(digest.whole());
        }
    }
}
