package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.workbench.testing.json.Parsed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("engine")
class VerifyCommandTest {
    @TempDir
    static Path once = Path.of("");

    @TempDir
    Path here;

    @BeforeAll
    static void aRunThatIsJudgedAndKeepsItsBest() {
        Ran ran = Ran.hocket(
                once,
                "run",
                "gaussian-ring",
                "--quiet",
                "--out",
                "run",
                "--set",
                "rounds=40",
                "--set",
                "width=8",
                "--set",
                "evaluation.samples=200",
                "--set",
                "on=[{every: {rounds: 20}, do: [save, best, samples]}]");
        assertThat(ran.status()).as(ran.err()).isZero();
    }

    @BeforeEach
    void copied() throws IOException {
        try (Stream<Path> files = Files.walk(once.resolve("run"))) {
            for (Path file : files.toList()) {
                Files.copy(file, here.resolve(once.relativize(file).toString()));
            }
        }
    }

    @Test
    void aRunThatWasNotTouchedIsWhole() {
        Ran ran = verify();
        assertThat(ran.status()).as(ran.out()).isZero();
        assertThat(ran.out())
                .contains(
                        "experiment.yaml whole",
                        "LATEST names 00000",
                        "metrics.jsonl   whole, ",
                        "scores.json     whole")
                .contains("best.json       whole", "samples         ", "run is whole")
                .doesNotContain("DAMAGED");
        assertThat(ran.outLines()).allMatch(line -> line.length() <= 80);
        JsonNode json =
                Parsed.document(Ran.hocket(here, "verify", "run", "--json").out());
        assertThat(json.path("whole").booleanValue()).isTrue();
        assertThat(json.path("findings").findValuesAsText("whole")).containsOnly("true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "experiment.yaml",
                "provenance.json",
                "metrics.jsonl",
                "scores.json",
                "best.json",
                "samples/latest.png",
                "checkpoints/LATEST",
                "checkpoints/*/state.json",
                "checkpoints/*/tensors.safetensors",
                "checkpoints/*/SHA256SUMS",
                "best/*/state.json",
                "best/*/tensors.safetensors",
                "best/*/SHA256SUMS"
            })
    void everyFlippedByteAndEveryCutIsNamed(String kind) throws IOException {
        Path file = found(kind);
        byte[] whole = Files.readAllBytes(file);
        String thing = kind.contains("/") ? kind.substring(0, kind.indexOf('/')) : kind;
        for (int at : new int[] {0, whole.length / 2, whole.length - 1}) {
            for (int bit : new int[] {1, 0x80}) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) bit;
                Files.write(file, flipped);
                named(thing, kind + ": bit " + bit + " of byte " + at);
            }
            Files.write(file, Arrays.copyOf(whole, at));
            named(thing, kind + ": cut to " + at);
        }
        Files.delete(file);
        if (!thing.equals("samples")) { // who deletes a picture does not damage the others
            named(thing, kind + ": deleted");
        }
        Files.write(file, whole);
        assertThat(verify().status()).isZero();
    }

    @Test
    void notesAndTheBestBeforeTheBestAreReadToo() throws IOException {
        Path notes = here.resolve("run/notes.json");
        Files.writeString(notes, "{\"tags\": [\"wide\"], \"note\": \"\"}");
        Path former = Files.copy(here.resolve("run/best.json"), here.resolve("run/best/former.json"));
        Ran ran = verify();
        assertThat(ran.status()).as(ran.out()).isZero();
        assertThat(ran.out()).contains("notes.json      whole, 1 tag", "former.json     whole, names turn");
        Files.writeString(notes, "{\"tags\": 3}");
        named("notes.json", "notes");
        Files.delete(notes);
        Files.writeString(former, "{\"step\": 3}");
        Ran other = verify();
        assertThat(other.status()).isEqualTo(1);
        assertThat(said()).contains("best DAMAGED: ", "a run that resumes from before it has no best one");
    }

    @Test
    void aRunThatHasNotTrainedIsWhole() throws IOException {
        Files.createDirectory(here.resolve("early"));
        Files.copy(here.resolve("run/experiment.yaml"), here.resolve("early/experiment.yaml"));
        Ran ran = Ran.hocket(here, "verify", "early");
        assertThat(ran.status()).as(ran.out()).isZero();
        assertThat(ran.out()).contains("provenance.json there is none yet: the run has not trained");
        for (String left : List.of("metrics.jsonl", "scores.json", "journal.jsonl")) {
            Path file = Files.copy(
                    here.resolve("run/scores.json"), here.resolve("early").resolve(left));
            assertThat(Ran.hocket(here, "verify", "early").out())
                    .as(left)
                    .contains("provenance.json DAMAGED: it is missing");
            Files.delete(file);
        }
    }

    @Test
    void theNewestWholeCheckpointIsNamed() throws IOException {
        List<Path> checkpoints = checkpoints();
        Path newest = checkpoints.get(checkpoints.size() - 1);
        long former = Long.parseLong(
                checkpoints.get(checkpoints.size() - 2).getFileName().toString());
        Files.write(newest.resolve("state.json"), new byte[] {'x'}, StandardOpenOption.APPEND);
        assertThat(said())
                .contains("DAMAGED: " + newest.getFileName() + ": ")
                .contains("the newest intact one is of turn " + former);
        for (Path each : checkpoints) {
            Files.delete(each.resolve("state.json"));
        }
        assertThat(said()).contains("no other is intact, so there is no checkpoint to resume from");
    }

    @Test
    void anEditedSettingIsNamedWithBothValues() throws IOException {
        Path file = here.resolve("run/experiment.yaml");
        Files.writeString(file, Files.readString(file).replace("seed: 7", "seed: 8"));
        Ran ran = verify();
        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.out()).contains("experiment.yaml DAMAGED: it is not as the run wrote it", "seed: 7 -> 8");
    }

    @Test
    void figuresOfARunThatWasKilledMayGoOnBeyondItsCheckpointButNotBack() throws IOException {
        Files.delete(here.resolve("run/provenance.json"));
        Path metrics = here.resolve("run/metrics.jsonl");
        List<String> lines = Files.readAllLines(metrics);
        String last = lines.get(lines.size() - 1);
        Files.writeString(
                metrics, last.replaceFirst("\"step\":\\d+", "\"step\":90000") + "\n", StandardOpenOption.APPEND);
        assertThat(said()).contains("drops lines after turn");
        Files.writeString(metrics, last + "\n", StandardOpenOption.APPEND);
        assertThat(said())
                .contains("metrics.jsonl DAMAGED: line " + (lines.size() + 2) + ": step must be at least that of the");
    }

    @Test
    void aMetricWithoutAWholeStepIsDamageAndIsNamedByFileAndLine() throws IOException {
        Files.delete(here.resolve("run/provenance.json"));
        Path metrics = here.resolve("run/metrics.jsonl");
        List<String> lines = Files.readAllLines(metrics);
        lines.set(1, lines.get(1).replaceFirst("\"step\":\\d+", "\"step\":\"Infinity\""));
        Files.write(metrics, lines);
        assertThat(said())
                .contains("metrics.jsonl DAMAGED: line 2: step must be a whole number, 0 or more, was \"Infinity\"");
    }

    @Test
    void whatIsNoRunIsRefused() {
        Ran ran = Ran.hocket(here, "verify", "nothing");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.err()).contains("nothing is not a run folder");
        assertThat(Ran.hocket(here, "verify").status()).isEqualTo(2);
    }

    /** Without breaks of lines. */
    private String said() {
        return verify().out().replaceAll("\\s+", " ");
    }

    private Ran verify() {
        return Ran.hocket(here, "verify", "run");
    }

    private void named(String thing, String what) {
        Ran ran = verify();
        assertThat(ran.status()).as(what + "\n" + ran.out() + ran.err()).isEqualTo(1);
        assertThat(ran.err()).as(what).isEmpty();
        assertThat(ran.out()).as(what).containsPattern("(?m)^" + thing.replace(".", "\\.") + " +DAMAGED:");
    }

    private Path found(String kind) throws IOException {
        String[] parts = kind.split("/\\*/");
        if (parts.length == 1) {
            return here.resolve("run").resolve(kind);
        }
        try (Stream<Path> entries = Files.list(here.resolve("run").resolve(parts[0]))) {
            return entries.filter(Files::isDirectory)
                    .sorted()
                    .findFirst()
                    .orElseThrow()
                    .resolve(parts[1]);
        }
    }

    private List<Path> checkpoints() throws IOException {
        try (Stream<Path> entries = Files.list(here.resolve("run/checkpoints"))) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }
}
