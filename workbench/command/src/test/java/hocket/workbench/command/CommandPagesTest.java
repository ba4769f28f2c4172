package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The commands of pages, literally in an empty folder but for what takes long and shows nothing else: networks of the
 * ring are small and fewer of their points are scored, and less is trained where a test says so.
 */
@Tag("engine")
class CommandPagesTest {
    /** A word of a command; what is between quotes may have spaces. */
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|[^' ])+");

    @TempDir
    Path here;

    @ParameterizedTest
    @CsvSource({"concepts, concepts", "folders, folders"})
    void theirCommandsEndAsTheySay(String in, String name) throws IOException {
        run(in, name);
    }

    @Tag("slow")
    @Test
    void thoseOfSeveralSeedsEndAsTheySay() throws IOException {
        run("sweeps", "sweeps");
    }

    @Test
    void thoseOfProgramsPrintWhatThePageShows() throws IOException {
        String said = run("programs", "programs", 6);
        assertThat(shown(said, "programs")).isEqualTo(3);
        assertThat(said).contains("the first that is not finite is discriminator#3/logit, made by dense");
    }

    @Test
    void thoseOfExportsMakeAFolderThatARunStartsFrom() throws IOException {
        assertThat(said(commands("export", "export", "--set epochs=1", "--set feeds.digits.part=test")))
                .contains("# ema/generator of digits-gan", "starts from 12 arrays of ", "generator (12)");
        assertThat(here.resolve("generator/generator-0000.params")).isNotEmptyFile();
        assertThat(here.resolve("onnx/generator.onnx")).isNotEmptyFile();
        Matcher python = Pattern.compile("import numpy as np.*?```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of(System.getProperty("hocket.root", ".."), "docs/export.md")));
        assertThat(python.find()).isTrue();
        assertThat(Files.readString(here.resolve("onnx/README.md")))
                .contains(python.group().replace("onnx/generator.onnx", "generator.onnx"));
    }

    @Test
    void thoseOfFourNetworksProveWhoWritesWhatInSmallerBatches() throws IOException {
        String smaller = "--set algorithm.batch=8 --set algorithm.pairs=8 --set algorithm.episodes=8";
        assertThat(said(commands("sequences", "preferences", "run small.yaml", smaller)))
                .contains("nothing looks wrong", "sample ", " changed only what the plan says", "rule_of_reference");
    }

    @Tag("slow")
    @Test
    void thoseOfFourNetworksEndAsTheyStand() throws IOException {
        assertThat(run("sequences", "preferences")).contains("nothing looks wrong", "rule_of_reference");
    }

    @Test
    void thoseOfAnAdaptiveGanTrainIt() throws IOException {
        assertThat(run("gans", "lazy", 2))
                .contains("steps  the optimizer of turn d", "nothing looks wrong")
                .doesNotContain("warning:");
        assertThat(here.resolve("adaptive/metrics.jsonl"))
                .content()
                .contains("\"turn\":\"r1\",\"name\":\"loss\"", "\"name\":\"augment_p\"", "\"name\":\"real_sign\"");
    }

    @Test
    void thoseOfGamesTrainInThemAndPrintWhatThePageShows() throws IOException {
        String said = run("games", "games", 5);
        assertThat(shown(said, "games")).isEqualTo(1);
        assertThat(said).contains("nothing looks wrong", "return_mean");
        assertThat(here.resolve("plans/plan.svg")).isNotEmptyFile();
        assertThat(here.resolve("pursuit.gif")).isNotEmptyFile();
    }

    @Test
    void thoseOfAWorldModelTrainIt() throws IOException {
        assertThat(run("worldmodels", "dreamer", 2)).contains("return_mean").doesNotContain("warning:");
    }

    @Test
    void thoseOfPicturesDrawThem() throws IOException {
        assertThat(run("gans", "pictures"))
                .contains(
                        "with the 5 nearest of 1,797 rows of digits",
                        "16 rows of 8 samples (1,8,8)",
                        "90 frames of 1 sample")
                .contains("wrote 2,000 samples (2) to ");
        for (String file : List.of("neighbours.png", "ways.png", "walk.gif", "modes.png", "digits/plots/scores.png")) {
            assertThat(here.resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void thoseOfTablesLearnThem() throws IOException {
        assertThat(run("tables", "penguins", 3))
                .contains("11 rows with missing values are skipped", "column_distance", "independent", "held_out")
                .doesNotContain("warning:");
        assertThat(run("tables", "mine", 3))
                .contains("333 rows of 8 columns, 4 of categories", "nothing looks wrong")
                .doesNotContain("warning:");
        assertThat(Files.readAllLines(here.resolve("generated.csv")))
                .hasSize(1001)
                .startsWith("species,island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year");
    }

    @Test
    void thoseOfSharedParametersSayWhoWritesThem() throws IOException {
        assertThat(run("sharing", "sharing", 2))
                .contains("written by several turns", "left, right  whole/logits/**", "done in ")
                .doesNotContain("warning:");
    }

    @Test
    void thoseOfAnAgentBesideOneOfStableBaselinesTrainItInFewerSteps() throws IOException {
        assertThat(said(commands("migrating", "balancing", "--out cartpole", "--set total_steps=2560")))
                .contains("nothing looks wrong", "return_mean")
                .doesNotContain("warning:");
    }

    @Tag("slow")
    @Test
    void thoseOfAnAgentBesideOneOfStableBaselinesBalanceThePole() throws IOException {
        Matcher reached = Pattern.compile("return_mean +(\\S+)").matcher(run("migrating", "balancing", 3));
        assertThat(reached.find()).isTrue();
        assertThat(Double.parseDouble(reached.group(1).replaceFirst(",$", ""))).isGreaterThan(475);
    }

    @Test
    void thoseForTensorBoardWriteWhatItReads() throws IOException {
        assertThat(run("live", "tensorboard"))
                .contains(
                        "board    tensorboard --logdir " + here.resolve("runs"),
                        "wrote " + here.resolve("runs/other/tensorboard/events.out.tfevents."));
        assertThat(here.resolve("runs/ring/tensorboard")).isDirectoryContaining("glob:**.hocket.0002");
    }

    @Tag("slow")
    @Test
    void thoseOfASweepEndAsTheySay() throws IOException {
        run("sweeps", "sweep");
        run("sweeps", "aggregates");
    }

    @Tag("slow")
    @Test
    void thoseOfAPopulationComeToTheSameBits() throws IOException {
        assertThat(run("sweeps", "population")).contains("copies   after each of 4 intervals", " by interval");
        assertThat(here.resolve("again/lineage.jsonl"))
                .hasSameTextualContentAs(here.resolve("runs/my-population-sweep/lineage.jsonl"));
        assertThat(here.resolve("again/population.png")).isNotEmptyFile();
    }

    /** Checks that commands said what the blocks of output of their page show. Gives the number of blocks. */
    private static int shown(String said, String in) throws IOException {
        Matcher shown = Pattern.compile("<!-- output -->\\s*```\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of(System.getProperty("hocket.root", ".."), "docs", in + ".md")));
        int blocks = 0;
        for (; shown.find(); blocks++) {
            assertThat(said.lines().toList())
                    .containsSubsequence(shown.group(1)
                            .lines()
                            .filter(line -> !line.equals("…") && !line.contains("vector")) // kernels may be others
                            .toList());
        }
        return blocks;
    }

    /** Runs the commands of a page, of which there are more than three. Gives what they say. */
    private String run(String in, String name) throws IOException {
        List<String> lines = commands(in, name);
        assertThat(lines).hasSizeGreaterThan(3);
        return said(lines);
    }

    /** Runs the commands of a page, of which there are {@code count}. Gives what they say. */
    private String run(String in, String name, int count) throws IOException {
        List<String> lines = commands(in, name);
        assertThat(lines).hasSize(count);
        return said(lines);
    }

    /** The same with settings after each place of a text, of which there must be one. */
    private List<String> commands(String in, String name, String after, String settings) throws IOException {
        List<String> lines = commands(in, name);
        assertThat(lines).anyMatch(line -> line.contains(after));
        return lines.stream()
                .map(line -> line.replace(after, after + " " + settings))
                .toList();
    }

    /** Writes the files of a page. Gives the lines of its commands. */
    private List<String> commands(String in, String name) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("hocket.root", ".."), "docs", in + ".md"));
        Matcher file = Pattern.compile("<!-- file: (\\S+) -->\\s*```(?:yaml|tsv)\\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        while (file.find()) {
            Files.writeString(here.resolve(file.group(1)), file.group(2));
        }
        Matcher block = Pattern.compile("<!-- commands: " + name + " -->\\s*```bash\\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        assertThat(block.find()).isTrue();
        return block.group(1).lines().toList();
    }

    private String said(List<String> lines) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line : lines) {
            String[] words = WORD.matcher(line.replaceFirst("#.*", ""))
                    .results()
                    .map(word -> word.group().replace("'", ""))
                    .toArray(String[]::new);
            if (words[0].equals("cat")) {
                said.append(Files.readString(here.resolve(words[1])));
                continue;
            }
            assertThat(words[0]).isEqualTo("hocket");
            List<String> arguments = new ArrayList<>(List.of(words).subList(1, words.length));
            if (arguments.subList(0, 2).equals(List.of("run", "gaussian-ring"))) {
                arguments.addAll(List.of("--set", "evaluation.samples=200")); // 4,000 take longer than 60 rounds
                if (!line.contains(" width=")) {
                    arguments.addAll(List.of("--set", "width=8"));
                }
            }
            Ran ran = Ran.hocket(here, arguments.toArray(String[]::new));
            int expected = line.contains("# status 1") ? 1 : 0;
            assertThat(ran.status()).as(line + "\n" + ran.out() + ran.err()).isEqualTo(expected);
            said.append(ran.out()).append(ran.err());
        }
        assertThat(said.toString()).doesNotContain("Exception", "\tat ", "incubator");
        return said.toString();
    }
}
