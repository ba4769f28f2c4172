package hocket.workbench.runs;

import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;

/**
 * Where commands work.
 *
 * @param terminal who is spoken to
 * @param here what relative paths and the usual run folders are relative to
 */
public record Workplace(Terminal terminal, Path here) {
    /** What a person types to start this program. */
    public static String command() {
        return System.getProperty("hocket.command", "hocket");
    }

    /** Where files are read. */
    public ExperimentFile.Surroundings surroundings(List<String> jars) {
        return new ExperimentFile.Surroundings(
                here, jars.stream().map(this::path).toList(), System.getenv());
    }

    /** A path as a person gave it. */
    public Path path(String given) {
        return here.resolve(given);
    }
}
