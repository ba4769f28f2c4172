package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import hocket.schedulers.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Run folders that former versions wrote are read, also where they were moved to, and may not be written. */
@Tag("engine")
class FormerFormatsTest {
    private static final Path FORMER = Path.of("src/test/resources/hocket/former");
    private static final String MOVED = "ein Lauf für später";

    @TempDir
    private Path here;

    private Path moved(String run) throws IOException {
        Path from = FORMER.resolve(run);
        Path to = here.resolve(MOVED);
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Path place = to.resolve(from.relativize(each).toString());
                Files.createDirectories(Objects.requireNonNull(place.getParent()));
                Files.copy(each, place);
            }
        }
        return to;
    }

    @ParameterizedTest
    @CsvSource({
        "format-4/ring, 80, 82dee9daae4073e181a6bfec12a38793aca02f83f3c3b4c4ca28243a829964ec",
        "format-4/sac, 40, e1393c6764f429dd71bec957012322d148ca00cc3e342ae3f32debcc7112f86a"
    })
    void theyAreReadWhereverTheyAre(String run, long turns, String digest) throws IOException {
        Checkpoints.Found newest = Checkpoints.newest(moved(run).resolve("checkpoints"));
        assertThat(newest.number()).isEqualTo(turns);
        assertThat(newest.skipped()).isEmpty();
        assertThat(Ran.hocket(here, "digest", MOVED).out().strip()).isEqualTo(digest);
        assertThat(Ran.hocket(here, "eval", MOVED).status()).isZero();
    }

    @Test
    void oneThatIsGivenMoreRoundsGoesOn() throws IOException {
        Path moved = moved("format-4/ring");
        // Other kernels or threads than it was trained on may be all there are.
        Ran resumed = Ran.hocket(here, "run", MOVED, "--resume", "--force", "--set", "rounds=60", "--quiet");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(Checkpoints.newest(moved.resolve("checkpoints")).number()).isEqualTo(120);
    }

    @Test
    void whatMayNotBeWrittenIsReadAndRefusedToGoOnIn() throws IOException {
        Path moved = moved("format-4/ring");
        List<Path> folders;
        try (Stream<Path> all = Files.walk(moved)) {
            folders = all.filter(Files::isDirectory).toList();
        }
        try {
            for (Path folder : folders) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
            }
            assertThat(Ran.hocket(here, "digest", MOVED).status()).isZero();
            assertThat(Ran.hocket(here, "eval", MOVED).status()).isZero();
            assumeFalse(Files.isWritable(moved), "root may write everything");
            Ran refused = Ran.hocket(here, "run", MOVED, "--resume", "--set", "rounds=60", "--quiet");
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.err()).contains(MOVED).doesNotContain("\tat ");
        } finally {
            for (Path folder : folders) {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }
}
