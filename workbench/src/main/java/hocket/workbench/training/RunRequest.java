package hocket.workbench.training;

import hocket.schedulers.commands.Steering;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A run as a person asked for it: what is trained, in which folder, with which flags, and how it begins.
 *
 * @param workplace where the command works
 * @param file what is run
 * @param runner by which of its runners
 * @param folder where the run is written
 * @param changes of settings, as they were asked for
 * @param flags what is done beside training
 * @param beginning whether it begins, or continues
 */
public record RunRequest(
        CommandContext workplace,
        ExperimentFile file,
        String runner,
        RunFolder folder,
        List<String> changes,
        Flags flags,
        Beginning beginning) {
    public RunRequest {
        changes = List.copyOf(changes);
    }

    /**
     * What is done beside training.
     *
     * @param quiet whether only errors are said
     * @param detectAnomalies whether the run looks for the first number that is not finite
     * @param auditEvery turns are audited in the first of this number of rounds; 0 for never
     * @param tensorBoard whether the run is written for TensorBoard, too; one that was continues to be
     * @param part of its budget, in (0, 1], at which it ends: with the round that reaches it, saved and judged
     */
    public record Flags(boolean quiet, boolean detectAnomalies, long auditEvery, boolean tensorBoard, double part) {
        /** Nothing but training, with progress to see. */
        public static final Flags NONE = new Flags(false, false, 0, false, 1);

        /** Nothing but training, without a word. */
        public static final Flags QUIET = new Flags(true, false, 0, false, 1);
    }

    /**
     * How a run begins.
     *
     * @param resumed whether it continues from the newest checkpoint in its folder, or begins again if there is none
     * @param forced whether it continues where threads, kernels, engine or data are not what they were
     * @param otherFolder the folder that is taken where another run takes the one of the request first
     * @param resumedBy the command that resumes it after a failure, for a run that is one of several
     * @param replayed commands of a journal that are applied once more, each at its place
     */
    public record Beginning(
            boolean resumed,
            boolean forced,
            Optional<Supplier<RunFolder>> otherFolder,
            Optional<String> resumedBy,
            List<Steering.Applied> replayed) {
        /** In a folder that is free. */
        public static final Beginning FIRST = of(false);

        public Beginning {
            replayed = List.copyOf(replayed);
        }

        /** In a folder that is free, or from the checkpoint that is in it. */
        public static Beginning of(boolean resumed) {
            return new Beginning(resumed, false, Optional.empty(), Optional.empty(), List.of());
        }
    }

    /** The command that resumes the run: by itself, or with all of its processes. */
    public record ResumeCommand(String line) {
        public static ResumeCommand of(RunFolder folder) {
            return new ResumeCommand(CommandContext.command("run", folder, "--resume"));
        }
    }
}
