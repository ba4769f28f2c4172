package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    @TempDir
    Path here;

    @BeforeEach
    void twoRuns() throws IOException {
        run("a", "1.5", "1.25");
        run("b", "1.5", "1.25");
    }

    @Test
    void runsThatSayTheSameAreEqualWhereverTheyLie() throws IOException {
        Files.writeString(
                here.resolve("b/experiment.yaml"),
                Files.readString(here.resolve("a/experiment.yaml")) + "recorded: {hocket: 9}\nclasspath: [x.jar]\n");
        Ran ran = Ran.hocket(here, "diff", "a", "b");
        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.outLines()).contains("settings  equal", "metrics   equal, up to turn 2");
    }

    @Test
    void aFormerNameOfAKeyOrAClassIsNoDifference() throws IOException {
        for (String[] run : new String[][] {{"a", "draw", "EmbeddedDigits"}, {"b", "resample", "Optdigits"}}) {
            Files.writeString(
                    here.resolve(run[0] + "/experiment.yaml"),
                    "name: x\nfeeds: {digits: {class: hocket.gan.data." + run[2] + ", " + run[1] + ": each-turn}}\n");
        }
        assertThat(Ran.hocket(here, "diff", "a", "b").outLines()).contains("settings  equal");
    }

    @Test
    void settingsThatDifferAreNamedByTheirPath() throws IOException {
        Files.writeString(here.resolve("b/experiment.yaml"), "name: x\nseed: 8\nturns: {d: {rate: 1e-3}}\n");
        Ran ran = Ran.hocket(here, "diff", "a", "b");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.outLines())
                .startsWith("settings  differ", "          seed: 7 | 8", "          turns/d/rate: (none) | 1e-3")
                .endsWith("metrics   equal, up to turn 2");
        assertThat(ran.out()).contains("data      not known, nor software and machine: there is no provenance.json in");
    }

    @Test
    void theFirstFigureThatDiffersIsNamedWithItsTurnAndBothValues() throws IOException {
        run("b", "1.5", "1.2500000000000002");
        Ran ran = Ran.hocket(here, "diff", "a", "b");
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).contains("metrics   part at turn 2: d/loss 1.25 | 1.2500000000000002\n");
        JsonNode metrics = Parsed.document(
                        Ran.hocket(here, "diff", "a", "b", "--json").out())
                .path("metrics");
        assertThat(metrics.path("equal").booleanValue()).isFalse();
        assertThat(metrics.path("step").longValue()).isEqualTo(2);
        assertThat(metrics.path("turn").textValue() + metrics.path("name").textValue())
                .isEqualTo("dloss");
        assertThat(metrics.path("left").doubleValue()).isEqualTo(1.25);
        assertThat(metrics.path("right").doubleValue()).isEqualTo(1.2500000000000002);
    }

    @Test
    void interimPointsWhosePlacesAClockChoseAreNotCompared() throws IOException {
        String line = "{\"step\":2,\"round\":2,\"epoch\":0.0,\"turn\":\"d\",\"name\":\"loss\",\"value\":9.0";
        String figures = Files.readString(here.resolve("a/metrics.jsonl"));
        Files.writeString(here.resolve("b/metrics.jsonl"), figures + line + ",\"interim\":true,\"time\":1.0}\n");
        assertThat(Ran.hocket(here, "diff", "a", "b").outLines()).contains("metrics   equal, up to turn 2");
        Files.writeString(here.resolve("b/metrics.jsonl"), figures + line + ",\"time\":1.0}\n");
        assertThat(Ran.hocket(here, "diff", "a", "b").out()).contains("metrics   part at turn 2: d/loss (none) | 9.0");
    }

    @Test
    void whatIsNoNumberEqualsItself() throws IOException {
        run("a", "\"NaN\"");
        run("b", "\"NaN\"");
        assertThat(Ran.hocket(here, "diff", "a", "b").status()).isZero();
    }

    @Test
    void theShorterRunIsNamed() throws IOException {
        run("b", "1.5", "1.25", "1.0");
        assertThat(Ran.hocket(here, "diff", "a", "b").out())
                .contains("equal up to turn 2, where the left ends; the right continues to turn 3");
        assertThat(Ran.hocket(here, "diff", "b", "a").out())
                .contains("equal up to turn 2, where the right ends; the left continues to turn 3");
        Files.delete(here.resolve("a/metrics.jsonl"));
        Ran ran = Ran.hocket(here, "diff", "a", "b");
        assertThat(ran.out()).contains("the left run has none; the right continues to turn 3");
        assertThat(ran.status()).isEqualTo(1);
    }

    @Test
    void whatIsNoRunOrCannotBeReadIsRefused() throws IOException {
        refused("nowhere is not a run folder", "a", "nowhere");
        Files.writeString(here.resolve("b/metrics.jsonl"), "broken\n{}\n");
        refused("metrics.jsonl:1: is not a metric: it is not JSON", "a", "b");
        Files.writeString(here.resolve("b/experiment.yaml"), "seed: [7");
        refused("experiment.yaml:1:", "a", "b");
        refused("Missing required parameter: 'RIGHT'", "a");
    }

    private void refused(String message, String... runs) {
        String[] args = new String[runs.length + 1];
        args[0] = "diff";
        System.arraycopy(runs, 0, args, 1, runs.length);
        Ran ran = Ran.hocket(here, args);
        assertThat(ran.status()).as(ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(message);
        assertThat(ran.out()).isEmpty();
    }

    private void run(String name, String... losses) throws IOException {
        Path folder = Files.createDirectories(here.resolve(name));
        Files.writeString(folder.resolve("experiment.yaml"), "name: x\nseed: 7\n");
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= losses.length; i++) {
            lines.append(
                    "{\"step\":" + i + ",\"round\":" + i + ",\"epoch\":0,\"turn\":\"d\",\"name\":\"loss\",\"value\":"
                            + losses[i - 1] + ",\"time\":" + System.nanoTime() + "}\n");
        }
        Files.writeString(folder.resolve("metrics.jsonl"), lines);
    }
}
