package hocket.workbench.live.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live run deletes old checkpoints and pictures while the page reads them. */
class PublicFilesTest {
    private static final int READS = 20_000;

    @TempDir
    Path folder;

    @Test
    void aFolderThatIsDeletedMeanwhileHasNoNames() throws Exception {
        Path checkpoint = folder.resolve("00000800");
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> run = inBackground(done, () -> {
            Files.createDirectory(checkpoint);
            Files.delete(checkpoint);
        });
        try {
            for (int i = 0; i < READS; i++) {
                assertThat(PublicFiles.in(checkpoint)).isEmpty();
            }
        } finally {
            done.set(true);
            run.join();
        }
    }

    @Test
    void aFileThatIsDeletedMeanwhileIsMissing() throws Exception {
        Path picture = folder.resolve("000001.png");
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> run = inBackground(done, () -> {
            Files.writeString(picture, "png");
            Files.delete(picture);
        });
        try {
            for (int i = 0; i < READS; i++) {
                try {
                    assertThat(new String(PublicFiles.bytes(picture, 10), StandardCharsets.UTF_8))
                            .isIn("", "png");
                } catch (HttpError e) {
                    assertThat(e.status()).as(e.getMessage()).isEqualTo(404);
                }
            }
        } finally {
            done.set(true);
            run.join();
        }
    }

    @Test
    void aFileThatIsTooLargeIsRefused() throws Exception {
        Path picture = Files.writeString(folder.resolve("000001.png"), "png");
        assertThatThrownBy(() -> PublicFiles.bytes(picture, 2))
                .isInstanceOf(HttpError.class)
                .hasMessage("000001.png is too large to show: 3 bytes");
    }

    private interface Work {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inBackground(AtomicBoolean done, Work work) {
        return CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                try {
                    work.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
    }
}
