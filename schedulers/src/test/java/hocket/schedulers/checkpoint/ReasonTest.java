package hocket.schedulers.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonTest {
    @TempDir
    Path folder = Path.of("");

    private static String reason(ThrowingCallable refused) {
        return DiskFailureText.of(catchThrowableOfType(IOException.class, refused));
    }

    @Test
    void aDiskSaysWhyAndNotOnlyWhat() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(reason(() -> Files.writeString(folder, "text"))).isEqualTo("Is a directory");
        assertThat(reason(() -> Files.readString(folder))).isEqualTo("Is a directory");
        assertThat(reason(() -> Files.createDirectories(file.resolve("below")))).isEqualTo("Not a directory");
        assertThat(reason(() -> Files.createDirectories(file))).isEqualTo(file + " is a file, or a broken link");
        assertThat(reason(() -> Files.readString(folder.resolve("no"))))
                .isEqualTo("there is no " + folder.resolve("no"));
        assertThat(reason(() -> Files.list(file))).isEqualTo("not a directory");
        assertThat(reason(() -> Files.delete(folder))).isEqualTo("a directory that is not empty");
        assertThat(DiskFailureText.of(new AccessDeniedException("a.npy"))).isEqualTo("permission denied");
        assertThat(DiskFailureText.of(new FileSystemException("a.npy", null, "Read-only file system")))
                .isEqualTo("Read-only file system");
        assertThat(DiskFailureText.of(new FileNotFoundException("/a (b)/c.png (Permission denied)")))
                .isEqualTo("Permission denied");
        assertThat(DiskFailureText.of(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
    }

    @Test
    void whatCannotBeLookedAtIsNotMissing() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(DiskFailureText.hiding(file)).isEmpty();
        assertThat(DiskFailureText.hiding(folder.resolve("no"))).isEmpty();
        assertThat(DiskFailureText.hiding(file.resolve("below"))).contains("Not a directory");
        assertThat(DiskFailureText.hiding(folder.resolve("n".repeat(300)))).contains("File name too long");
    }
}
