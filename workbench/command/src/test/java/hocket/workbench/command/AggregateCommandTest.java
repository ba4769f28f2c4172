package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.testing.json.Parsed;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AggregateCommandTest {
    private static final String HEADER = "algorithm\ttask\tseed\tscore\n";
    private static final String SCORES = "# of another program\n" + HEADER + """
        Ppo	CartPole-v1	1	490
        Ppo	CartPole-v1	2	500

        Ppo	Pendulum-v1	1	-200
        Ppo	Pendulum-v1	2	-180
        Ppo	Pendulum-v1	3	-190
        A2c	CartPole-v1	1	200
        A2c	CartPole-v1	2	500
        A2c	Pendulum-v1	1	-1000
        A2c	Pendulum-v1	2	-1200
        """;
    private static final String RANGES = """
        task	low	high
        CartPole-v1	0	500
        Pendulum-v1	-1200	-200
        """;

    @TempDir
    private Path here;

    @BeforeEach
    void writeFiles() throws IOException {
        write("scores.tsv", SCORES);
        write("ranges.tsv", RANGES);
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(here.resolve(name), text);
    }

    private Ran ran(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "aggregate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Ran ran = Ran.hocket(here, all);
        assertThat(ran.status()).as(ran.err()).isZero();
        if (!List.of(arguments).contains("--json")) {
            assertThat(ran.outLines()).allMatch(line -> line.length() <= 80);
        }
        return ran;
    }

    /** Makes a folder of seeds as {@code hocket run --seeds} does. */
    private void seeds(String name, String algorithm, String values) throws IOException {
        Path folder = Files.createDirectories(here.resolve(name + "/seed-7"));
        Files.writeString(folder.resolve("experiment.yaml"), "name: x\nseed: 7\n" + algorithm);
        write(name + "/seeds.json", """
            {"experiment": "x", "seeds": [7, 8], "scores": {
              "return_mean": {"values": VALUES, "mean": 1, "standard_deviation": 1, "mean_low": 0, "mean_high": 2},
              "episodes": {"values": [3, 4], "mean": 3.5, "standard_deviation": null, "mean_low": null, "mean_high": null}}}
            """.replace("VALUES", values));
    }

    @Test
    void algorithmsAreComparedOnAllTasks() {
        Ran ran = ran("scores.tsv");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.outLines().get(0)).isEqualTo("score, 95 % intervals of 10,000 bootstrap samples over seeds");
        assertThat(ran.outLines())
                .anyMatch(line -> line.matches(" +tasks +runs +IQM +95 % interval +median +mean"))
                .anyMatch(line -> line.matches("Ppo +2 +5 +40.00 +.* to .* +152.50 +152.50"))
                .anyMatch(line -> line.matches("A2c +2 +4 +-400.00 +.* to .* +-375.00 +-375.00"))
                .anyMatch(line -> line.matches("Ppo over A2c +0.8125 +0.5000 to 1.0000"));
        assertThat(ran.out()).endsWith("not normalised: tasks with large scores count most; see --range\n");
    }

    @Test
    void rangesNormaliseTheScoresOfEachTask() {
        Ran ran = ran("scores.tsv", "--range", "ranges.tsv");
        assertThat(ran.out()).startsWith("normalised score, ").doesNotContain("not normalised");
        assertThat(ran.outLines())
                .anyMatch(line -> line.matches("Ppo +2 +5 +1.0033 +.* to .* +1.0000 +1.0000"))
                .anyMatch(line -> line.matches("A2c +2 +4 +0.3000 +.* to .* +0.4000 +0.4000"));
    }

    @Test
    void algorithmsAndTasksAreSelected() throws IOException {
        write("scores.tsv", SCORES + "Random\tPendulum-v1\t0\t-1300\n");
        assertThat(refused("scores.tsv")).contains("Random has no scores of task CartPole-v1");
        assertThat(ran("scores.tsv", "--task", "Pendulum-v1").outLines())
                .anyMatch(line -> line.matches("Ppo +1 +3 +-190.00 .*"))
                .anyMatch(line -> line.matches("Random +1 +1 +-1300.00 .*"));
        assertThat(ran("scores.tsv", "--algorithm", "Ppo", "--algorithm", "A2c").out())
                .isEqualTo(ran(
                                "scores.tsv",
                                "--task",
                                "Pendulum-v1",
                                "--task=CartPole-v1",
                                "--algorithm=A2c",
                                "--algorithm=Ppo")
                        .out())
                .doesNotContain("Random");
        assertThat(ran("scores.tsv", "--range", "ranges.tsv", "--task", "CartPole-v1")
                        .out())
                .startsWith("normalised score")
                .contains("Ppo over A2c")
                .doesNotContain("Random");
        assertThat(refused("scores.tsv", "--task", "CartPole-v2"))
                .isEqualTo("--task: no score is of CartPole-v2; did you mean CartPole-v1?");
        assertThat(refused("scores.tsv", "--algorithm", "PPO"))
                .isEqualTo("--algorithm: no score is of PPO; did you mean Ppo?");
        assertThat(refused("scores.tsv", "--algorithm", "Random", "--task", "CartPole-v1"))
                .isEqualTo("--algorithm, --task: no algorithm of Random has a score of CartPole-v1");
    }

    @Test
    void neitherTheOrderOfRowsNorThatOfTheFilesChangesAnInterval() throws IOException {
        String[] rows = SCORES.split("\n");
        StringBuilder reversed = new StringBuilder("\uFEFFscore\tseed\ttask\tsteps\talgorithm\r\n");
        for (int i = rows.length - 1; i > 1; i--) {
            String[] cells = rows[i].split("\t");
            if (cells.length == 4) {
                reversed.append(String.join("\t", cells[3], cells[2], cells[1], "9", cells[0]))
                        .append("\r\n");
            }
        }
        write("reversed.tsv", reversed.toString());
        assertThat(ran("reversed.tsv").outLines())
                .contains(ran("scores.tsv").outLines().stream()
                        .filter(line -> line.startsWith("Ppo "))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void foldersOfSeedsSayAlgorithmAndTask() throws IOException {
        seeds("ppo", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[490, 500]");
        seeds("gail", "algorithm: {class: hocket.rl.algorithms.Gail, agent: {environment: CartPole-v1}}\n", "[10, 20]");
        seeds("own", "algorithm: {class: my.Agent, environment: CartPole-v1}\n", "[5, 5]");
        write("more.tsv", HEADER + "Random\tCartPole-v1\t1\t22\n");
        Ran ran = ran("ppo", "gail", "own", "more.tsv");
        assertThat(ran.outLines().get(0)).startsWith("return_mean, 95 % intervals");
        assertThat(ran.outLines())
                .anyMatch(line -> line.matches("Ppo +1 +2 +495.00 +490.00 to 500.00 +495.00 +495.00"))
                .anyMatch(line -> line.matches("Gail +1 +2 +15.00 +10.00 to 20.00 .*"))
                .anyMatch(line -> line.matches("my.Agent +1 +2 +5.00 +5.00 to 5.00 .*"));
        assertThat(ran.out())
                .endsWith("some tasks have one seed, so intervals are too narrow\n")
                .doesNotContain("not normalised");
        assertThat(ran("ppo", "--score", "episodes").outLines())
                .anyMatch(line -> line.matches("Ppo +1 +2 +3.5000 +3.0000 to 4.0000 .*"));
    }

    @Test
    void largeNumbersFitATerminal() throws IOException {
        String scores = SCORES.replace("Ppo", "an.algorithm.of.somebody.else.with.a.long.name.for.Ppo");
        write("large.tsv", scores.replaceAll("(?m)(\\d)$", "$1e12"));
        assertThat(ran("large.tsv").outLines())
                .anyMatch(line -> line.matches("A2c +2 +4 +-4.000e\\+14 +-.*e\\+.. to .*e\\+.. +-3.750e\\+14 .*"));
    }

    @Test
    void theDocumentHasAllOfIt() {
        JsonNode document = Parsed.document(ran("scores.tsv", "--json").out());
        assertThat(document.get("normalised").booleanValue()).isFalse();
        assertThat(document.get("tasks")).hasSize(2);
        JsonNode ppo = document.get("algorithms").get(0);
        assertThat(ppo.get("name").textValue()).isEqualTo("Ppo");
        assertThat(ppo.get("fewest_seeds").intValue()).isEqualTo(2);
        assertThat(ppo.get("iqm").get("value").doubleValue()).isEqualTo(40);
        assertThat(ppo.get("iqm").get("low").doubleValue())
                .isLessThan(ppo.get("iqm").get("high").doubleValue());
        assertThat(ppo.get("profile").get("share").get(0).doubleValue()).isEqualTo(1);
        assertThat(ppo.get("profile").get("share").get(100).doubleValue()).isZero();
        assertThat(document.get("thresholds")).hasSize(101);
        assertThat(document.get("improvements")
                        .get(0)
                        .get("probability")
                        .get("value")
                        .doubleValue())
                .isEqualTo(0.8125);
    }

    @Test
    void aFolderGetsTheDocumentAndThePicture() throws IOException {
        Ran ran = ran("scores.tsv", "--range", "ranges.tsv", "--out", "new/comparison");
        Path folder = here.resolve("new/comparison");
        assertThat(ran.errLines())
                .containsExactly(
                        "wrote " + folder.resolve("aggregate.json"),
                        "wrote " + folder.resolve("aggregate.svg"),
                        "wrote " + folder.resolve("aggregate.png"));
        assertThat(Files.readString(folder.resolve("aggregate.json")))
                .isEqualTo(ran("scores.tsv", "--range", "ranges.tsv", "--json").out());
        BufferedImage image = ImageIO.read(folder.resolve("aggregate.png").toFile());
        assertThat(image.getWidth()).isEqualTo(2240);
        assertThat(Files.readString(folder.resolve("aggregate.svg"))).contains(">Ppo<", ">A2c<", "normalised score");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "algorithm,task,score;Ppo,a,1 | :1: there is no column seed: the header must have algorithm, task,"
                        + " seed, score, separated by tabs",
                "algorithm,task,seed,score,score | :1: the header has a column twice: [algorithm, task, seed, score,"
                        + " score]",
                "algorithm,task,seed,score;Ppo,a,1 | :2: must have 4 cells as the header has, separated by tabs, has 3",
                "algorithm,task,seed,score;#;Ppo,a,1,many | :3: score must be a number, was \"many\"",
                "algorithm,task,seed,score;Ppo,a,1.5,2 | :2: seed must be a whole number, was \"1.5\"",
                "algorithm,task,seed,score;Ppo,a,1,NaN | :2: score must be finite, was NaN",
                "algorithm,task,seed,score;Ppo,,1,2 | :2: task is missing",
                "algorithm,task,seed,score;Ppo,a,1,2;Ppo,a,1,3 | :3: seed 1 of Ppo on a has a score already, at FILE:2",
                "algorithm,task,seed,score;Ppo,a,1,2;A2c,b,1,3 | `A2c has no scores of task a, which Ppo has: all"
                        + " algorithms need the same tasks; --task selects some`",
                "algorithm,task,seed,score | ` has a header and no rows`",
                "# nothing | ` is empty: its first line must have algorithm, task, seed, score, separated by tabs`",
            })
    void aFileWithAnErrorIsRefusedWithItsLine(String text, String expected) throws IOException {
        write("bad.tsv", text.replace(',', '\t').replace(";", "\n") + "\n");
        String file = here.resolve("bad.tsv").toString();
        assertThat(refused("bad.tsv"))
                .isEqualTo(expected.startsWith("A2c") ? expected : file + expected.replace("FILE", file));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "CartPole-v1,0,500 | --range: FILE has no range of task Pendulum-v1, only of [CartPole-v1]",
                "CartPole-v1,0,500;Pendulum-v1,-1200,-200;Pendulum-v0,0,1 | FILE:4: no score is of task Pendulum-v0:"
                        + " the tasks are [CartPole-v1, Pendulum-v1]",
                "CartPole-v1,500,500;Pendulum-v1,-1200,-200 | `FILE:2: low must be below high, was 500.0 with high"
                        + " 500.0`",
                "CartPole-v1,0,500;CartPole-v1,0,1 | FILE:3: task CartPole-v1 has a range already, at FILE:2",
                "CartPole-v1,0,all | FILE:2: high must be a number, was \"all\"",
            })
    void aRangeWithAnErrorIsRefused(String text, String expected) throws IOException {
        write("bad.tsv", ("task,low,high;" + text).replace(',', '\t').replace(";", "\n") + "\n");
        assertThat(refused("scores.tsv", "--range", "bad.tsv"))
                .isEqualTo(expected.replace("FILE", here.resolve("bad.tsv").toString()));
    }

    @Test
    void aFolderThatIsNoneOfSeedsOfAnAgentIsRefused() throws IOException {
        assertThat(refused("none"))
                .isEqualTo(here.resolve("none") + " does not exist: give folders of several seeds, or files of scores");
        Files.createDirectories(here.resolve("empty"));
        assertThat(refused("empty"))
                .isEqualTo(here.resolve("empty")
                        + " has no seeds.json: hocket run NAME --seeds N makes such a folder when its seeds"
                        + " are finished");
        seeds("gan", "network: {class: Gan}\n", "[1, 2]");
        assertThat(refused("gan"))
                .isEqualTo(
                        here.resolve("gan") + ": its experiment has no algorithm to name its scores: write them into a"
                                + " file with the columns algorithm, task, seed, score");
        seeds("toy", "algorithm: {class: my.Toy}\n", "[1, 2]");
        assertThat(refused("toy")).contains("toy: its experiment has no environment");
        seeds("ppo", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[1, \"NaN\"]");
        assertThat(refused("ppo"))
                .isEqualTo(here.resolve("ppo/seeds.json")
                        + ": return_mean: the score of seed 8 of Ppo on CartPole-v1 must be finite, was NaN");
        assertThat(refused("ppo", "--score", "return"))
                .isEqualTo(here.resolve("ppo/seeds.json") + ": there is no score return; did you mean return_mean?");
        seeds("ppo", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[1]");
        assertThat(refused("ppo"))
                .isEqualTo(here.resolve("ppo/seeds.json") + " is damaged: return_mean has 1 values of 2 seeds");
        write("ppo/seeds.json", "{}");
        assertThat(refused("ppo")).startsWith(here.resolve("ppo/seeds.json") + " is damaged: ");
    }

    @Test
    void anAlgorithmAndTaskInTwoFoldersAreRefused() throws IOException {
        seeds("a", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[1, 2]");
        seeds("b", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[1, 2]");
        assertThat(refused("a", "b"))
                .isEqualTo(
                        here.resolve("b/seeds.json")
                                + ": return_mean: Ppo on CartPole-v1 has scores already, at "
                                + here.resolve("a/seeds.json")
                                + ": return_mean: name the algorithms of folders by NAME=FOLDER, or put the scores into one file");
        assertThat(ran("near=a", "far=b").outLines())
                .anyMatch(line -> line.startsWith("near over far"))
                .anyMatch(line -> line.matches("far +1 +2 +1.50.*"));
        assertThat(refused("near=scores.tsv"))
                .isEqualTo("near=" + here.resolve("scores.tsv") + ": a file of scores names its algorithms itself");
    }

    @Test
    void wrappersMakeAnotherTaskOfAnEnvironment() throws IOException {
        seeds("full", "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1}\n", "[1, 2]");
        seeds(
                "hidden",
                "algorithm: {class: hocket.rl.algorithms.Ppo, environment: CartPole-v1,"
                        + " environments: {limit: 0, count: 8, options: {}, wrappers: [{observed: [0, 2]}]}}\n",
                "[1, 2]");
        String needsSame = ": all algorithms need the same tasks; --task selects some";
        assertThat(refused("one=full", "two=hidden"))
                .isEqualTo("two has no scores of task CartPole-v1, which one has" + needsSame);
        assertThat(refused("two=hidden", "one=full"))
                .startsWith("one has no scores of task CartPole-v1 wrappers")
                .contains("observed")
                .endsWith(", which two has" + needsSame);
    }

    @Test
    void otherMistakesAreRefusedBeforeAnythingIsWritten() throws IOException {
        assertThat(refused()).contains("INPUT");
        assertThat(refused("scores.tsv", "--score", "x"))
                .isEqualTo("--score: is read from folders, and all inputs are files");
        assertThat(refused("scores.tsv", "--out", "ranges.tsv"))
                .isEqualTo(here.resolve("ranges.tsv") + " is a file: choose another --out");
        assertThat(refused("scores.tsv", "--range", "none.tsv"))
                .isEqualTo(here.resolve("none.tsv") + " cannot be read: there is no " + here.resolve("none.tsv"));
        Files.write(here.resolve("latin.tsv"), "é".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(refused("latin.tsv")).isEqualTo(here.resolve("latin.tsv") + " is no text in UTF-8");
    }

    private String refused(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "aggregate";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        Ran ran = Ran.hocket(here, all);
        assertThat(ran.status()).as(ran.out() + ran.err()).isEqualTo(2);
        assertThat(ran.errLines()).hasSize(1);
        assertThat(ran.out()).isEmpty();
        return ran.err().strip().replaceFirst("^hocket: ", "");
    }
}
