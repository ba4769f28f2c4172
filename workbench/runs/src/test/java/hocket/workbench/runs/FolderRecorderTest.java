package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import hocket.schedulers.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderRecorderTest {
    @Test
    void whatWouldSteerATerminalIsSpelledOutInTheLog(@TempDir Path here) {
        try (FolderRecorder recorder = FolderRecorder.into(here.resolve("run"))) {
            recorder.text(new Event.Position(3, 1, 0), "failed", "\033[31mred\u202e\n\tat my.World\r");
        }
        assertThat(here.resolve("run/log.txt"))
                .content()
                .endsWith("  turn 3  failed  \\u001b[31mred\\u202e\n\tat my.World\\u000d\n");
        assertThat(here.resolve("run/samples")).doesNotExist();
    }

    /** Figures are held back where the disk is full; a checkpoint that is newer than the figures on it would lose them. */
    @Test
    void figuresThatTheDiskHasNotTakenAreNotSaidToBeThere(@TempDir Path here) throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        Path run = Files.createDirectory(here.resolve("run"));
        Files.createSymbolicLink(run.resolve("metrics.jsonl"), full);
        FolderRecorder recorder = FolderRecorder.into(run);
        recorder.holdBack(why -> {});
        recorder.scalar(new Event.Position(3, 1, 0), "d", "loss", 0.5);
        recorder.flush();
        assertThatThrownBy(recorder::force)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageEndingWith("metrics.jsonl could not be written: No space left on device");
        assertThatThrownBy(recorder::close).isInstanceOf(UncheckedIOException.class);
        recorder.force(); // a file that is closed is as it is
    }

    /** One whose disk is full until there is room. */
    private static final class Crowded implements RunListener {
        private boolean hasRoom;

        @Override
        public void figure(Event.Position at, String series, double value) {}

        @Override
        public void picture(Event.Position at, String name) {}

        @Override
        public void line(String line) {}

        @Override
        public void flush() {
            if (!hasRoom) {
                throw new UncheckedIOException("events could not be written: full", new IOException("full"));
            }
        }
    }

    @Test
    void whatAWitnessCannotWriteStopsARunOrIsHeldBackAsItsFiguresAre(@TempDir Path here) {
        Crowded witness = new Crowded();
        List<String> said = new ArrayList<>();
        try (FolderRecorder recorder = FolderRecorder.into(here.resolve("run"))) {
            recorder.heardBy(witness);
            assertThatThrownBy(recorder::flush).hasMessage("events could not be written: full");
            recorder.holdBack(said::add);
            recorder.flush();
            recorder.flush();
            assertThat(said)
                    .containsExactly("events could not be written: full; metrics are buffered until writing succeeds");
            witness.hasRoom = true;
        }
    }
}
