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
public record CommandContext(Terminal terminal, Path here) {
    /** What a person types to start this program. */
    public static String command() {
        return System.getProperty("hocket.command", "hocket");
    }

    /**
     * A command line that starts this program, to be pasted into a shell: what a shell would take for something else is in
     * quotes.
     *
     * @param words the arguments, such as {@code plot} and a folder
     */
    public static String command(Object... words) {
        StringBuilder line = new StringBuilder(quoted(command()));
        for (Object word : words) {
            line.append(' ').append(quoted(word.toString()));
        }
        return line.toString();
    }

    /** A word of a command line, in single quotes where a shell would not take it as it is. */
    public static String quoted(String word) {
        return word.matches("[\\p{L}\\p{N}_./:@%+,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Where files are read. */
    public ExperimentFile.Surroundings surroundings(List<String> jars) {
        return new ExperimentFile.Surroundings(
                here, jars.stream().map(this::path).toList(), System.getenv(), false, terminal::warn);
    }

    /** A path as a person gave it. */
    public Path path(String given) {
        return here.resolve(given);
    }
}
