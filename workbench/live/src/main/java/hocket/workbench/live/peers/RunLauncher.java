package hocket.workbench.live.peers;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.schedulers.commands.Command;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.live.http.AccessGuard;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.json.StartLines;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.processes.ProcessLauncher;
import hocket.workbench.training.processes.StartRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Starts runs of a folder in processes of their own, up to a limit. Used by any thread. */
public final class RunLauncher {
    private static final Pattern NAME = Pattern.compile(Command.Fork.NAME);

    private final CommandContext commandContext;
    private final Path folder;
    private final ProcessLimit limit;

    /** @param folder of runs, or of one */
    public RunLauncher(CommandContext commandContext, Path folder) {
        this(commandContext, folder, ProcessLimit.USUAL);
    }

    /** @param most largest number of processes at a time */
    public RunLauncher(CommandContext commandContext, Path folder, int most) {
        this.commandContext = commandContext;
        this.folder = folder;
        limit = new ProcessLimit(most);
    }

    /** A run whose process has been started. */
    public record Started(RunFolder folder, Process process) {
        /** Returns whether it can be watched. */
        public boolean isServed() {
            return LiveAddress.found(folder)
                    .filter(address -> address.process() == process.pid())
                    .isPresent();
        }

        /** Deletes the files of the failed start, if possible, and returns the cause. */
        public HttpError failed() {
            HttpError why = HttpError.conflict(StartRecord.of(folder).reason());
            try {
                folder.dropStart();
            } catch (UncheckedIOException e) {
                why.addSuppressed(e);
            }
            return why;
        }
    }

    /** Returns whether new runs can be started here; a folder of one run only resumes it. */
    public boolean isOfNew() {
        return !Files.isRegularFile(new RunFolder(folder).experiment());
    }

    /** Returns the experiments that can be started. */
    public List<StartableExperiments.Known> experiments() {
        return isOfNew() ? new StartableExperiments(commandContext, folder).known() : List.of();
    }

    /**
     * Starts a run after checking its experiment.
     *
     * @throws HttpError if it is not allowed, or the experiment is invalid
     */
    public synchronized Started begin(StartLines.Asked asked) {
        if (!isOfNew()) {
            throw HttpError.conflict(
                    "the served folder is one run: use hocket serve on its parent folder to start others");
        }
        limit.requireRoom();
        if (!asked.name().isEmpty()) {
            requireName(asked.name());
        }
        String experiment = new StartableExperiments(commandContext, folder).find(asked.experiment());
        String name = checked(experiment, asked.changes());
        RunFolder run = made(name, asked.name());
        try {
            return new Started(
                    run,
                    limit.start(() -> ProcessLauncher.begin(run, commandContext.here(), experiment, asked.changes())));
        } catch (UncheckedIOException e) {
            run.dropStart();
            throw e;
        }
    }

    /**
     * Resumes a run that was stopped.
     *
     * @throws HttpError if it was not stopped
     */
    public synchronized Started resume(ServedRun run) {
        RunFacts facts = run.facts();
        if (!facts.abilities().canGoOn()) {
            throw HttpError.conflict(run.id() + " is " + facts.status() + ": only a stopped run can be resumed");
        }
        return new Started(run.folder(), limit.start(() -> ProcessLauncher.resume(run.folder())));
    }

    /** Rejects an experiment that {@code hocket plan} rejects. Returns the experiment's name. */
    private String checked(String experiment, List<String> changes) {
        try {
            ExperimentFile file = ExperimentFile.read(experiment, changes, commandContext.surroundings(List.of()));
            SelectedExperiment selectedExperiment = SelectedExperiment.of(file);
            file.checkStartup(selectedExperiment.setup());
            selectedExperiment.plan();
            return file.name();
        } catch (UserError | IllegalArgumentException | UncheckedIOException e) {
            throw HttpError.wrong("experiment", String.valueOf(e.getMessage()));
        }
    }

    /** Creates a folder that no other run takes, or throws. */
    private RunFolder made(String experiment, String name) {
        RunFolder run = name.isEmpty() ? RunFolder.free(folder, experiment) : new RunFolder(folder.resolve(name));
        try {
            Files.createDirectories(folder);
            Files.createDirectory(run.path());
            return run;
        } catch (FileAlreadyExistsException e) {
            throw HttpError.conflict("a folder named " + run.path().getFileName() + " exists already");
        } catch (IOException e) {
            throw new UncheckedIOException(run + " could not be made: " + DiskFailureText.ofWriting(e), e);
        }
    }

    /** @throws HttpError if the name is not valid for a run's folder */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw HttpError.wrong(
                    "name",
                    "must begin with a letter or digit and hold only letters, digits, ., _ and -, was "
                            + AccessGuard.shown(name));
        }
    }
}
