package hocket.schedulers.feeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginTest {
    /** As {@code printf abc | sha256sum} says. */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @TempDir
    Path here;

    @Test
    void aFileAndAResourceOfOneContentHaveTheDigestThatSha256sumSays() throws IOException {
        Path file = Files.writeString(here.resolve("a.txt"), "abc");
        assertThat(DataFingerprint.of(file)).isEqualTo(new DataFingerprint("a.txt", file.toString(), 3, ABC));
        DataFingerprint resource = DataFingerprint.of("a.txt", "abc".getBytes(StandardCharsets.UTF_8));
        assertThat(resource.sha256()).isEqualTo(ABC);
    }

    @Test
    void filesOfAFolderAreOneThingWhateverTheFolderIsCalledAndHoweverTheyAreListed() throws IOException {
        DataFingerprint one = folder("one", "ab", "c");
        assertThat(one.name()).isEqualTo("2 files");
        assertThat(one.bytes()).isEqualTo(3);
        assertThat(folder("two", "ab", "c").sha256()).isEqualTo(one.sha256());
        Path y = here.resolve("one/y");
        Path x = here.resolve("one/x");
        assertThat(DataFingerprint.of(here.resolve("one"), List.of(y, x))).isEqualTo(one);
    }

    @Test
    void anotherContentNameOrBorderBetweenFilesIsAnotherDigest() throws IOException {
        String sum = folder("one", "ab", "c").sha256();
        assertThat(folder("two", "a", "bc").sha256()).isNotEqualTo(sum);
        assertThat(folder("three", "ab", "d").sha256()).isNotEqualTo(sum);
        Files.move(here.resolve("one/y"), here.resolve("one/z"));
        Path folder = here.resolve("one");
        assertThat(DataFingerprint.of(folder, List.of(folder.resolve("x"), folder.resolve("z")))
                        .sha256())
                .isNotEqualTo(sum);
    }

    @Test
    void aFileThatIsGoneIsNamed() {
        assertThatThrownBy(() -> DataFingerprint.of(here.resolve("gone")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("gone cannot be read: there is no ");
    }

    private DataFingerprint folder(String name, String x, String y) throws IOException {
        Path folder = Files.createDirectory(here.resolve(name));
        return DataFingerprint.of(
                folder, List.of(Files.writeString(folder.resolve("x"), x), Files.writeString(folder.resolve("y"), y)));
    }
}
