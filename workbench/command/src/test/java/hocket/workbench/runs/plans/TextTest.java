package hocket.workbench.runs.plans;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.gan.data.ImageGrid;
import hocket.programs.Program;
import hocket.programs.json.ProgramJson;
import hocket.scopes.Shape;
import hocket.workbench.command.Ran;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
    @TempDir
    Path here = Path.of("");

    @Test
    void theListNamesEveryExperimentInALine() {
        Ran ran = Ran.hocket(here, "list");
        assertThat(ran.status()).isZero();
        assertThat(ran.outLines())
                .extracting(line -> line.split(" ", 2)[0])
                .containsExactly(
                        "acrobot-impala",
                        "acrobot-ppo",
                        "asterix-ppo",
                        "breakout-ppo",
                        "breakout-rainbow",
                        "cartpole-a2c",
                        "cartpole-dqn",
                        "cartpole-es",
                        "cartpole-gail",
                        "cartpole-impala",
                        "cartpole-memory",
                        "cartpole-ppo",
                        "cartpole-qr-dqn",
                        "cartpole-r2d2",
                        "cartpole-rainbow",
                        "cartpole-sac",
                        "connectfour-ppo",
                        "connectfour-selfplay",
                        "digits-autoencoder-classifier",
                        "digits-conditional",
                        "digits-cyclegan",
                        "digits-gan",
                        "digits-gan-plain",
                        "digits-infogan",
                        "digits-vaegan",
                        "fashion-gan",
                        "fashion-r3gan",
                        "fashion-sngan",
                        "fashion-wgan-gp",
                        "frozenlake-q",
                        "gaussian-ring",
                        "grid",
                        "half-and-half",
                        "lunarlander-ppo",
                        "mountaincar-dqn",
                        "mountaincar-sac",
                        "moving-ring",
                        "pages-preferences",
                        "pendulum-cem",
                        "pendulum-ddpg",
                        "pendulum-dreamer",
                        "pendulum-sac",
                        "pendulum-td3",
                        "penguins",
                        "pursuit-mappo",
                        "stacked-digits",
                        "taxi-ppo",
                        "tictactoe-selfplay",
                        "tiny-gan");
        assertFits(ran.outLines());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "run", "list", "plan", "explain", "sample", "eval", "digest", "diff", "verify", "bench", "doctor",
                "new"
            })
    void helpFitsATerminalAndShowsAnExample(String command) {
        Ran ran = command.isEmpty() ? Ran.hocket(here, "-h") : Ran.hocket(here, command, "-h");
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("For example:", "  hocket " + command);
        assertFits(ran.outLines());
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(Ran.hocket(here, "--version").out()).matches("hocket \\d+\\.\\d+\\.\\S+, Java .*\\R");
    }

    @ParameterizedTest
    @CsvSource({
        "plan, digits-gan",
        "plan, digits-gan-plain",
        "plan, digits-conditional",
        "plan, gaussian-ring",
        "plan, digits-autoencoder-classifier",
        "plan, half-and-half",
        "explain, digits-gan",
        "explain, digits-gan-plain",
        "explain, digits-conditional",
        "explain, gaussian-ring",
        "explain, digits-autoencoder-classifier",
        "explain, half-and-half"
    })
    void plansAndExplanationsFitATerminal(String command, String name) {
        Ran ran = Ran.hocket(here, command, name);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.status()).isZero();
        assertFits(ran.outLines());
    }

    @Test
    void aPlanOfPicturesFitsATerminal(@TempDir Path data) {
        ImageGrid grid = new ImageGrid(1, 0, 1);
        for (int i = 0; i < 3; i++) {
            grid.write(data.resolve("picture" + i + ".png"), new float[3 * 28 * 28], 3, 28, 28);
        }
        Ran ran = Ran.hocket(
                here, "plan", "fashion-gan", "--set", "data=" + data, "--set", "channels=3", "--set", "batch=2");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("image (batch,3,28,28)", "1 draw an epoch");
        assertFits(ran.outLines().stream()
                .filter(line -> !line.contains(data.toString()))
                .toList());
    }

    @Test
    void aPlanSaysWhoDoesWhat() {
        Ran ran = Ran.hocket(here, "plan", "digits-gan", "--set", "repeat=2", "--set", "epochs=500");
        assertThat(ran.out())
                .contains("discriminator  TRAIN from image (batch,1,8,8), noise (batch,64)")
                .contains("error_rate")
                .containsPattern("writes generator/\\*\\* \\(12 arrays, [\\d,]+ numbers\\)")
                .containsPattern("writes ema/generator/\\*\\* \\(12 arrays")
                .containsPattern("ema/generator +12 +[\\d,]+ +\\d+ kB +\\[draw] +ema\\R")
                .contains("discriminator  of generator; gradients flow back in program generator, none in")
                .contains("discriminator, draw       separate; turn ema carries weights from one to the")
                .contains("no path is written by two turns")
                .contains("64 rows for each turn that reads it, 28 draws an epoch")
                .contains("500 epochs of digits: 7,000 rounds, 28,000 turns")
                .contains("  d    ##..|##..|##..|", "  g    ..#.|..#.|..#.|", "  ema  ...#|...#|...#|")
                .endsWith("nothing looks wrong\n");
    }

    @ParameterizedTest
    @CsvSource({
        "plan, digits-gan",
        "plan, digits-autoencoder-classifier",
        "explain, digits-gan",
        "explain, half-and-half"
    })
    void plansAndExplanationsAreJsonWhenAskedFor(String command, String name) {
        Ran ran = Ran.hocket(here, command, name, "--json");
        assertThat(ran.status()).isZero();
        JsonNode json = Parsed.document(ran.out());
        assertThat(json.path("name").textValue()).isEqualTo(name);
        assertThat(json.path("programs")).isNotEmpty();
    }

    @Test
    void oneProgramIsExplainedByItsName() {
        Ran ran = Ran.hocket(here, "explain", "digits-gan", "--program", "generator");
        assertThat(ran.out())
                .contains("generator: TRAIN for turn g on 64 rows")
                // 64·512 weights, each multiplied and added, and again for their gradients
                .containsPattern("project +dense +\\(512\\) +32,768 +65\\.5k +65\\.5k +2,048\\R")
                // from 128·2·2 inputs to 64 filters of 4·4, and by input and weight
                .containsPattern("conv1 +conv_transpose +\\(64,4,4\\) +131,072 +1\\.05M +2\\.10M +4,096\\R")
                .doesNotContain("draw: EVAL");
        Ran none = Ran.hocket(here, "explain", "digits-gan", "--program", "generato");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("there is no program generato; did you mean generator?");
    }

    @Test
    void aProgramIsWrittenAsJsonThatCanBeReadAgain() throws IOException {
        Ran ran = Ran.hocket(here, "explain", "digits-gan", "--program", "generator", "--write", "g.json");
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("wrote ").contains("g.json");
        String text = Files.readString(here.resolve("g.json"));
        Program read = ProgramJson.read(text);
        assertThat(read.name()).isEqualTo("generator");
        assertThat(read.graph().value("generator/conv1").shape()).isEqualTo(Shape.of(64, 4, 4));
        assertThat(ProgramJson.write(read)).isEqualTo(text);
        Ran again = Ran.hocket(here, "explain", "digits-gan", "--program", "generator", "--write", "g.json");
        assertThat(again.status()).isEqualTo(2);
        assertThat(again.err()).contains("g.json exists");
        Ran which = Ran.hocket(here, "explain", "digits-gan", "--write", "h.json");
        assertThat(which.status()).isEqualTo(2);
        assertThat(which.err()).contains("--write: needs --program");
        assertThat(here.resolve("h.json")).doesNotExist();
    }

    @Test
    void aPlanSaysHowWeightsAreMoved() {
        assertThat(Ran.hocket(here, "plan", "digits-gan-plain").out())
                .contains("trains discriminator/** by adam, rate 0.0002, beta1 0.5, beta2 0.999");
    }

    @Test
    void signsThatATerminalLacksAreSpelledOut() {
        java.io.StringWriter err = new java.io.StringWriter();
        Terminal terminal = new Terminal(
                new java.io.PrintWriter(err),
                new java.io.PrintWriter(err),
                java.nio.charset.StandardCharsets.US_ASCII,
                false,
                80);
        terminal.remark("8×8 ≥ 1…");
        assertThat(err.toString().strip()).isEqualTo("8x8 >= 1...");
    }

    private static void assertFits(List<String> lines) {
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    }
}
