package hocket.workbench.command.options;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.CheckpointedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which checkpoint of a run is read: options of several commands. */
public final class CheckpointOptions {
    @Option(
            names = "--checkpoint",
            paramLabel = "N",
            description = "the checkpoint of this number; default: the newest")
    private @Nullable Long number;

    @Option(names = "--best", description = "the best checkpoint, if the run keeps one")
    private boolean best;

    public boolean isBest() {
        return best;
    }

    public boolean isNewest() {
        return !best && number == null;
    }

    /** @throws UserError if both are given */
    public void check() {
        if (best && number != null) {
            throw new UserError("--checkpoint and --best: give only one of them");
        }
    }

    /**
     * Opens a run at the chosen checkpoint, and prints which newer ones are unusable.
     *
     * @param run the folder, as given
     * @throws UserError if both are given, the folder is not a run, has no such checkpoint, or one of its files is
     *     damaged
     */
    public CheckpointedRun open(CommandContext commandContext, String run) {
        check();
        RunFolder folder = new RunFolder(commandContext.path(run));
        OptionalLong asked = number == null ? OptionalLong.empty() : OptionalLong.of(number);
        return (best ? CheckpointedRun.best(folder) : CheckpointedRun.open(folder, asked))
                .telling(commandContext.terminal());
    }
}
