package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A run that was disturbed, beside one that was not. */
public final class SameRun {
    private SameRun() {}

    /** Whole state and figures are equal, and nothing half-written lies there. */
    public static void assertIsAs(Path whole, Path run) throws IOException {
        assertThat(Checkpoints.readLatest(run.resolve("checkpoints"))
                        .equals(Checkpoints.readLatest(whole.resolve("checkpoints"))))
                .as("the whole state")
                .isTrue();
        assertThat(metrics(run)).isEqualTo(metrics(whole)).isNotEmpty();
        try (Stream<Path> left = Files.walk(run)) {
            assertThat(left.map(Path::toString))
                    .noneMatch(name -> name.endsWith(".unfinished") || name.endsWith(".replaced"));
        }
    }

    /** Without the time of day, and interim points, which depend on it. */
    private static List<String> metrics(Path run) throws IOException {
        return Files.readAllLines(run.resolve("metrics.jsonl")).stream()
                .filter(line -> !line.contains("\"interim\":true"))
                .map(line -> line.replaceAll(",\"time\":[^,}]*", ""))
                .toList();
    }
}
