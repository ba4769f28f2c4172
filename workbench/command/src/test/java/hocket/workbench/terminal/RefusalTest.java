package hocket.workbench.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.gan.data.ImageGrid;
import hocket.workbench.command.Ran;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalTest {
    @TempDir
    Path here = Path.of("");

    @Test
    void anUnknownCommandNamesTheNearest() throws IOException {
        assertRefused("there is no command rum; did you mean run?", "rum");
        // What processes say to each other, slot, is not for people.
        assertRefused("there is no command slo; there is: plot", "slo");
    }

    @Test
    void aMissingCommandIsWrongUsage() throws IOException {
        assertRefused("a command is missing (hocket -h shows how)");
    }

    @Test
    void anUnknownOptionNamesTheNearest() throws IOException {
        assertRefused("there is no option --rsume; did you mean --resume?", "run", "digits-gan", "--rsume");
    }

    @Test
    void anUnknownExperimentNamesTheNearest() throws IOException {
        assertRefused("there is no experiment digits-gam; did you mean digits-gan?", "run", "digits-gam");
        assertRefused("there is no experiment digits-gam; did you mean digits-gan?", "plan", "digits-gam");
    }

    @Test
    void anUnknownSettingNamesTheNearest() throws IOException {
        assertRefused("there is no setting wdth; did you mean width?", "run", "digits-gan", "--set", "wdth=8");
        assertRefused("there is no setting wdth; did you mean width?", "plan", "digits-gan", "--set", "wdth=8");
    }

    @Test
    void aValueOfTheWrongTypeIsRefused() throws IOException {
        assertRefused(
                "network/width: must be a whole number from 1 to 4096, was wide",
                "run",
                "digits-gan",
                "--set",
                "width=wide");
        assertRefused(
                "seed: must be a whole number from -2^63 to 2^63 - 1, was 9223372036854775808",
                "run",
                "digits-gan",
                "--set",
                "seed=9223372036854775808");
        assertRefused("adam/beta1: must be a finite number from 0", "run", "digits-gan", "--set", "d.beta1=NaN");
    }

    @Test
    void aReadingOfWhatIsNotThereIsOneLineWhateverItWouldRead() throws IOException {
        assertRefused(
                "program draw reads nosuch/bn0/mean and 11 more, which nothing makes",
                "plan",
                "digits-gan",
                "--set",
                "reading.generator=nosuch");
    }

    @Test
    void aValueOutOfItsRangeIsRefused() throws IOException {
        assertRefused("feeds/digits/batch: must be a whole number from 1 to", "run", "digits-gan", "--set", "batch=0");
        assertRefused("1,797".replace(",", ""), "run", "digits-gan", "--set", "batch=1798");
    }

    @Test
    void aSettingWithoutAValueIsRefused() throws IOException {
        assertRefused("--set epochs: needs key=value", "run", "digits-gan", "--set", "epochs");
    }

    @Test
    void anOutputFolderThatHoldsSomethingIsRefusedAndLeftAsItWas() throws IOException {
        Files.createDirectories(here.resolve("mine"));
        Files.writeString(here.resolve("mine/notes.txt"), "keep");
        Ran ran = Ran.hocket(here, "run", "digits-gan", "--out", "mine");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("mine exists and is not empty").doesNotContain("--resume");
        assertThat(here.resolve("mine")).isDirectoryContaining("glob:**notes.txt");
        try (Stream<Path> files = Files.list(here.resolve("mine"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void anOutputThatIsAFileIsRefused() throws IOException {
        Files.writeString(here.resolve("mine"), "keep");
        Ran ran = Ran.hocket(here, "run", "digits-gan", "--out", "mine");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(here.resolve("mine")).hasContent("keep");
    }

    @Test
    void resumingWhatIsNoRunIsRefused() throws IOException {
        assertRefused("not a run folder: it has no experiment.yaml", "run", "digits-gan", "--resume");
    }

    @Test
    void aDataFolderThatIsMissingIsRefused() throws IOException {
        assertRefused(
                "there is no such folder of images", "run", "fashion-gan", "--set", "data=" + here.resolve("nowhere"));
    }

    @Test
    void aTruncatedIdxFileIsRefused(@TempDir Path data) throws IOException {
        ByteBuffer images = ByteBuffer.allocate(16 + 9 * 28 * 28 + 5);
        images.putInt(0x0803).putInt(10).putInt(28).putInt(28);
        Files.write(data.resolve("train-images-idx3-ubyte"), images.array());
        ByteBuffer labels = ByteBuffer.allocate(8 + 10);
        labels.putInt(0x0801).putInt(10);
        Files.write(data.resolve("train-labels-idx1-ubyte"), labels.array());
        Ran ran = assertRefused("train-images-idx3-ubyte", "run", "fashion-gan", "--set", "data=" + data);
        assertThat(ran.err()).contains("7840").contains("7061");
    }

    @Test
    void oneBrokenPictureInAFolderIsRefused(@TempDir Path data) throws IOException {
        ImageGrid grid = new ImageGrid(1, 0, 1);
        for (int i = 0; i < 3; i++) {
            grid.write(data.resolve("picture" + i + ".png"), new float[28 * 28], 1, 28, 28);
        }
        byte[] whole = Files.readAllBytes(data.resolve("picture1.png"));
        Files.write(data.resolve("picture1.png"), Arrays.copyOf(whole, whole.length - 20));
        assertRefused("picture1.png", "run", "fashion-gan", "--set", "data=" + data);
    }

    @Test
    void samplesNeedAFileOfAKnownKindInAFolderThatIsThere() throws IOException {
        assertRefused("must end in .npy, .png, .csv, .gif or /", "sample", "runs/x", "--count", "1", "--out", "x.jpg");
        assertRefused("there is no folder", "sample", "runs/x", "--count", "1", "--out", "no/x.npy");
        assertRefused("--count must be at least 1, was 0", "sample", "runs/x", "--count", "0", "--out", "x.npy");
        assertRefused("not a run folder", "sample", "runs/x", "--count", "1", "--out", "x.npy");
    }

    @Test
    void otherCommandsRefuseWhatIsNoRun() throws IOException {
        assertRefused("not a run folder", "eval", "runs/x");
        assertRefused("not a run folder", "digest", "runs/x");
        assertRefused("there is no benchmark dcgan/15; did you mean dcgan/16?", "bench", "dcgan/15");
    }

    @Test
    void theStackTraceComesOnlyWhenAskedFor() {
        assertThat(Ran.hocket(here, "run", "digits-gam").errLines()).hasSize(1);
        assertThat(Ran.hocket(here, "run", "digits-gam", "--trace").err()).contains("\tat hocket.workbench");
    }

    @ParameterizedTest
    @CsvSource({
        "false, 'Broken failed: java.lang.NullPointerException: nobody at home'",
        "true, 'failed, which is an error in a class that it names: java.lang.IllegalStateException: no graph today'"
    })
    void theStackTraceOfAClassThatFailsIsKept(boolean made, String message, @TempDir Path other) throws IOException {
        String toys = "hocket.workbench.testing.Toys";
        Path file = Files.writeString(other.resolve("broken.yaml"), "include: digits-gan\n");
        String network = "network={class: " + toys + ".Broken, made: " + made + "}";
        assertThat(assertRefused(message, "plan", file.toString(), "--set", network)
                        .err())
                .contains("network: ");
        Ran traced = Ran.hocket(here, "plan", file.toString(), "--set", network, "--trace");
        assertThat(traced.errLines().get(0)).endsWith(message);
        assertThat(traced.err()).contains("\tat " + toys + "$Broken.");
    }

    /** Exit status 2, one line on standard error, and nothing left behind. */
    private Ran assertRefused(String message, String... args) throws IOException {
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.err()).startsWith("hocket: ").contains(message);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        try (Stream<Path> left = Files.list(here)) {
            assertThat(left.toList()).isEqualTo(List.of());
        }
        return ran;
    }
}
