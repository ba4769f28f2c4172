package hocket.workbench.live.peers;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.json.StartLines;
import hocket.workbench.live.handlers.CommandHandler;
import hocket.workbench.live.http.HttpError;
import hocket.workbench.live.views.RunFacts;
import hocket.workbench.live.views.ServedRun;
import hocket.workbench.processes.Launch;
import hocket.workbench.processes.Start;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts runs of a folder in processes of their own, not too many at a time. Any thread. */
public final class RunLauncher {
    /** As many as a machine of some cores trains without each being slow. */
    private static final int USUAL_MOST = 4;

    private final CommandContext commandContext;
    private final Path folder;
    private final int most;
    private final List<Process> running = new ArrayList<>();

    /** @param folder of runs, or of one */
    public RunLauncher(CommandContext commandContext, Path folder) {
        this(commandContext, folder, USUAL_MOST);
    }

    /** @param most processes at a time */
    public RunLauncher(CommandContext commandContext, Path folder, int most) {
        this.commandContext = commandContext;
        this.folder = folder;
        this.most = most;
    }

    /** A run whose process has been started. */
    public record Started(RunFolder folder, Process process) {
        /** Whether it can be watched. */
        public boolean isServed() {
            return LiveAddress.found(folder)
                    .filter(address -> address.process() == process.pid())
                    .isPresent();
        }

        /** Why it came to nothing; takes away what it has left, as far as the disk lets it. */
        public HttpError failed() {
            HttpError why = HttpError.conflict(Start.of(folder).reason());
            try {
                folder.dropStart();
            } catch (UncheckedIOException e) {
                why.addSuppressed(e);
            }
            return why;
        }
    }

    /** Whether new ones are begun here, or the folder is that of one run, which can go on. */
    public boolean isOfNew() {
        return !Files.isRegularFile(new RunFolder(folder).experiment());
    }

    /** What can be begun. */
    public List<StartableExperiments.Known> experiments() {
        return isOfNew() ? new StartableExperiments(commandContext, folder).known() : List.of();
    }

    /**
     * Begins a run, once its experiment has been checked.
     *
     * @throws HttpError if it may not be, or something is wrong with the experiment
     */
    public synchronized Started begin(StartLines.Asked asked) {
        if (!isOfNew()) {
            throw HttpError.conflict(
                    "the folder that is served is a run itself: others are started by hocket serve beside it");
        }
        requireRoom();
        if (!asked.name().isEmpty()) {
            CommandHandler.requireName(asked.name());
        }
        String experiment = new StartableExperiments(commandContext, folder).find(asked.experiment());
        String name = checked(experiment, asked.changes());
        RunFolder run = made(name, asked.name());
        try {
            return started(run, Launch.begin(run, commandContext.here(), experiment, asked.changes()));
        } catch (UncheckedIOException e) {
            run.dropStart();
            throw e;
        }
    }

    /**
     * Goes on with a run that was stopped.
     *
     * @throws HttpError if it was not
     */
    public synchronized Started resume(ServedRun run) {
        RunFacts facts = run.facts();
        if (!facts.abilities().canGoOn()) {
            throw HttpError.conflict(run.id() + " is " + facts.status() + ": only a run that was stopped goes on");
        }
        requireRoom();
        return started(run.folder(), Launch.resume(run.folder()));
    }

    private Started started(RunFolder run, Process process) {
        running.add(process);
        return new Started(run, process);
    }

    private void requireRoom() {
        running.removeIf(process -> !process.isAlive());
        if (running.size() >= most) {
            throw HttpError.conflict(
                    "there is room for " + most + " runs that are started here: stop one, or wait for the end of one");
        }
    }

    /** What {@code hocket plan} would refuse is refused here. Gives the experiment's name. */
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

    /** A folder that nobody else takes: made by this, or refused. */
    private RunFolder made(String experiment, String name) {
        RunFolder run = name.isEmpty() ? RunFolder.free(folder, experiment) : new RunFolder(folder.resolve(name));
        try {
            Files.createDirectories(folder);
            Files.createDirectory(run.path());
            return run;
        } catch (FileAlreadyExistsException e) {
            throw HttpError.conflict("there is something called " + run.path().getFileName() + " already");
        } catch (IOException e) {
            throw new UncheckedIOException(run + " could not be made: " + DiskFailureText.ofWriting(e), e);
        }
    }
}
