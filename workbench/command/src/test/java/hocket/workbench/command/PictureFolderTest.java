package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.data.ImageGrid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was found in a folder of pictures, and what became of it, is said by a plan and at the start of a run. */
@Tag("engine")
class PictureFolderTest {
    @TempDir
    private Path here;

    @BeforeEach
    void makePictures() throws IOException {
        Files.createDirectory(here.resolve("images"));
        for (int i = 0; i < 9; i++) {
            float[] pixels = new float[3 * 12 * 16];
            Arrays.fill(pixels, 0, 12 * 16, (i + 1) / 10f);
            new ImageGrid(1, 0, 1).write(here.resolve("images").resolve(i + ".png"), pixels, 3, 12, 16);
        }
    }

    private Ran hocket(String command, String... more) {
        List<String> words = new ArrayList<>(List.of(command, "fashion-gan"));
        for (String change : List.of("data=images", "side=8", "batch=4", "latent=4", "width=2", "epochs=1")) {
            words.addAll(List.of("--set", change));
        }
        words.addAll(List.of(more));
        return Ran.hocket(here, words.toArray(String[]::new));
    }

    @Test
    void aPlanAndARunSayHowManyPicturesThereWereAndHowTheyWereFitted() throws IOException {
        for (Ran ran : List.of(hocket("plan"), hocket("run", "--out", "run"))) {
            assertThat(ran.status()).as(ran.err()).isZero();
            assertThat((ran.out() + ran.err()).replaceAll("\\s+", " "))
                    .contains("9 pictures found in ")
                    .contains("9 of 9 scaled to 8 x 8, 9 of them cropped to its proportions")
                    .contains("9 of 9 were in colour and became grey; channels: 3 keeps it");
        }
        Files.writeString(here.resolve("images").resolve("notes.png"), "no picture");
        Ran refused = hocket("plan");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("notes.png");
        Ran skipped = hocket("plan", "--set", "broken=skip");
        assertThat(skipped.status()).as(skipped.err()).isZero();
        assertThat(skipped.out().replaceAll("\\s+", " "))
                .contains("10 pictures found in ")
                .contains("1 broken picture left out: ");
    }
}
