package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendOnlyFileTest {
    private static final int LINES = 100_000;

    @TempDir
    Path folder;

    @Test
    void linesAreWrittenSomeKilobytesAtOnceAfterThoseOfBefore() throws Exception {
        Path path = Files.writeString(folder.resolve("metrics.jsonl"), "before\n");
        int times = 0;
        try (AppendOnlyFile file = new AppendOnlyFile(path)) {
            for (int i = 0; i < LINES; i++) {
                if (file.add((i + "\n").getBytes(StandardCharsets.UTF_8))) {
                    times++;
                    file.flush();
                }
            }
            file.flush();
        }
        assertThat(times).isBetween(50, 100);
        assertThat(Files.readAllLines(path))
                .hasSize(LINES + 1)
                .startsWith("before", "0")
                .endsWith("99999");
    }

    /** A run that continues on a full disk must not spend its time on attempts to write all that it has. */
    @Test
    void attemptsOnAFullDiskGetRarer() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "this system has no full device");
        int times = 0;
        try (AppendOnlyFile file = new AppendOnlyFile(full)) {
            for (int i = 0; i < LINES; i++) {
                if (file.add((i + "\n").getBytes(StandardCharsets.UTF_8))) {
                    times++;
                    assertThatThrownBy(file::flush)
                            .isInstanceOf(UncheckedIOException.class)
                            .hasMessageStartingWith("/dev/full could not be written: ");
                }
            }
        }
        assertThat(times).isBetween(2, 10);
    }
}
