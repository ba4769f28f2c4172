package hocket.workbench.training;

import hocket.schedulers.commands.Steering;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A run as a person requested it: experiment, folder, flags, and whether it begins or resumes.
 *
 * @param workplace the command's working folder
 * @param file what is run
 * @param runner the experiment's runner that trains
 * @param folder where the run is written
 * @param changes overrides of settings, as given on the command line
 * @param flags options besides training
 * @param beginning whether the run begins or resumes
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
     * Options of a run besides training.
     *
     * @param quiet whether only errors are printed
     * @param detectAnomalies whether the run searches for the first number that is not finite
     * @param auditEvery turns are audited in the first of this many rounds; 0 for never
     * @param tensorBoard whether event files for TensorBoard are written as well; a resumed run keeps its choice
     * @param part the fraction of its budget, in (0, 1], at which it ends: after that round it is saved and evaluated
     */
    public record Flags(boolean quiet, boolean detectAnomalies, long auditEvery, boolean tensorBoard, double part) {
        /** Training only, with progress shown. */
        public static final Flags NONE = new Flags(false, false, 0, false, 1);

        /** Training only, without output. */
        public static final Flags QUIET = new Flags(true, false, 0, false, 1);
    }

    /**
     * The beginning of a run.
     *
     * @param resumed whether it resumes from the newest checkpoint in its folder, or begins again if there is none
     * @param forced whether it resumes with other threads, kernels, engine or data than before
     * @param otherFolder the folder to use if another run takes the requested one first
     * @param resumedBy the command that resumes it after a failure, if the run is one of several
     * @param replayed another run whose commands are applied again at their rounds
     */
    public record Beginning(
            boolean resumed,
            boolean forced,
            Optional<Supplier<RunFolder>> otherFolder,
            Optional<String> resumedBy,
            Optional<Replayed> replayed) {
        /** Returns a beginning in an empty folder. */
        public static final Beginning FIRST = of(false);

        /** Returns a beginning in an empty folder, or from the checkpoint that is in it. */
        public static Beginning of(boolean resumed) {
            return new Beginning(resumed, false, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * The commands of another run.
     *
     * @param experiment the run's experiment.yaml
     */
    public record Replayed(String experiment, List<Steering.Applied> commands) {
        public Replayed {
            commands = List.copyOf(commands);
        }
    }

    /** Returns the command that resumes the run: alone, or with all of its processes. */
    public record ResumeCommand(String line) {
        /** Returns the command of a run in a folder, which still has the commands that it repeats. */
        public static ResumeCommand of(RunFolder folder, Beginning beginning) {
            return new ResumeCommand(beginning
                    .replayed()
                    .map(of -> CommandContext.command("run", of.experiment(), "--replay", "--out", folder, "--resume"))
                    .orElseGet(() -> CommandContext.command("run", folder, "--resume")));
        }
    }
}
