package hocket.workbench.sweeps.aggregates;

import hocket.workbench.files.UserError;
import java.nio.file.Path;
import java.util.List;

/** A file of scores with the columns {@code algorithm}, {@code task}, {@code seed} and {@code score}, separated by tabs. */
final class ScoreFile {
    private static final String ALGORITHM = "algorithm";
    private static final String TASK = "task";
    private static final String SEED = "seed";
    private static final String SCORE = "score";

    /** The columns. */
    static final List<String> COLUMNS = List.of(ALGORITHM, TASK, SEED, SCORE);

    private ScoreFile() {}

    /** @throws UserError if the file is not such a file, naming the line */
    static List<RunScore> read(Path file) {
        return TabSeparatedFile.read(file, COLUMNS).rows().stream()
                .map(row -> new RunScore(
                        row.text(ALGORITHM), row.text(TASK), row.whole(SEED), row.number(SCORE), row.place()))
                .toList();
    }
}
