package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the pages in docs say of one process, literally, in an empty folder. */
@Tag("engine")
@Tag("processes")
class PagesTest extends PageCommands {
    private static final Pattern RATE = Pattern.compile("\"turn\":\"d\",\"name\":\"rate\",\"value\":([^,}]+)");

    @Test
    void theKindsOnThePageOfSchedulesWorkAsTheyStand() throws Exception {
        for (String kind : List.of("Zigzag", "Lasting", "Signum", "Triangle")) {
            Files.writeString(
                    folder.resolve(kind + ".java"), block("docs/schedules.md", "own: " + kind + ".java", "java"));
        }
        Files.writeString(folder.resolve("mine.yaml"), block("docs/schedules.md", "own: mine.yaml", "yaml"));
        String said = run(block("docs/schedules.md", "own: commands", "bash"));
        assertThat(said)
                .contains(
                        "Zigzag[of=[d, g]]",
                        "signum, rate triangle low 1.0e-4 high 0.001",
                        "when Lasting[series=d/loss")
                .contains("done in ");
        List<Double> rates = Files.readAllLines(folder.resolve("mine/metrics.jsonl")).stream()
                .map(RATE::matcher)
                .filter(Matcher::find)
                .map(rate -> Double.valueOf(rate.group(1)))
                .toList();
        // recorded in the first rounds, two updates each, and at the end, ten times through the triangle
        assertThat(rates.subList(0, 3))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : 1)
                .containsExactly(1.18e-4, 1.54e-4, 1.9e-4);
    }

    @Test
    void theCycleGanOnThePageOfNetworksTrainsDrawsAndIsScoredAsItStands() throws Exception {
        for (String name : List.of("Translators.java", "Arc.java", "CycleScores.java")) {
            Files.writeString(folder.resolve(name), block("docs/networks.md", "file: " + name, "java"));
        }
        Files.writeString(folder.resolve("cycle.yaml"), block("docs/networks.md", "file: cycle.yaml", "yaml"));
        String said = run(block("docs/networks.md", "commands: cycle", "bash"));
        assertThat(said)
                .contains("nothing looks wrong", "cycle_error", "frechet_distance", "wrote 500 samples (2) to")
                .doesNotContain("warning:");
        assertThat(folder.resolve("try/samples/latest.png")).isNotEmptyFile();
        assertThat(Files.size(folder.resolve("translated.npy"))).isBetween(500L * 2 * 4, 500L * 2 * 4 + 256);
    }

    @Test
    void thePartsOnThePageOfGansTrainAsTheyStand() throws Exception {
        Files.writeString(folder.resolve("Drift.java"), block("docs/gans.md", "file: Drift.java", "java"));
        Files.writeString(folder.resolve("ring.yaml"), block("docs/gans.md", "file: ring.yaml", "yaml"));
        String said = run(block("docs/gans.md", "commands: gans", "bash"));
        assertThat(said).contains("nothing looks wrong").doesNotContain("warning:");
        assertThat(folder.resolve("ring/metrics.jsonl"))
                .content()
                .contains("\"turn\":\"d\",\"name\":\"drift\"", "\"turn\":\"d\",\"name\":\"penalty\"");
        assertThat(folder.resolve("hinge/metrics.jsonl")).content().contains("\"turn\":\"d\",\"name\":\"r1\"");
    }

    @Test
    void theAdaptiveGanOnThePageOfGansTrainsAsItStands() throws Exception {
        Files.writeString(folder.resolve("adaptive.yaml"), block("docs/gans.md", "file: adaptive.yaml", "yaml"));
        String said = run(block("docs/gans.md", "commands: lazy", "bash"));
        assertThat(said)
                .contains("steps  the optimizer of turn d", "nothing looks wrong")
                .doesNotContain("warning:");
        assertThat(folder.resolve("adaptive/metrics.jsonl"))
                .content()
                .contains("\"turn\":\"r1\",\"name\":\"loss\"", "\"name\":\"augment_p\"", "\"name\":\"real_sign\"");
    }

    @Test
    void thePicturesOnThePageOfGansAreMadeAsItStands() throws Exception {
        assertThat(run(block("docs/gans.md", "commands: pictures", "bash")))
                .contains(
                        "with the 5 nearest of 1,797 rows of digits",
                        "16 rows of 8 samples (1,8,8)",
                        "90 frames of 1 sample")
                .contains("wrote 2,000 samples (2) to ");
        for (String file : List.of("neighbours.png", "ways.png", "walk.gif", "modes.png", "digits/plots/scores.png")) {
            assertThat(folder.resolve(file)).isNotEmptyFile();
        }
    }

    @Test
    void theTablesOnThePageOfTablesAreLearntAsTheyStand() throws Exception {
        assertThat(run(block("docs/tables.md", "commands: penguins", "bash")))
                .contains("11 rows with missing values are skipped", "column_distance", "independent", "held_out")
                .doesNotContain("warning:");
        Files.writeString(folder.resolve("mine.yaml"), block("docs/tables.md", "file: mine.yaml", "yaml"));
        assertThat(run(block("docs/tables.md", "commands: mine", "bash")))
                .contains("333 rows of 8 columns, 4 of categories", "nothing looks wrong")
                .doesNotContain("warning:");
        assertThat(Files.readAllLines(folder.resolve("generated.csv")))
                .hasSize(1001)
                .startsWith("species,island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year");
    }

    @Test
    void theCycleGanOfTwoFoldersTrainsWithPartsOfAJarAsItStands() throws Exception {
        for (String name : List.of("Folders", "Shallow", "TotalVariation")) {
            Files.writeString(
                    folder.resolve(name + ".java"), block("docs/cyclegan.md", "file: " + name + ".java", "java"));
        }
        String file = block("docs/cyclegan.md", "file: cycle.yaml", "yaml");
        assertThat(file.lines().count()).isLessThanOrEqualTo(40);
        Files.writeString(folder.resolve("cycle.yaml"), file);
        String said = run(block("docs/cyclegan.md", "commands: cyclegan", "bash"));
        assertThat(said)
                .contains("nothing looks wrong", "899 pictures found in digits", "wrote 64 samples (1,16,16) to")
                .doesNotContain("warning:");
        assertThat(folder.resolve("translated.png")).isNotEmptyFile();
        assertThat(folder.resolve("plain/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Tag("slow")
    @Test
    void theScoresOnThePageOfGansExposeAMemoriserAndAGaussian() throws Exception {
        String said = run(block("docs/gans.md", "commands: scores", "bash"));
        assertThat(said)
                .containsPattern("N +1498 +1498 +749 +1498 +299")
                .containsPattern("nearest_neighbour_ratio +0\\.8\\d+ +0\\.0000 +- +0\\.9401 +0\\.8033")
                .containsPattern("precision +0\\.9\\d+ +1\\.0000 +0\\.9559 +0\\.1155 +0\\.9532")
                .containsPattern("\"gaussian\":\\{\"rows\":1498,[^}]*\"frechet_distance\":0\\.2[34]");
    }

    @Test
    void theModelsOfATextOnThePageOfSequencesTrainAsTheyStand() throws Exception {
        for (String name : List.of("CharacterGru", "CarriedGru")) {
            Files.writeString(
                    folder.resolve(name + ".java"), block("docs/sequences.md", "file: " + name + ".java", "java"));
        }
        for (String name : List.of("characters.yaml", "carried.yaml")) {
            Files.writeString(folder.resolve(name), block("docs/sequences.md", "file: " + name, "yaml"));
        }
        assertThat(run(block("docs/sequences.md", "commands: characters", "bash")))
                .contains("182311 characters, 96 different ones", "nothing looks wrong", "done in ");
        assertThat(run(block("docs/sequences.md", "commands: carried", "bash"))).contains("done in ");
        String unfit = "hocket plan carried.yaml --classpath classes --set feeds.train.lanes=false";
        assertThat(run(unfit)).contains("turn learn carries a state, and rows of train do not continue");
    }

    @Tag("slow")
    @Test
    void theCommandsOnThePageOfLiveRunsWorkAsTheyStand() throws Exception {
        String said = run(block("docs/live.md", "commands: live", "bash"));
        assertThat(said)
                .contains(
                        "d/rate is 5e-4, was 0.001", "sequence(d × 2, g)", "forked; start it with ", "metrics   equal");
        assertThat(folder.resolve("runs/branch/checkpoints/LATEST")).isNotEmptyFile();
    }

    @Tag("slow")
    @Test
    void whatAProgramAsksOfAWorkbenchWorksAsItStands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        String said = run(block("docs/live.md", "commands: workbench", "bash"));
        assertThat(said)
                .contains("is being trained in a process of its own", "\"serving\":\"runs\"", "\"seed\":3")
                .contains("stops in round ");
        assertThat(folder.resolve("runs/ring/start.txt")).isNotEmptyFile();
    }

    @Test
    void whatAProgramAsksOfALiveRunWorksAsItStands() throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/curl")) && Files.exists(Path.of("/proc/sys/kernel/random/uuid")),
                "there is no curl here, or no Linux");
        String said = run(block("docs/live.md", "commands: curl", "bash"));
        assertThat(said)
                .contains("\"budget\":\"1,000,000 rounds\"", "\"message\":\"d/rate is 5e-4, was 0.001\"", "d/loss");
        assertThat(folder.resolve("now.png")).isNotEmptyFile();
        assertThat(folder.resolve("parameters.json")).isNotEmptyFile();
    }

    @Test
    void rowsByWebSocketComeAsThePageOfOnlineLearningSays() throws Exception {
        Files.writeString(folder.resolve("Feed.java"), block("docs/online.md", "file: Feed.java", "java"));
        String said = run(block("docs/online.md", "commands: websocket", "bash"));
        assertThat(said).contains("sent 10000 points", "sent 20000 points", "stops in round ");
    }

    @Test
    void whatPrometheusNeedsWorksAsItStands() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "there is no curl here");
        run(block("docs/live.md", "commands: prometheus", "bash"));
        assertThat(folder.resolve("metrics.txt"))
                .content()
                .contains("hocket_step{run=\"ring\"} ", "jvm_memory_used_bytes");
        assertThat(folder.resolve("prometheus.yml")).content().containsPattern("targets: \\['127.0.0.1:\\d+'\\]");
    }
}
