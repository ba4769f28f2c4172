package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.Event;
import hocket.schedulers.commands.Command;
import hocket.schedulers.commands.Steering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    private Path here;

    private static Steering.Applied command(long number) {
        return new Steering.Applied(number, new Event.Position(3, 1, 0), new Command.Pause(), "api");
    }

    @Test
    void theNameOfTheFileIsOnTheDeviceBeforeTheFirstCommandIsDone() throws IOException {
        List<String> forced = new ArrayList<>();
        RunFolder folder = new RunFolder(here);
        Journal journal = new Journal(folder, InstantSource.system(), file -> forced.add(Files.readString(file)));
        journal.write(command(1));
        journal.write(command(2));
        assertThat(forced).hasSize(1);
        assertThat(forced.get(0))
                .isNotEmpty()
                .isEqualTo(Files.readAllLines(folder.journal()).get(0) + "\n");
    }

    @Test
    void aCommandWhoseFileMayNotBeThereAfterALossOfPowerIsNotDone() {
        RunFolder folder = new RunFolder(here);
        Journal journal = new Journal(folder, InstantSource.system(), file -> {
            throw new IOException("Input/output error");
        });
        assertThatThrownBy(() -> journal.write(command(1)))
                .hasMessageEndingWith(
                        "journal.jsonl could not be written, so the command was not applied: Input/output error");
        assertThat(Journal.read(folder.journal())).isEmpty();
    }
}
