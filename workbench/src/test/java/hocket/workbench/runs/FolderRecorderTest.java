package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    /** One whose disk is full until there is room. */
    private static final class Crowded implements Witness {
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
            recorder.witnessedBy(witness);
            assertThatThrownBy(recorder::flush).hasMessage("events could not be written: full");
            recorder.holdBack(said::add);
            recorder.flush();
            recorder.flush();
            assertThat(said).containsExactly("events could not be written: full; figures are held back until it can");
            witness.hasRoom = true;
        }
    }
}
