package hocket.workbench.command.options;

import hocket.workbench.files.UserError;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.training.processes.SideBySide;
import java.nio.file.Path;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for several seeds of an experiment. */
public final class SeedOptions {
    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "run this number of seeds, from the file's on, in sequence, into folders of"
                    + " runs/NAME-seeds; then print mean, deviation and confidence interval (Student's, cut at a"
                    + " score's range) of their scores, and plot their learning curve. Existing seeds are not run"
                    + " again")
    private @Nullable Integer count;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "with --seeds: number of processes that train in parallel. Without --threads or a number"
                    + " in the file, each run has this machine's cores divided by N, at least one")
    private @Nullable Integer atOnce;

    public boolean areWanted() {
        return count != null;
    }

    /** Returns the number of seeds; 0 without the option. */
    public int count() {
        return count == null ? 0 : count;
    }

    /** Returns the number of parallel processes; 0 for one seed after the other in this process. */
    public int atOnce() {
        return atOnce == null ? 0 : atOnce;
    }

    /** @throws UserError if {@code --at-once} is out of range, or given without {@code --seeds} */
    public void check() {
        if (atOnce != null) {
            SideBySide.require(atOnce);
        }
        if (atOnce != null && count == null) {
            throw new UserError("--at-once: the number of seeds that train in parallel; it needs --seeds");
        }
    }

    /**
     * Rejects an option of one run together with {@code --seeds}.
     *
     * @param isGiven whether the option was given
     * @param option the first words of the message, such as {@code --until: is}
     */
    public void refuse(boolean isGiven, String option) {
        if (isGiven && areWanted()) {
            throw new UserError(option + " for one run, --seeds is for several: give only one of them");
        }
    }

    /**
     * Requires that an existing folder of several seeds is resumed as a whole.
     *
     * @param begun its seeds
     * @param out the folder of {@code --out}; null without
     * @throws UserError if it is not
     */
    public void requireResumed(
            CommandContext commandContext, Path folder, SortedSet<Long> begun, @Nullable String out, boolean resume) {
        if (out != null && !commandContext.path(out).equals(folder)) {
            throw new UserError("--out " + out + ": the seeds in " + folder + " are resumed in their folder");
        }
        String held = folder + " holds runs of seeds " + begun.first() + " to " + begun.last();
        if (count == null) {
            throw new UserError(held + "; give their number: "
                    + CommandContext.command("run", folder, "--seeds", Math.max(2, begun.size()), "--resume")
                    + " continues these, a larger number adds more");
        } else if (!resume) {
            throw new UserError(held + ", which only --resume continues: "
                    + CommandContext.command("run", folder, "--seeds", count, "--resume"));
        }
    }
}
