package hocket.workbench.runs;

import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;

/**
 * The context of commands: a terminal and a folder.
 *
 * @param terminal prints to the person
 * @param here the folder to which relative paths and the usual run folders are relative
 */
public record CommandContext(Terminal terminal, Path here) {
    /** Returns the words that start this program. */
    public static String command() {
        return System.getProperty("hocket.command", "hocket");
    }

    /**
     * Returns a command line that starts this program, quoted for a shell.
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

    /** Returns a word of a command line, in single quotes if a shell would change it. */
    public static String quoted(String word) {
        return word.matches("[\\p{L}\\p{N}_./:@%+,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns the context in which files are read. */
    public ExperimentFile.Surroundings surroundings(List<String> jars) {
        return new ExperimentFile.Surroundings(
                here, jars.stream().map(this::path).toList(), System.getenv(), false, terminal::warn);
    }

    /** Returns a path that a person gave. */
    public Path path(String given) {
        return here.resolve(given);
    }
}
