package hocket.workbench.runs.plans;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.command.Ran;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code plan} says of the experiments that Hocket brings along: a warning that their author ignores is a wrong one. */
class BuiltInPlansTest {
    @TempDir
    private static Path here = Path.of("");

    /** What must be set before an experiment can be planned. */
    private static final Map<String, String> NEEDED = Map.of(
            "fashion-gan", "data=images",
            "fashion-r3gan", "data=images",
            "fashion-sngan", "data=labelled",
            "fashion-wgan-gp", "data=images");

    @BeforeAll
    static void makePictures() throws IOException {
        Path images = Files.createDirectory(here.resolve("images"));
        Path labelled = Files.createDirectory(here.resolve("labelled"));
        for (int i = 0; i < 70; i++) { // a batch
            Path ofClass = Files.createDirectories(labelled.resolve("class" + i % 10));
            for (Path folder : List.of(images, ofClass)) {
                ImageIO.write(
                        new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY),
                        "png",
                        folder.resolve(i + ".png").toFile());
            }
        }
    }

    static List<String> builtIn() {
        return Ran.hocket(Path.of(""), "list").outLines().stream()
                .map(line -> line.split(" ", 2)[0])
                .filter(name -> !name.equals("tiny-gan")) // one of these tests
                .toList();
    }

    @Test
    void thereAreSome() {
        assertThat(builtIn())
                .contains("digits-gan", "fashion-gan", "cartpole-ppo")
                .hasSizeGreaterThan(15);
    }

    @ParameterizedTest
    @MethodSource("builtIn")
    void noneLooksWrongAndNoneShowsANameThatNobodyGave(String name) {
        Ran ran = NEEDED.containsKey(name)
                ? Ran.hocket(here, "plan", name, "--set", NEEDED.get(name))
                : Ran.hocket(here, "plan", name);
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("nothing looks wrong").doesNotContain("warnings");
        assertThat(ran.out()).doesNotContainPattern("(add|mean|scale|negate|tanh|stop_gradient)_[0-9]");
        assertThat(ran.out()).doesNotContainPattern("(Every|Above|Below|At)[A-Za-z]*\\[");
    }

    @Test
    void turnsThatAreTakenLessOftenBecauseOthersRepeatAreCounted() {
        assertThat(budget("digits-gan", "repeat=3"))
                .contains("680 epochs of digits: 6,347 rounds, 31,735 turns: d 19,041, g 6,347, ema 6,347")
                .contains("an epoch has 3 times fewer rounds than with one draw: g, ema are taken as often with 2,040"
                        + " epochs");
        assertThat(budget("digits-gan", "repeat=1"))
                .contains("680 epochs of digits: 19,040 rounds, 57,120 turns ")
                .doesNotContain("fewer");
    }

    @Test
    void aScheduleThatIsTheWholePlanMakesEveryTurnARound() {
        assertThat(budget("gaussian-ring", "plan={random: {d: 5, g: 1}, of: [d, g]}", "rounds=10000"))
                .contains("10,000 rounds, 10,000 turns: d 8,3", ", g 1,6")
                .contains(
                        "a round is one turn, since a schedule is the whole plan; {repeat: 6, of: {…}} around it makes six"
                                + " turns a round");
    }

    @Test
    void conditionsAreSaidInWords() {
        String text = budget(
                "gaussian-ring",
                "on=[{every: {turns: 997}, do: [save]}]",
                "plan={sequence: [d, {when: {below: {metric: d/loss, value: 0.4, window: 5}}, of: g}]}");
        assertThat(text)
                .contains("save every 997 turns")
                .contains("sequence(d, when(the mean of the last 5 of d/loss is below 0.4, g))");
    }

    /** What a plan says, in one line. */
    private static String budget(String name, String... changes) {
        String[] arguments = new String[2 + 2 * changes.length];
        arguments[0] = "plan";
        arguments[1] = name;
        for (int i = 0; i < changes.length; i++) {
            arguments[2 + 2 * i] = "--set";
            arguments[3 + 2 * i] = changes[i];
        }
        Ran ran = Ran.hocket(here, arguments);
        assertThat(ran.status()).as(ran.err()).isZero();
        return ran.out().replaceAll("\\s+", " ");
    }
}
