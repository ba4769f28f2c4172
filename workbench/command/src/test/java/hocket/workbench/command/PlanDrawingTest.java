package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanDrawingTest {
    private static final Path IMAGES = Path.of(System.getProperty("hocket.root", "../.."), "docs/images");
    private static final Pattern TEXT = Pattern.compile("<text[^>]*>([^<]*)</text>");
    private static final Pattern TITLE = Pattern.compile("<title>([^<]*)</title>");

    @TempDir
    private Path here;

    @Test
    void aDrawingSaysWhichTurnWritesWhatAndWhichProgramReadsWhat() throws IOException {
        Ran ran = Ran.hocket(here, "plan", "tictactoe-selfplay", "--set", "opponents=2", "--out", "new/plans");
        assertThat(ran.status()).isZero();
        Path plans = here.resolve("new/plans");
        assertThat(ran.errLines())
                .containsExactly("wrote " + plans.resolve("plan.svg"), "wrote " + plans.resolve("plan.png"));
        assertThat(title(plans.resolve("plan.svg")))
                .isEqualTo("tictactoe-selfplay: collect writes nothing; update trains actor, critic; rate writes"
                        + " nothing; freeze-0 sets opponents/0/actor; freeze-1 sets opponents/1/actor; opponent-0"
                        + " reads opponents/0/actor; opponent-1 reads opponents/1/actor; act reads actor; evaluate"
                        + " reads actor, critic");
        assertThat(ImageIO.read(plans.resolve("plan.png").toFile()).getWidth()).isGreaterThan(1000);
    }

    @Test
    void aPlanWithoutOtherProgramsIsDrawnAndItsJsonStaysJson() throws IOException {
        Files.writeString(here.resolve("plain.yaml"), """
                include: gaussian-ring
                on: []
                samples: null
                evaluation: null
                """);
        Ran ran = Ran.hocket(here, "plan", "plain.yaml", "--json", "--out", ".");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out()).startsWith("{").endsWith("}" + System.lineSeparator());
        assertThat(title(here.resolve("plan.svg"))).isEqualTo("plain: d trains discriminator; g trains generator");
    }

    @Test
    void aFileInPlaceOfTheFolderIsRefusedBeforeAnythingIsPrinted() throws IOException {
        Files.writeString(here.resolve("taken"), "");
        Ran ran = Ran.hocket(here, "plan", "gaussian-ring", "--out", "taken");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.errLines())
                .containsExactly("hocket: " + here.resolve("taken") + " is a file: choose another --out");
    }

    /** The text of a picture depends on no font, unlike its size. */
    @ParameterizedTest
    @CsvSource({"tictactoe-selfplay, opponents=3", "pursuit-mappo, critic=joint", "pendulum-dreamer, seed=7"})
    void thePicturesOfThePagesAreOfThePlansAsTheyAre(String experiment, String set) throws IOException {
        assertThat(Ran.hocket(here, "plan", experiment, "--set", set, "--out", ".")
                        .status())
                .isZero();
        Path picture = IMAGES.resolve("plan-" + experiment + ".svg");
        assertThat(title(picture)).isEqualTo(title(here.resolve("plan.svg")));
        assertThat(texts(picture)).hasSizeGreaterThan(8).isEqualTo(texts(here.resolve("plan.svg")));
    }

    /** All texts: names of scopes, turns and programs, numbers of parameters, and the legend. */
    private static List<String> texts(Path picture) throws IOException {
        return TEXT.matcher(Files.readString(picture))
                .results()
                .map(text -> text.group(1))
                .toList();
    }

    private static String title(Path picture) throws IOException {
        Matcher title = TITLE.matcher(Files.readString(picture));
        assertThat(title.find()).isTrue();
        return title.group(1);
    }
}
