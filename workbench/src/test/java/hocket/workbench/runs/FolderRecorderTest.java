package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.schedulers.Event;
import java.nio.file.Path;
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
}
