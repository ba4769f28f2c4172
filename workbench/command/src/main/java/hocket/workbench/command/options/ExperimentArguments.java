package hocket.workbench.command.options;

import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that select an experiment: a part of several commands. */
public final class ExperimentArguments {
    @Parameters(
            paramLabel = "NAME",
            description = "a built-in experiment, or a file such as my.yaml",
            completionCandidates = CompletedNames.OfExperiments.class)
    private String name = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting, such as seed=3 or d.rate=1e-4; can be repeated")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description = "a jar or folder of classes that the file names; can be repeated")
    private List<String> jars = new ArrayList<>();

    /** Returns the experiment as it was named. */
    public String name() {
        return name;
    }

    /** Returns the overrides, each {@code KEY=VALUE}. */
    public List<String> changes() {
        return changes;
    }

    /** Jars and folders of classes, as they were given. */
    public List<String> jars() {
        return jars;
    }

    /** Returns further overrides of the command. */
    public List<String> changes(List<String> more) {
        List<String> all = new ArrayList<>(changes);
        all.addAll(more);
        return all;
    }

    /** Returns the context of an experiment in a workplace: folder, further classes, environment. */
    public ExperimentFile.Surroundings surroundings(CommandContext commandContext) {
        return commandContext.surroundings(jars);
    }

    /** Returns whether the name is that of a built-in experiment, which has priority over a folder of that name. */
    public boolean isBuiltIn(CommandContext commandContext) {
        return ExperimentFile.isBuiltIn(name, surroundings(commandContext));
    }

    /**
     * Rejects the folder of a run if another run would begin there.
     *
     * @param command the given command, which resumes a run
     * @throws UserError if such a folder names the experiment
     */
    public void requireNoRun(CommandContext commandContext, Object... command) {
        RunFolder folder = new RunFolder(commandContext.path(name));
        if (folder.isRun() && !isBuiltIn(commandContext)) {
            throw new UserError(name + " is the folder of a run: " + CommandContext.command(command) + " resumes it, "
                    + CommandContext.command("run", folder.experiment()) + " begins another run with its settings");
        }
    }

    /**
     * Reads the experiment.
     *
     * @throws UserError if the experiment is missing or invalid
     */
    public ExperimentFile read(CommandContext commandContext) {
        return ExperimentFile.read(name, changes, surroundings(commandContext));
    }

    /**
     * Reads the experiment to inspect it: for the folder of a run, or its file, data is read only if the run does not
     * describe it.
     *
     * @param others inspects other files
     */
    public SelectedExperiment inspect(
            CommandContext commandContext, Function<ExperimentFile, SelectedExperiment> others) {
        ExperimentFile file = read(commandContext);
        Path named = commandContext.path(name);
        Path folder = Files.isDirectory(named) ? named : named.toAbsolutePath().getParent();
        RunFolder run = new RunFolder(folder == null ? named : folder);
        boolean isOfRun = !isBuiltIn(commandContext)
                && run.isRun()
                && (Files.isDirectory(named)
                        || named.toAbsolutePath().equals(run.experiment().toAbsolutePath()));
        if (!isOfRun) {
            return others.apply(file);
        }
        return SelectedExperiment.ofRun(
                run,
                file,
                changes.isEmpty() ? file : ExperimentFile.read(name, List.of(), surroundings(commandContext)));
    }
}
