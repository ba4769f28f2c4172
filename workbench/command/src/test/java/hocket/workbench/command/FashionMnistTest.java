package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real images of 28×28 in IDX files, where they are installed. */
@Tag("engine")
class FashionMnistTest {
    private static final Path DATA = Path.of("/usr/share/datasets/fashion-mnist");

    @Test
    void fashionGanTrainsOnDebiansFilesAndIsScored(@TempDir Path here) {
        assumeTrue(Files.isDirectory(DATA), "Debian's dataset-fashion-mnist is not installed");
        Ran ran = Ran.hocket(
                here,
                "run",
                "fashion-gan",
                "--set",
                "data=" + DATA,
                "--set",
                "images.images=120",
                "--set",
                "width=8",
                "--set",
                "epochs=1");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.err())
                .contains("frechet_distance", "classifier_confidence", "smallest_class", "image (1,28,28)");
    }
}
