package hocket.workbench.sweeps.aggregates;

import hocket.workbench.files.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A folder of several seeds or a file of scores.
 *
 * @param name of the algorithm in place of the folder's own; null for that
 */
public record ScoreInput(Path path, @Nullable String name) {
    /**
     * Reads an input of the command line, {@code PATH} or {@code NAME=FOLDER}.
     *
     * @param resolved returns a path for its text
     */
    public static ScoreInput of(String text, Function<String, Path> resolved) {
        int equals = text.indexOf('=');
        return equals < 1 || Files.exists(resolved.apply(text))
                ? new ScoreInput(resolved.apply(text), null)
                : new ScoreInput(resolved.apply(text.substring(equals + 1)), text.substring(0, equals));
    }

    /** @throws UserError if something is wrong with it, in a line */
    List<RunScore> read(String score) {
        if (!Files.exists(path)) {
            throw new UserError(path + " does not exist: give folders of several seeds, or files of scores");
        }
        if (Files.isDirectory(path)) {
            return SeedFolder.read(path, score, name);
        }
        if (name != null) {
            throw new UserError(name + "=" + path + ": a file of scores names its algorithms itself");
        }
        return ScoreFile.read(path);
    }
}
