package hocket.workbench.sweeps;

import hocket.schedulers.checkpoint.FileWork;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.runs.AppendOnlyFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The results of a sweep's runs, kept on the disk after each run. Used by one thread at a time. */
final class Results implements AutoCloseable {
    private final Map<Run, Result> all = new HashMap<>();
    private final AppendOnlyFile file;
    private final Path path;

    /**
     * A run up to the end of a rung.
     *
     * @param trial its number
     * @param rung from 0 on
     */
    record Run(int trial, int rung, long seed) {}

    /**
     * The result of a run.
     *
     * @param value value of the objective; null if it failed
     * @param failed why it failed; null if it did not
     * @param seconds duration of its process
     */
    record Result(
            int trial,
            int rung,
            long seed,
            @Nullable Double value,
            @Nullable String failed,
            double seconds) {
        Run run() {
            return new Run(trial, rung, seed);
        }
    }

    /**
     * Reads existing results; an unfinished last line is dropped.
     *
     * @throws IllegalArgumentException if another line is damaged, naming it
     * @throws UncheckedIOException if it cannot be read or written
     */
    Results(Path path) {
        this.path = path;
        String text = SweepFolder.text(path);
        int end = text.lastIndexOf('\n') + 1;
        int number = 0;
        for (String line : text.substring(0, end).lines().toList()) {
            number++;
            try {
                add(JsonDocument.read(line, Result.class));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ":" + number + ": is not a result: " + e.getMessage(), e);
            }
        }
        if (end < text.length()) {
            SweepFolder.write(path, text.substring(0, end));
        }
        file = new AppendOnlyFile(path);
    }

    private void add(Result result) {
        all.put(result.run(), result);
    }

    /** Appends a result. */
    void put(Result result) {
        add(result);
        file.add((JsonDocument.line(result) + "\n").getBytes(StandardCharsets.US_ASCII));
        file.flush();
    }

    Optional<Result> of(Run run) {
        return Optional.ofNullable(all.get(run));
    }

    /** Returns whether a run has a value. */
    boolean anyHasValue() {
        return all.values().stream().anyMatch(result -> result.value() != null);
    }

    @Override
    public void close() {
        FileWork.run(path + " could not be closed", () -> file.close());
    }
}
