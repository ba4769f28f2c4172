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
    void aFolderThatIsDeletedMeanwhileHasNoNames() {
        Path checkpoint = folder.resolve("00000800");
        readWhile(
                () -> {
                    Files.createDirectory(checkpoint);
                    Files.delete(checkpoint);
                },
                () -> assertThat(PublicFiles.in(checkpoint)).isEmpty());
    }

    @Test
    void aFileThatIsDeletedMeanwhileIsMissing() {
        Path picture = folder.resolve("000001.png");
        readWhile(
                () -> {
                    Files.writeString(picture, "png");
                    Files.delete(picture);
                },
                () -> {
                    try {
                        assertThat(new String(PublicFiles.bytes(picture, 10), StandardCharsets.UTF_8))
                                .isIn("", "png");
                    } catch (HttpError e) {
                        assertThat(e.status()).as(e.getMessage()).isEqualTo(404);
                    }
                });
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

    /** Reads again and again while another thread changes the folder. */
    private static void readWhile(Work change, Runnable read) {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> {
            while (!done.get()) {
                try {
                    change.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
        try {
            for (int i = 0; i < READS; i++) {
                read.run();
            }
        } finally {
            done.set(true);
            run.join();
        }
    }
}
