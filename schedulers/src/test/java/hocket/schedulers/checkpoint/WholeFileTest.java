package hocket.schedulers.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.spy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are whole, or what they were. */
class WholeFileTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFileIsWrittenAndReplaced() throws IOException {
        Path file = folder.resolve("a.json");
        AtomicFile.write(file, "one");
        AtomicFile.write(file, "two".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(file).hasContent("two");
        assertThat(names()).containsExactly("a.json");
    }

    @Test
    void aWriteThatFailsAtAnyMomentLeavesWhatWasThereAndNothingBeside() throws IOException {
        Path file = folder.resolve("a.json");
        AtomicFile.Content half = beside -> {
            Files.writeString(beside, "ha");
            throw new IOException("No space left on device");
        };
        assertThatThrownBy(() -> AtomicFile.write(file, half)).hasMessage("No space left on device");
        assertThat(names()).isEmpty();
        AtomicFile.write(file, "before");
        assertThatThrownBy(() -> AtomicFile.write(file, half)).hasMessage("No space left on device");
        for (String step : List.of("force", "move")) {
            Disk full = spy(Disk.local());
            if (step.equals("force")) {
                doThrow(new IOException(step)).when(full).force(any());
            } else {
                doThrow(new IOException(step)).when(full).move(any(), any());
            }
            assertThatThrownBy(() -> AtomicFile.write(full, file, beside -> Files.writeString(beside, "after")))
                    .hasMessage(step);
        }
        assertThat(file).hasContent("before");
        assertThat(names()).containsExactly("a.json");
    }

    @Test
    void aLinkStaysOneAndWhatMayNotBeWrittenIsNotReplaced() throws IOException {
        Path file = Files.createFile(folder.resolve("a.json"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), file);
        AtomicFile.write(link, "through");
        assertThat(link).isSymbolicLink();
        assertThat(file).hasContent("through");
        AtomicFile.write(Path.of("/dev/null"), "away");
        assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
    }
}
