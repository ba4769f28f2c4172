package hocket.workbench.commands;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.Selected;
import hocket.workbench.runs.Workplace;
import hocket.workbench.terminal.Refusal;
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
    public ExperimentFile.Surroundings surroundings(Workplace workplace) {
        return workplace.surroundings(jars);
    }

    /** Whether the name is that of a built-in experiment, which goes before a folder of that name. */
    boolean isBuiltIn(Workplace workplace) {
        return ExperimentFile.builtIn(surroundings(workplace)).stream()
                .anyMatch(title -> title.name().equals(name));
    }

    /**
     * Refuses the folder of a run where another run would begin.
     *
     * @param command the one that was given, and resumes a run
     * @throws Refusal if the experiment is named by such a folder
     */
    public void requireNoRun(Workplace workplace, Object... command) {
        RunFolder folder = new RunFolder(workplace.path(name));
        if (folder.isRun() && !isBuiltIn(workplace)) {
            throw new Refusal(name + " is the folder of a run: " + Workplace.command(command) + " resumes it, "
                    + Workplace.command("run", folder.experiment()) + " begins another run with its settings");
        }
    }

    /**
     * Reads the experiment.
     *
     * @throws Refusal if the experiment is not there, or something is wrong with it
     */
    public ExperimentFile read(Workplace workplace) {
        return ExperimentFile.read(name, changes, surroundings(workplace));
    }

    /**
     * Reads the experiment to look at it: of the folder of a run, or its file, data is read only if the run does not remember it.
     *
     * @param others looks at the other files
     */
    Selected inspect(Workplace workplace, Function<ExperimentFile, Selected> others) {
        ExperimentFile file = read(workplace);
        Path named = workplace.path(name);
        Path folder = Files.isDirectory(named) ? named : named.toAbsolutePath().getParent();
        RunFolder run = new RunFolder(folder == null ? named : folder);
        boolean isOfRun = !isBuiltIn(workplace)
                && run.isRun()
                && (Files.isDirectory(named)
                        || named.toAbsolutePath().equals(run.experiment().toAbsolutePath()));
        if (!isOfRun) {
            return others.apply(file);
        }
        return Selected.ofRun(
                run, file, changes.isEmpty() ? file : ExperimentFile.read(name, List.of(), surroundings(workplace)));
    }
}
