package hocket.workbench.commands;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Arguments that choose an experiment: a part of several commands. */
public final class ExperimentArguments {
    @Parameters(paramLabel = "NAME", description = "an experiment that is built in, or a file such as my.yaml")
    private String name = "";

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting, such as seed=3 or d.rate=1e-4; as often as needed")
    private List<String> changes = new ArrayList<>();

    @Option(
            names = "--classpath",
            paramLabel = "JAR",
            description = "a jar or folder of classes that the file names; as often as needed")
    private List<String> jars = new ArrayList<>();

    /** The experiment, as it was named. */
    public String name() {
        return name;
    }

    /** Settings that are changed, each {@code KEY=VALUE}. */
    public List<String> changes() {
        return changes;
    }

    /** Jars and folders of classes, as they were given. */
    public List<String> jars() {
        return jars;
    }

    /** What is changed beside what was asked for. */
    List<String> changes(List<String> more) {
        List<String> all = new ArrayList<>(changes);
        all.addAll(more);
        return all;
    }

    /** What stands around an experiment that is read in a workplace: folder, further classes, environment. */
    public ExperimentFile.Surroundings surroundings(CommandContext commandContext) {
        return commandContext.surroundings(jars);
    }

    /** Whether the name is that of a built-in experiment, which goes before a folder of that name. */
    boolean isBuiltIn(CommandContext commandContext) {
        return ExperimentFile.builtIn(surroundings(commandContext)).stream()
                .anyMatch(title -> title.name().equals(name));
    }

    /**
     * Refuses the folder of a run where another run would begin.
     *
     * @param command the one that was given, and resumes a run
     * @throws UserError if the experiment is named by such a folder
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
     * @throws UserError if the experiment is not there, or something is wrong with it
     */
    public ExperimentFile read(CommandContext commandContext) {
        return ExperimentFile.read(name, changes, surroundings(commandContext));
    }

    /**
     * Reads the experiment to look at it: of the folder of a run, or its file, data is read only if the run does not remember it.
     *
     * @param others looks at the other files
     */
    SelectedExperiment inspect(CommandContext commandContext, Function<ExperimentFile, SelectedExperiment> others) {
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
