package hocket.workbench.commands;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.runs.Workplace;
import java.util.ArrayList;
import java.util.List;
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

    /** The same of another experiment. */
    ExperimentArguments of(String other) {
        ExperimentArguments arguments = new ExperimentArguments();
        arguments.name = other;
        arguments.changes = changes;
        arguments.jars = jars;
        return arguments;
    }

    String name() {
        return name;
    }

    List<String> jars() {
        return jars;
    }

    List<String> changes() {
        return changes;
    }

    /** What is changed beside what was asked for. */
    List<String> changes(List<String> more) {
        List<String> all = new ArrayList<>(changes);
        all.addAll(more);
        return all;
    }

    ExperimentFile.Surroundings surroundings(Workplace workplace) {
        return workplace.surroundings(jars);
    }

    /** @throws hocket.workbench.terminal.Refusal if the experiment is not there, or something is wrong with it */
    ExperimentFile read(Workplace workplace) {
        return ExperimentFile.read(name, changes, surroundings(workplace));
    }
}
